/**
 * Which model a server's hints lead to, and why. The person's choice for the server comes first, then the hints in their
 * order (spec: "the client MUST evaluate them in order"). Priorities such as a low cost aren't considered, because the
 * editor doesn't tell what a model costs, how fast it is, or how capable.
 */

/** What the editor knows of a model. */
export interface ModelFacts {
	/** Unique among those of the vendor. */
	readonly id: string;
	readonly vendor: string;
	readonly family: string;
	readonly name: string;
}

export type ChoiceReason =
	/** The person has chosen it for this server. */
	| { readonly kind: 'person' }
	/** It is what this hint of the server names. */
	| { readonly kind: 'hint'; readonly hint: string }
	/** No hint names it: it has the editor's place. */
	| { readonly kind: 'order' };

export interface ModelChoice<M extends ModelFacts> {
	readonly model: M;
	readonly reason: ChoiceReason;
}

export interface ChoiceOptions<M extends ModelFacts> {
	/** `modelKey` of the model that the person has chosen for the server. */
	readonly chosen?: string | undefined;
	/** False for what cannot be asked at all, such as a model without images about an image: those come last. */
	readonly isFit?: (model: M) => boolean;
}

/** Which model it is, for as long as its vendor calls it so. */
export function modelKey({ vendor, id }: ModelFacts): string {
	return `${vendor}/${id}`;
}

/** All models, the best first. */
export function chooseModels<M extends ModelFacts>(
	models: readonly M[],
	hints: readonly string[],
	{ chosen, isFit = () => true }: ChoiceOptions<M> = {},
): ModelChoice<M>[] {
	const ranked = models.map(model => {
		const isChosen = modelKey(model) === chosen;
		const hint = hints.findIndex(name => matchOf(model, name) > 0);
		return {
			model,
			isChosen,
			isFit: isFit(model),
			hint: hint === -1 ? hints.length : hint,
			match: matchOf(model, hints[hint] ?? ''),
			reason: reasonOf(isChosen, hints[hint]),
		};
	});
	return ranked
		.toSorted(
			(a, b) =>
				Number(b.isChosen) - Number(a.isChosen) ||
				Number(b.isFit) - Number(a.isFit) ||
				a.hint - b.hint ||
				b.match - a.match,
		)
		.map(({ model, reason }) => ({ model, reason }));
}

function reasonOf(isChosen: boolean, hint: string | undefined): ChoiceReason {
	if (isChosen) {
		return { kind: 'person' };
	}
	return hint === undefined ? { kind: 'order' } : { kind: 'hint', hint };
}

/**
 * 2 for a model that is called so, 1 for one whose name has it in it, otherwise 0. Vendors write the same name with blanks,
 * dots or dashes (`claude-3-5-sonnet`, `claude-3.5-sonnet`, "Claude 3.5 Sonnet").
 */
function matchOf({ id, vendor, family, name }: ModelFacts, hint: string): 0 | 1 | 2 {
	const wanted = plainName(hint);
	if (wanted === '') {
		return 0;
	}
	const names = [id, family, name, vendor].map(plainName);
	return names.slice(0, 3).includes(wanted) ? 2 : names.some(it => it.includes(wanted)) ? 1 : 0;
}

function plainName(name: string): string {
	return name
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, '-')
		.replace(/^-|-$/g, '');
}

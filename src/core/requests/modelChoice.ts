/**
 * Chooses the model for a sampling request: the person's choice for the server comes first, then the hints in their order
 * (spec: "the client MUST evaluate them in order"). Priorities such as cost are ignored, as the editor doesn't report them.
 */

/** A model as the editor describes it. */
export interface ModelFacts {
	/** Unique for the vendor. */
	readonly id: string;
	readonly vendor: string;
	readonly family: string;
	readonly name: string;
}

export interface ChoiceOptions<M extends ModelFacts> {
	/** `modelKey` of the model that the person has chosen for the server. */
	readonly chosen?: string | undefined;
	/** False for models that can't answer the request, such as one without images for an image. They come last. */
	readonly isFit?: (model: M) => boolean;
}

/** Identifies a model in settings and grants. */
export function modelKey({ vendor, id }: ModelFacts): string {
	return `${vendor}/${id}`;
}

/** All models, best first. */
export function chooseModels<M extends ModelFacts>(
	models: readonly M[],
	hints: readonly string[],
	{ chosen, isFit = () => true }: ChoiceOptions<M> = {},
): M[] {
	const ranked = models.map(model => {
		const matches = hints.map(it => matchOf(model, it));
		const hint = matches.findIndex(it => it > 0);
		return {
			model,
			isChosen: modelKey(model) === chosen,
			isFit: isFit(model),
			hint: hint === -1 ? hints.length : hint,
			match: matches[hint] ?? 0,
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
		.map(it => it.model);
}

/**
 * 2 if the hint is a name of the model, 1 if a name contains the hint, otherwise 0. Names match however their parts are
 * separated (`claude-3-5-sonnet`, `claude-3.5-sonnet`, "Claude 3.5 Sonnet").
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

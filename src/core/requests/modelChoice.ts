/**
 * PURE: which model a server's preferences lead to, and why. The person's own choice for the server comes first, then the
 * server's hints in their order (spec: "the client MUST evaluate them in order"), then its priorities.
 *
 * What a model costs, how fast and how clever it is, no editor says. It is estimated from the words in its name, which
 * vendors use alike (a mini is a smaller and cheaper one, a pro or opus a larger one), and from how much it can read. That
 * is no more than a guess, and only orders what nobody has chosen by name.
 */
import type { ModelPreferences } from './sampling.js';

/** What the editor knows of a model. */
export interface ModelFacts {
	/** Unique among those of the vendor. */
	readonly id: string;
	readonly vendor: string;
	readonly family: string;
	readonly name: string;
	/** Tokens it can read. */
	readonly maxInputTokens: number;
}

export type Priority = 'cost' | 'speed' | 'intelligence';

export type ChoiceReason =
	/** The person has chosen it for this server. */
	| { readonly kind: 'person' }
	/** It is what this hint of the server names. */
	| { readonly kind: 'hint'; readonly hint: string }
	/** No hint names it: its place is estimated from the server's priorities, of which these weigh most. */
	| { readonly kind: 'priorities'; readonly most: readonly Priority[] }
	/** Nothing is known that would tell: it has the editor's place. */
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
	preferences: ModelPreferences,
	{ chosen, isFit = () => true }: ChoiceOptions<M> = {},
): ModelChoice<M>[] {
	const { hints } = preferences;
	const most = mostOf(preferences);
	const byPriority = models.map((model, place) => ({ model, place, score: scoreOf(model, models, preferences) }));
	const ranked = byPriority.map(it => {
		const isChosen = modelKey(it.model) === chosen;
		const hint = hints.findIndex(name => matchOf(it.model, name) > 0);
		return {
			...it,
			isChosen,
			isFit: isFit(it.model),
			hint: hint === -1 ? hints.length : hint,
			match: matchOf(it.model, hints[hint] ?? ''),
			reason: reasonOf(isChosen, hints[hint], most),
		};
	});
	return ranked
		.toSorted(
			(a, b) =>
				Number(b.isChosen) - Number(a.isChosen) ||
				Number(b.isFit) - Number(a.isFit) ||
				a.hint - b.hint ||
				b.match - a.match ||
				b.score - a.score ||
				a.place - b.place,
		)
		.map(({ model, reason }) => ({ model, reason }));
}

function reasonOf(isChosen: boolean, hint: string | undefined, most: readonly Priority[]): ChoiceReason {
	if (isChosen) {
		return { kind: 'person' };
	}
	if (hint !== undefined) {
		return { kind: 'hint', hint };
	}
	return most.length > 0 ? { kind: 'priorities', most } : { kind: 'order' };
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

/** Steps of size, from the usual one. */
const sizes: ReadonlyMap<string, number> = new Map([
	...['nano', 'tiny', 'lite', 'micro'].map(it => [it, -2] as const),
	...['mini', 'small', 'haiku', 'flash', 'fast', 'light', 'instant'].map(it => [it, -1] as const),
	...['pro', 'large', 'plus'].map(it => [it, 1] as const),
	...['opus', 'max', 'ultra'].map(it => [it, 2] as const),
]);

/** From -2, smaller and cheaper, to 2. A word that stands in several names counts once. */
function sizeOf({ id, family, name }: ModelFacts): number {
	const words = new Set([id, family, name].flatMap(it => plainName(it).split('-')));
	const size = [...words].reduce((sum, it) => sum + (sizes.get(it) ?? 0), 0);
	return Math.min(2, Math.max(-2, size));
}

/** How well it fits the priorities: 0 if there are none. */
function scoreOf(model: ModelFacts, models: readonly ModelFacts[], preferences: ModelPreferences): number {
	const size = sizeOf(model);
	const small = (2 - size) / 4;
	// What reads more is newer, and costs no less: a tenth of a step at most, so that words come first.
	const reads = models.filter(it => it.maxInputTokens < model.maxInputTokens).length / Math.max(1, models.length);
	const large = (2 + size + reads / 10) / 4;
	const { cost = 0, speed = 0, intelligence = 0 } = preferences;
	return cost * small + speed * small + intelligence * large;
}

/** Those that weigh most; none if none weighs anything. */
function mostOf({ cost = 0, speed = 0, intelligence = 0 }: ModelPreferences): Priority[] {
	const weights: readonly (readonly [Priority, number])[] = [
		['cost', cost],
		['speed', speed],
		['intelligence', intelligence],
	];
	const highest = Math.max(cost, speed, intelligence);
	return weights.filter(([, weight]) => weight > 0 && weight === highest).map(([priority]) => priority);
}

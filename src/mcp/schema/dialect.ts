/** The dialects of JSON Schema that values are checked against. */

export type Dialect = 'draft-07' | '2020-12';

/**
 * The dialect that a `$schema` names; `undefined` for any other. Spec 2025-11-25, basic: "default to JSON Schema 2020-12"
 * where `$schema` is absent.
 */
export function dialectOf(uri: unknown): Dialect | undefined {
	if (uri === undefined) {
		return '2020-12';
	}
	const match =
		typeof uri === 'string' && /^https?:\/\/json-schema\.org\/(?:(draft-07)|draft\/(2020-12))\/schema#?$/.exec(uri);
	if (!match) {
		return undefined;
	}
	return match[1] === undefined ? '2020-12' : 'draft-07';
}

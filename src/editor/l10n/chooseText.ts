/** Chooses the text for a problem, reason or state from a table with one entry for each member of its union. */

/** The `code` or `kind` that tells the members of a union apart. */
type Tag<U> = (U extends { readonly code: infer K } | { readonly kind: infer K } ? K : never) & string;

type Member<U, K> = U extends { readonly code: infer C } | { readonly kind: infer C }
	? K extends C
		? U
		: never
	: never;

type Tagged = { readonly code: string } | { readonly kind: string };
type Texts<U> = { readonly [K in Tag<U>]: (value: Member<U, K>) => string };

/** The text for a member of a union. The compiler checks that the table is complete. */
export function chooseText<U extends Tagged>(value: U, texts: Texts<U>): string {
	return chooseKnownText<U>(value, texts) ?? '';
}

/** Like `chooseText`, for a table that leaves members out, which have no text. */
export function chooseKnownText<U extends Tagged>(value: U, texts: Partial<Texts<U>>): string | undefined {
	const table = texts as Readonly<Record<string, ((value: U) => string) | undefined>>;
	// A member that is told apart by its kind may also have a code, such as that of an error, and the other way round.
	const { kind, code } = value as { readonly kind?: unknown; readonly code?: unknown };
	const tag = [kind, code].find(it => typeof it === 'string' && Object.hasOwn(table, it));
	return table[String(tag)]?.(value);
}

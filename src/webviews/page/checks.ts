/**
 * Checks for the messages between the extension and its pages. Both sides check what they receive: a page shows text of
 * servers, and other scripts of its frame can post messages too.
 */

export type Check<T> = (value: unknown) => value is T;
/** A check for each member of an object. */
export type Members<T> = { readonly [K in keyof T]: Check<T[K]> };
/** The members of each message besides its type. */
export type Messages<U extends { readonly type: string }> = {
	readonly [K in U['type']]: Members<Omit<Extract<U, { readonly type: K }>, 'type'>>;
};

/** The value that a check allows. */
export type Checked<C> = C extends Check<infer T> ? T : never;
/** The messages that an object like `Messages` allows. */
export type MessageOf<M> = {
	readonly [K in keyof M]: { readonly type: K } & { readonly [N in keyof M[K]]: Checked<M[K][N]> };
}[keyof M];

export const isText: Check<string> = value => typeof value === 'string';
export const isIndex: Check<number> = (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
export const isBoolean: Check<boolean> = value => typeof value === 'boolean';
export const isBytes: Check<Uint8Array> = value => value instanceof Uint8Array;

/** Checks a message, and drops unknown members. `undefined` if it isn't valid. */
export function readMessage<U extends { readonly type: string }>(
	message: unknown,
	messages: Messages<U>,
): U | undefined {
	if (!isRecord(message) || !isText(message['type']) || !Object.hasOwn(messages, message['type'])) {
		return undefined;
	}
	const { type } = message;
	const checks: Readonly<Record<string, Check<unknown>>> = messages[type as U['type']];
	const members = Object.keys(checks).map(name => [name, message[name]] as const);
	const isValid = members.every(([name, value]) => checks[name]?.(value) === true);
	return isValid ? ({ type, ...Object.fromEntries(members) } as unknown as U) : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function record<T extends object>(members: Members<T>): Check<T> {
	const checks = Object.entries<Check<unknown>>(members);
	return (value): value is T => isRecord(value) && checks.every(([name, check]) => check(value[name]));
}

export function optional<T>(check: Check<T>): Check<T | undefined> {
	return (value): value is T | undefined => value === undefined || check(value);
}

export function listOf<T>(check: Check<T>): Check<readonly T[]> {
	return (value): value is readonly T[] => Array.isArray(value) && value.every(check);
}

export function either<A, B>(first: Check<A>, second: Check<B>): Check<A | B> {
	return (value): value is A | B => first(value) || second(value);
}

export function oneOf<const T>(values: readonly T[]): Check<T> {
	return (value): value is T => (values as readonly unknown[]).includes(value);
}

/** A check for the texts of a view, by their keys. */
export function stringsOf<const K extends string>(keys: readonly K[]): Check<Readonly<Record<K, string>>> {
	return record<Readonly<Record<K, string>>>(
		Object.fromEntries(keys.map(it => [it, isText])) as Members<Readonly<Record<K, string>>>,
	);
}

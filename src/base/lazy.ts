/** Values that are made at their first use, so that start-up does not wait for them. */

/**
 * Returns a function that makes the value at its first call and returns the same value later. If `make` throws, the
 * next call tries again.
 */
export function lazy<T>(make: () => T): () => T {
	let made: { readonly value: T } | undefined;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}

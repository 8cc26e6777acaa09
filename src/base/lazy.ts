/** Things that are made when they are first asked for, so that a start does not wait for them. */

/** Makes the value at the first call, and gives the same one from then on. If `make` throws, the next call tries again. */
export function lazy<T>(make: () => T): () => T {
	let made: { readonly value: T } | undefined;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}

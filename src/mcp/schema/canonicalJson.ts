/** PURE: one text for one JSON value, whatever the order of its keys. Caches and pins compare by it. */

/**
 * JSON without white space, the keys of every object sorted by UTF-16 code units. Two values that JSON calls equal
 * give the same text. What JSON leaves out (`undefined`, functions) is left out of objects and `null` elsewhere.
 *
 * A stack of its own, because a server may nest deeper than the engine's stack goes. Cyclic values never end: give it
 * what came out of `JSON.parse`.
 */
export function canonicalJson(value: unknown): string {
	const pieces: string[] = [];
	const stack: (string | { readonly value: unknown })[] = [{ value }];
	for (let task = stack.pop(); task !== undefined; task = stack.pop()) {
		if (typeof task === 'string') {
			pieces.push(task);
		} else if (typeof task.value !== 'object' || task.value === null) {
			pieces.push(scalar(task.value));
		} else if (Array.isArray(task.value)) {
			pieces.push('[');
			stack.push(']');
			for (let index = task.value.length - 1; index >= 0; index--) {
				stack.push({ value: task.value[index] as unknown });
				if (index > 0) {
					stack.push(',');
				}
			}
		} else {
			const object = task.value as Readonly<Record<string, unknown>>;
			const keys = Object.keys(object)
				.filter(key => isJson(object[key]))
				.sort();
			pieces.push('{');
			stack.push('}');
			for (const key of keys.toReversed()) {
				stack.push({ value: object[key] }, `${key === keys[0] ? '' : ','}${JSON.stringify(key)}:`);
			}
		}
	}
	return pieces.join('');
}

function scalar(value: unknown): string {
	return isJson(value) && typeof value !== 'bigint' ? JSON.stringify(value) : 'null';
}

function isJson(value: unknown): boolean {
	return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

/** A canonical text of a JSON value, independent of the order of keys. Caches and tool locks compare such texts. */

/**
 * JSON without white space, with the keys of every object sorted by UTF-16 code units. Values that are equal in JSON give
 * the same text. As in `JSON.stringify`, `undefined` and functions are left out of objects and are `null` elsewhere.
 *
 * Not recursive, because the values of servers may be nested deeper than the stack allows. Never returns for cyclic values.
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

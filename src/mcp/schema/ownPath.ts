/** JSON pointers (RFC 6901) into schemas. Inherited properties don't count. */
import { unescapeStep } from '../../base/jsonPointer.js';
import { tryDecodeUri } from '../../base/percentText.js';
import type { JsonObject } from '../jsonrpc/messages.js';

/** The value at the end of a path of decoded steps, or `undefined` if a step is missing. */
export function ownPath(root: unknown, steps: readonly string[]): unknown {
	let target = root;
	for (const step of steps) {
		if (typeof target !== 'object' || target === null || !Object.hasOwn(target, step)) {
			return undefined;
		}
		target = (target as JsonObject)[step];
	}
	return target;
}

/** The target of a reference inside the document; `undefined` for any other reference. */
export function localTarget(root: JsonObject, reference: unknown): unknown {
	if (reference === '#') {
		return root;
	}
	const isPointer = typeof reference === 'string' && reference.startsWith('#/');
	return isPointer ? ownPath(root, fragmentSteps(reference.slice(2))) : undefined;
}

/** The decoded steps of a pointer in a URI fragment, without its first slash; splits before it decodes, as Ajv does. */
export function fragmentSteps(pointer: string): string[] {
	return pointer.split('/').map(it => unescapeStep(tryDecodeUri(it) ?? it));
}

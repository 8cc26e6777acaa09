/** Walks a schema along decoded steps of a JSON pointer; inherited properties don't count. */
import type { JsonObject } from '../jsonrpc/messages.js';

/** The value at the end of the path, or `undefined` if a step isn't there. */
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

/** The name that a step of a pointer stands for: RFC 6901, section 4. */
export function unescapeStep(step: string): string {
	return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

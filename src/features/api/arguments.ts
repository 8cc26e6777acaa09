/** Checks the arguments of callers. Each function throws a TypeError that names the argument and the expected type. */
import { isObject } from '../../mcp/index.js';
import { plainObject } from '../../core/text/callArguments.js';

export function assertText(value: unknown, name: string): asserts value is string {
	check(typeof value === 'string', name, 'a string');
}

export function assertListener(value: unknown): asserts value is () => void {
	check(typeof value === 'function', 'listener', 'a function');
}

export function assertObject(value: unknown, name: string): asserts value is Record<string, unknown> {
	check(isObject(value), name, 'an object');
}

/** Wraps a caller's listener so that its errors are logged and don't reach the code that fires the event. */
export function guardedListener(listener: unknown): () => void {
	assertListener(listener);
	return () => {
		try {
			listener();
		} catch (error) {
			// The log of the extension host, which is where extension authors look.
			// oxlint-disable-next-line no-console
			console.error('A listener of the MCP Workbench API threw:', error);
		}
	};
}

/** Copies data that will be sent, so that later changes by the caller have no effect. */
export function toData(value: object, name: string): Record<string, unknown> {
	try {
		return plainObject(value);
	} catch (error) {
		throw new TypeError(`"${name}" must be plain data.`, { cause: error });
	}
}

function check(isFine: boolean, name: string, expected: string): void {
	if (!isFine) {
		throw new TypeError(`"${name}" must be ${expected}.`);
	}
}

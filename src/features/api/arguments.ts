/** What callers pass, checked: each function throws a TypeError that names the argument and what it must be. */
import { isObject } from '../../mcp/index.js';
import { plainObject } from '../../core/text/plainData.js';

export function assertText(value: unknown, name: string): asserts value is string {
	check(typeof value === 'string', name, 'a string');
}

export function assertListener(value: unknown): asserts value is () => void {
	check(typeof value === 'function', 'listener', 'a function');
}

export function assertObject(value: unknown, name: string): asserts value is Record<string, unknown> {
	check(isObject(value), name, 'an object');
}

/** The listener of a caller: what it throws is told to those who write extensions, and stops nothing. */
export function guardedListener(listener: unknown): () => void {
	assertListener(listener);
	return () => {
		try {
			listener();
		} catch (error) {
			// The log of the extension host, where whoever wrote the listener looks.
			// oxlint-disable-next-line no-console
			console.error('A listener of the MCP Workbench API threw:', error);
		}
	};
}

/** An object of strings, as the arguments of a prompt are. @returns a copy that the caller cannot change any more */
export function toTexts<T extends object>(value: T, name: string): T {
	assertObject(value, name);
	const copy = toData(value, name);
	check(
		Object.values(copy).every(it => typeof it === 'string'),
		name,
		'an object of strings',
	);
	return copy as T;
}

/** Data that can be sent. @returns a copy that the caller cannot change any more */
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

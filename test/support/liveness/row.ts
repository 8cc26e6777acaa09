// How a row of the liveness suite is written: one public asynchronous operation, and when it has settled at the latest.
import type { World } from './world.js';

/** What goes on beside an operation, or happens in the middle of it. */
export const conditions = {
	question: 'while an unrelated question is open',
	hung: 'while the server does not answer',
	gone: 'when the server ends',
	stopped: 'when the server is stopped',
	cancelled: 'when the caller cancels it',
	disposed: 'when the window closes',
} as const;

export type Condition = keyof typeof conditions;

/** Milliseconds after which it has settled, 0 for at once; or one word that says why there is no such case. */
export type Cell = number | string;

export interface Row {
	/** The state of the server in which the operation begins. */
	readonly from: 'stopped' | 'running';
	/** Begins the operation. */
	readonly run: (world: World) => unknown;
	readonly cells: Readonly<Record<Condition, Cell>>;
	/** It may reject although everything answers. */
	readonly mayFail?: boolean;
}

/** Names of the public methods of a class that give a promise, or may give one. */
export type AsyncKeys<T> = {
	[K in keyof T]-?: T[K] extends (...args: never[]) => infer R
		? [Extract<R, PromiseLike<unknown>>] extends [never]
			? never
			: K
		: never;
}[keyof T] &
	string;

/** A row for each of them: one that is missing does not compile, nor does one of a method that is gone. */
export type Table<T> = Readonly<Record<AsyncKeys<T>, Row>>;

/** Of a request that goes without an answer, as the person has set it. */
export const requestMs = 60_000;
/** Of a start: a process that is silent is asked in the new era first, then in the old one. */
export const handshakeMs = 5000 + requestMs;

type Changes = Partial<Row['cells']>;

/** An operation that waits for an answer of the running server. */
export function asking(run: Row['run'], changes: Changes = {}): Row {
	return {
		from: 'running',
		run,
		cells: { question: 0, hung: requestMs, gone: 0, stopped: 0, cancelled: 0, disposed: 0, ...changes },
	};
}

/** An operation that starts the server. One that ends at the first message of the new era is started once more. */
export function starting(run: Row['run'], changes: Changes = {}): Row {
	return {
		from: 'stopped',
		run,
		cells: {
			question: 0,
			hung: handshakeMs,
			gone: handshakeMs,
			stopped: 0,
			cancelled: 0,
			disposed: 0,
			...changes,
		},
	};
}

/** An operation that waits for no answer of the server. */
export function local(run: Row['run'], changes: Changes = {}): Row {
	return {
		from: 'running',
		run,
		cells: { question: 0, hung: 0, gone: 0, stopped: 0, cancelled: 0, disposed: 0, ...changes },
	};
}

/** An operation that waits for the person, who takes as long as they want. */
export function personal(run: Row['run'], changes: Changes = {}): Row {
	const person = 'person';
	return {
		from: 'running',
		run,
		cells: { question: person, hung: person, gone: 0, stopped: 0, cancelled: 0, disposed: 0, ...changes },
	};
}

/** A server's definition with all variables replaced, and the request and errors of resolving it. */
import type { Disposable } from '../../base/lifecycle.js';
import type { ValuePlace } from '../config/inputs.js';
import type { DebugDefinition } from '../config/serverDefinition.js';
import type { Program } from './launchSnapshot.js';

/** A process ready to be started. */
export interface ResolvedProcess {
	readonly kind: 'stdio';
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** The executable file of `command`, which the person has seen. */
	readonly program: Program;
	/** The debugger in the definition. */
	readonly debug?: DebugDefinition;
	/** Set if the process runs under the debugger. */
	readonly debugging?: ServerDebugger;
	/** A line for the server's log that says why the process doesn't run under its debugger. */
	readonly notDebugged?: string;
}

/** A debugger for the processes of one server, one after the other. */
export interface ServerDebugger {
	readonly port: number;
	/** Attaches the debugger to the process that is being started. Disposing the result detaches it. */
	attach(): Disposable;
}

/** A URL ready to be connected to. */
export interface ResolvedEndpoint {
	readonly kind: 'http' | 'sse';
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
}

export interface ResolvedServer {
	readonly launch: ResolvedProcess | ResolvedEndpoint;
	/** Values that must not appear in any log, tree or message. */
	readonly secrets: readonly string[];
}

/** The conditions for resolving a definition. */
export interface ResolveRequest {
	/** Withdraws open questions when it aborts. */
	readonly signal: AbortSignal;
	/** Whether the person may be asked for inputs; false for automatic restarts. */
	readonly mayAsk: boolean;
	/** Whether the person has just started the server. */
	readonly isByPerson?: boolean;
	/** Called before a question. */
	readonly onAsk: (what: 'consent' | 'input') => void;
}

/** An input has no value, because the person didn't enter one or can't be asked now. */
export class InputNeededError extends Error {
	override readonly name = 'InputNeededError';

	constructor(readonly input: string) {
		super(`Needs a value for the input "${input}".`);
	}
}

/** A URL or a header uses an environment variable that isn't set, so the request would lack a part. */
export class UnsetVariableError extends Error {
	override readonly name = 'UnsetVariableError';

	constructor(
		readonly variable: string,
		readonly places: readonly ValuePlace[],
	) {
		super(`The environment variable ${variable} isn't set.`);
	}
}

/** The command of an input failed, or didn't return a text. */
export class InputCommandError extends Error {
	override readonly name = 'InputCommandError';

	constructor(
		readonly input: string,
		readonly command: string,
		/** The error of the command; `undefined` if it returned another value than a text. */
		readonly why: string | undefined,
	) {
		super(`The command ${command} of the input "${input}" ${why === undefined ? 'gave no text' : `failed: ${why}`}`);
	}
}

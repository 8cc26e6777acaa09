/** A server's definition with every `${…}` filled in, and how it gets there. */

import type { Disposable } from '../../base/lifecycle.js';
import type { DebugDefinition } from '../config/devMode.js';
import type { Program } from './launchSnapshot.js';

/** A process ready to be started. */
export interface ResolvedProcess {
	readonly kind: 'stdio';
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** The file that is run for `command`, as it was shown. */
	readonly program: Program;
	/** The file that is run for the debugger's own program. */
	readonly debugProgram?: Program | undefined;
	/** The debugger that its definition asks for. */
	readonly debug?: DebugDefinition;
	/** It is run under that debugger. */
	readonly debugging?: Debugging;
	/** Why it is not, in a line for its log. */
	readonly notDebugged?: string;
}

/** A debugger that waits for one process after another. */
export interface Debugging {
	readonly port: number;
	/** Puts it on the process that is started now; disposing the result takes it off. */
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
	/** Values that no log, tree or message may show. */
	readonly secrets: readonly string[];
}

/** How a definition is to be resolved. */
export interface ResolveRequest {
	/** Takes back questions that are open. */
	readonly signal: AbortSignal;
	/** Whether a person is there to be asked: not when a server that ended is started again. */
	readonly mayAsk: boolean;
	/** The person has started the server just now; left out where they have not. */
	readonly isByPerson?: boolean;
	/** Called before the first question. */
	readonly onAsk: () => void;
}

/** A value is needed that nobody has given: the person did not want to, or may not be asked now. */
export class InputNeededError extends Error {
	override readonly name = 'InputNeededError';

	constructor(readonly input: string) {
		super(`Needs a value for the input "${input}".`);
	}
}

/** The command of an input failed, or gave no text. */
export class InputCommandError extends Error {
	override readonly name = 'InputCommandError';

	constructor(
		readonly input: string,
		readonly command: string,
		/** `undefined` if it gave something else than a text. */
		readonly why: string | undefined,
	) {
		super(`The command ${command} of the input "${input}" ${why === undefined ? 'gave no text' : `failed: ${why}`}`);
	}
}

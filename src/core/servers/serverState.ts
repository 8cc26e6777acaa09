/**
 * The states of a server, as data. `server.ts` makes every transition:
 *
 *   untrusted    -- trust is granted --------------> stopped
 *   stopped      -- start -------------------------> starting
 *   starting     -- a person is asked -------------> waiting, and starting again once they have answered
 *                -- no answer, or no sign-in ------> waiting
 *                -- a session is agreed on --------> running
 *                -- fails -------------------------> failed; a restart: reconnecting, unless it can't help
 *   waiting      -- start -------------------------> starting
 *   running      -- ends unexpectedly -------------> reconnecting, or failed if a restart can't help
 *                -- no answer after a wake-up -----> reconnecting, and running again once it answers
 *   reconnecting -- delay has passed, or start ----> starting
 *   failed       -- start, or the network changed -> starting
 *   any of these -- stop --------------------------> stopping, and stopped once nothing of the run is left
 */
import { McpError, type McpFailure, RpcError, type Session, type SignInNeed } from '../../mcp/index.js';
import { toMessage } from '../../base/errors.js';
import { EnvFileError, type EnvFileProblem } from '../config/envFile.js';
import { ConsentNeededError } from '../launch/consent.js';
import { InputCommandError, InputNeededError } from '../launch/resolvedServer.js';
import { NotOnDiskError, UnresolvedVariableError } from '../config/variables.js';

/** Why a server is not running although it should be. */
export type ServerFailure =
	| { readonly kind: 'protocol'; readonly failure: McpFailure }
	/** It answered the handshake with an error; `message` is its own text. */
	| { readonly kind: 'refused'; readonly code: number; readonly message: string }
	| { readonly kind: 'exited'; readonly exitCode: number | undefined; readonly signal: string | undefined }
	| { readonly kind: 'variable'; readonly variable: string }
	/** It needs the path of a folder that only the editor can read. */
	| { readonly kind: 'notOnDisk'; readonly folder: string }
	| { readonly kind: 'envFile'; readonly path: string; readonly problem: EnvFileProblem }
	/** The command that should give an input's value failed, or (`why` is `undefined`) gave no text. */
	| {
			readonly kind: 'inputCommand';
			readonly input: string;
			readonly command: string;
			readonly why: string | undefined;
	  }
	| { readonly kind: 'other'; readonly message: string };

export type ServerState =
	| { readonly kind: 'stopped' }
	/** The workspace is not trusted: nothing of it is started. */
	| { readonly kind: 'untrusted' }
	/** A person must give something, or sign in, first: it is asked for, or was not given. */
	| { readonly kind: 'waiting'; readonly what: 'input' | 'consent' | 'signIn' }
	| { readonly kind: 'starting' }
	/**
	 * `since`: milliseconds since 1970. A session that is renewed is still the same run. `signIn`: a person is needed: the
	 * sign-in has ended, and the next call will ask them, or a call waits for them.
	 */
	| {
			readonly kind: 'running';
			readonly session: Session;
			readonly since: number;
			readonly signIn?: SignInNeed | undefined;
	  }
	| { readonly kind: 'stopping' }
	/**
	 * It ended by itself and is started again at `retryAt`, milliseconds since 1970. Or it has not answered since then,
	 * when the machine woke up, and is asked again and again.
	 */
	| ({
			readonly kind: 'reconnecting';
			readonly failure: ServerFailure;
			readonly retryAt: number;
	  } & LastWords)
	| ({
			readonly kind: 'failed';
			readonly failure: ServerFailure;
			/** How often it ended within a short time, where that is why it was given up. */
			readonly times?: number | undefined;
			/** It was given up for having been away so long; tried again when the network may be another. */
			readonly isAway?: boolean | undefined;
	  } & LastWords);

/** Something of a server was wanted, and it did not start. */
export class NotRunningError extends Error {
	override readonly name = 'NotRunningError';

	constructor(readonly state: ServerState) {
		super(`It is not running: ${state.kind}`);
	}
}

/** What a server said beside messages, as far as it helps to see why it failed. */
export interface LastWords {
	/** The last lines of it. */
	readonly stderr: readonly string[];
	/** The first lines on stdout that were no messages, where there were any. */
	readonly noise?: readonly string[];
}

export function canStart(state: ServerState): boolean {
	switch (state.kind) {
		case 'stopped':
		case 'waiting':
		case 'failed':
		case 'reconnecting':
			return true;
		default:
			return false;
	}
}

/** Whether to offer starting the server as a step to its tools or prompts. One that failed must be fixed first. */
export function isStartOffered(state: ServerState): boolean {
	return canStart(state) && state.kind !== 'failed';
}

export function canStop(state: ServerState): boolean {
	return state.kind === 'running' || state.kind === 'starting' || state.kind === 'reconnecting';
}

/** Whether it runs, and something of it waits until a person has signed in again, or allowed more. */
export function isSignedOut(state: ServerState): boolean {
	return state.kind === 'running' && state.signIn !== undefined;
}

/** Nothing failed: the server wants to know who we are. */
export function isSignInNeeded(error: unknown): boolean {
	return (
		error instanceof McpError && error.failure.code === 'authorization' && error.failure.failure.code === 'signInNeeded'
	);
}

/** What a person must give before the server can start; `undefined` if the start failed for another reason. */
export function missingFor(error: unknown): 'signIn' | 'input' | 'consent' | undefined {
	if (error instanceof InputNeededError) {
		return 'input';
	}
	if (error instanceof ConsentNeededError) {
		return 'consent';
	}
	return isSignInNeeded(error) ? 'signIn' : undefined;
}

/** Sorts what was thrown while starting into the failures a person can be told about. */
export function toFailure(error: unknown): ServerFailure {
	if (error instanceof McpError) {
		return { kind: 'protocol', failure: error.failure };
	}
	if (error instanceof RpcError) {
		return { kind: 'refused', code: error.code, message: error.message };
	}
	if (error instanceof UnresolvedVariableError) {
		return { kind: 'variable', variable: error.variable };
	}
	if (error instanceof NotOnDiskError) {
		return { kind: 'notOnDisk', folder: error.folder };
	}
	if (error instanceof EnvFileError) {
		return { kind: 'envFile', path: error.path, problem: error.problem };
	}
	if (error instanceof InputCommandError) {
		return { kind: 'inputCommand', input: error.input, command: error.command, why: error.why };
	}
	return { kind: 'other', message: toMessage(error) };
}

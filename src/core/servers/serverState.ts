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
 *   reconnecting -- delay has passed, or start ----> starting
 *   failed       -- start -------------------------> starting
 *   any of these -- stop --------------------------> stopping, and stopped once nothing of the run is left
 */
import { McpError, type McpFailure, RpcError, type Session, type SignInNeed } from '../../mcp/index.js';
import { toMessage } from '../../base/errors.js';
import { EnvFileError, type EnvFileProblem } from '../config/envFile.js';
import type { ValuePlace } from '../config/inputs.js';
import { ConsentNeededError } from '../launch/consentFacts.js';
import { InputCommandError, InputNeededError, UnsetVariableError } from '../launch/resolvedServer.js';
import { NotOnDiskError, UnresolvedVariableError } from '../config/variables.js';

/** Why a server is not running although it should be. */
export type ServerFailure =
	| { readonly kind: 'protocol'; readonly failure: McpFailure }
	/** The server answered the handshake with an error; `message` is its own text. */
	| { readonly kind: 'refused'; readonly code: number; readonly message: string }
	| { readonly kind: 'exited'; readonly exitCode: number | undefined; readonly signal: string | undefined }
	| { readonly kind: 'variable'; readonly variable: string }
	/** An environment variable that a URL or headers need isn't set. */
	| { readonly kind: 'unset'; readonly variable: string; readonly places: readonly ValuePlace[] }
	/** The definition needs the path of a folder that only the editor can read. */
	| { readonly kind: 'notOnDisk'; readonly folder: string }
	| { readonly kind: 'envFile'; readonly path: string; readonly problem: EnvFileProblem }
	/** The command for the value of an input failed, or (if `why` is `undefined`) returned no text. */
	| {
			readonly kind: 'inputCommand';
			readonly input: string;
			readonly command: string;
			readonly why: string | undefined;
	  }
	| { readonly kind: 'other'; readonly message: string };

export type ServerState =
	/** `hasChanged`: it was stopped because its definition changed. */
	| { readonly kind: 'stopped'; readonly hasChanged?: true }
	/** The workspace isn't trusted, so that no server can start. */
	| { readonly kind: 'untrusted' }
	/** The person must answer first, or has left the question without an answer. */
	| { readonly kind: 'waiting'; readonly what: 'input' | 'consent' | 'signIn' }
	| { readonly kind: 'starting' }
	/**
	 * `since`: the start of the run, which a renewed session continues; milliseconds since 1970. `signIn`: the person must sign
	 * in, because the sign-in has expired or a call waits for one.
	 */
	| {
			readonly kind: 'running';
			readonly session: Session;
			readonly since: number;
			readonly signIn?: SignInNeed | undefined;
	  }
	| { readonly kind: 'stopping' }
	/**
	 * The server ended unexpectedly, and is restarted at `retryAt`. Or it hasn't answered since the machine woke up at
	 * `retryAt`, and is asked repeatedly. Milliseconds since 1970.
	 */
	| ({
			readonly kind: 'reconnecting';
			readonly failure: ServerFailure;
			readonly retryAt: number;
	  } & FinalOutput)
	| ({
			readonly kind: 'failed';
			readonly failure: ServerFailure;
			/** How often the server ended within a short time, if it was given up for that reason. */
			readonly times?: number | undefined;
	  } & FinalOutput);

/** A server is needed, and does not run or start. */
export class NotRunningError extends Error {
	override readonly name = 'NotRunningError';

	constructor(readonly state: ServerState) {
		super(`It is not running: ${state.kind}`);
	}
}

/** A request has no answer because the server's process ended. The message is English, for models. */
export class ServerEndedError extends Error {
	override readonly name = 'ServerEndedError';

	/**
	 * @param failure the end of the process
	 * @param stderr its last lines, without secrets
	 * @param logLine the line of the server's log about the end
	 */
	constructor(
		readonly failure: ServerFailure & { readonly kind: 'exited' },
		readonly stderr: readonly string[],
		readonly logLine: string,
	) {
		super(`The server's process ended before it answered: ${failure.signal ?? `exit code ${failure.exitCode}`}`);
	}
}

/** Something that a server sent although the protocol doesn't allow it; `text` is redacted and shortened. */
export interface ServerWarning {
	/**
	 * `noise`: a line on stdout that isn't a message. `unknownId`: an answer to a request that was never sent; `text` is the
	 * id. `unknownContent`: content of types that the protocol doesn't define; `text` has the types. `unknownMember`: members
	 * of the result that the protocol doesn't define; `text` has their names. `noContent`: a result without content.
	 */
	readonly kind: 'noise' | 'unknownId' | 'unknownContent' | 'unknownMember' | 'noContent';
	readonly text: string;
	/** How many lines or answers there were, for `noise` and `unknownId`. `text` is the first of them. */
	readonly count?: number;
}

/** Output of a server other than messages, for a report of its failure. */
export interface FinalOutput {
	/** The last lines of stderr. */
	readonly stderr: readonly string[];
	/** The first lines on stdout that were no messages, if there were any. */
	readonly noise?: readonly string[];
}

export function canStart({ kind }: ServerState): boolean {
	return kind === 'stopped' || kind === 'waiting' || kind === 'failed' || kind === 'reconnecting';
}

/** Whether lists of tools or prompts offer to start the server. A failed server must be fixed first. */
export function isStartOffered(state: ServerState): boolean {
	return canStart(state) && state.kind !== 'failed';
}

export function canStop(state: ServerState): boolean {
	return state.kind === 'running' || state.kind === 'starting' || state.kind === 'reconnecting';
}

/** Whether the server runs, and the person must sign in again. */
export function isSignedOut(state: ServerState): boolean {
	return state.kind === 'running' && state.signIn !== undefined;
}

/** Whether a request failed because the person must sign in. */
export function isSignInNeeded(error: unknown): boolean {
	return (
		error instanceof McpError && error.failure.code === 'authorization' && error.failure.failure.code === 'signInNeeded'
	);
}

/** The missing part that only the person can provide; `undefined` if the start failed for another reason. */
export function missingFor(error: unknown): 'signIn' | 'input' | 'consent' | undefined {
	if (error instanceof InputNeededError) {
		return 'input';
	}
	if (error instanceof ConsentNeededError) {
		return 'consent';
	}
	return isSignInNeeded(error) ? 'signIn' : undefined;
}

/** The failure for an error that was thrown during a start. */
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
	if (error instanceof UnsetVariableError) {
		return { kind: 'unset', variable: error.variable, places: error.places };
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

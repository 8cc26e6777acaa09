/** What must be settled before a server can be started: that the person wants it, then what it is started with. */
import { raceAbort, throwIfAborted } from '../../base/async.js';
import type { Era, EraMemory } from '../../mcp/index.js';
import type { ResolvedServer, ResolveRequest } from '../launch/resolvedServer.js';
import type { ServerDefinition } from '../config/serverDefinition.js';
import type { ServerDeps, ServerLog } from './serverPorts.js';

/** What is waited for. */
export type Wait = 'consent' | 'input';

export interface LaunchRequest {
	readonly signal: AbortSignal;
	/** A person is there to be asked. */
	readonly mayAsk: boolean;
	/** They have started the server just now. */
	readonly isByPerson: boolean | undefined;
	readonly log: ServerLog;
	/** Told when a person is asked, and when nothing is waited for any more. */
	readonly onWait: (wait: Wait | undefined) => void;
}

/** @throws ConsentNeededError, InputNeededError; AbortError once the signal aborts */
export async function prepareLaunch(
	definition: ServerDefinition,
	{ consent, resolve }: Pick<ServerDeps, 'consent' | 'resolve'>,
	{ signal, mayAsk, isByPerson, log, onWait }: LaunchRequest,
): Promise<ResolvedServer['launch']> {
	let isWaiting = false;
	const request = (wait: Wait): ResolveRequest => ({
		signal,
		mayAsk,
		...(isByPerson !== undefined && { isByPerson }),
		onAsk: () => {
			isWaiting = true;
			onWait(wait);
		},
	});
	const goOn = (): void => {
		throwIfAborted(signal);
		if (isWaiting) {
			isWaiting = false;
			onWait(undefined);
		}
	};
	// Files may be on a disk that doesn't answer: a stop doesn't wait for them.
	// What was allowed is what is run, whatever its file and its settings say by then.
	const snapshot = await raceAbort(consent(definition, request('consent')), signal);
	goOn();
	const { launch, secrets } = await raceAbort(resolve(definition, request('input'), snapshot), signal);
	goOn();
	log.redactor.hide(secrets);
	return launch;
}

/** What a start teaches about a server: the next one need not kill it again to find out. */
export function eraMemory(): EraMemory {
	let known: Era | undefined;
	return {
		get: () => known,
		set: era => {
			known = era;
		},
	};
}

/** PURE: what all servers together amount to, for the places that show it at a glance, and what can be done with each. */
import { assertNever } from '../../base/errors.js';
import { isSignedOut, type ServerState } from '../../core/servers/serverState.js';

/** It goes no further before a person does something. */
export function needsPerson(state: ServerState): boolean {
	const { kind } = state;
	return kind === 'untrusted' || kind === 'waiting' || kind === 'failed' || isSignedOut(state);
}

/** What the person is to do is a request in the list of what waits, and counted there. */
function isPending(state: ServerState): boolean {
	return (state.kind === 'waiting' && state.what !== 'input') || isSignedOut(state);
}

/** Not as it should be: it waits for a person, or is trying by itself to come back. */
export function isInTrouble(state: ServerState): boolean {
	return needsPerson(state) || state.kind === 'reconnecting';
}

/** Requests that wait for the person are not counted here. */
export interface ServerOverview {
	readonly running: number;
	readonly needPerson: number;
	readonly inTrouble: number;
}

export function overviewOf(states: readonly ServerState[]): ServerOverview {
	const count = (accept: (state: ServerState) => boolean): number => states.filter(accept).length;
	return {
		running: count(it => it.kind === 'running'),
		needPerson: count(it => needsPerson(it) && !isPending(it)),
		inTrouble: count(it => isInTrouble(it) && !isPending(it)),
	};
}

/** What waits for a person first, then what is trying by itself, then the rest as configured. */
export function byUrgency<T extends { readonly state: ServerState }>(servers: readonly T[]): T[] {
	const rank = ({ state }: T): number => (needsPerson(state) ? 0 : isInTrouble(state) ? 1 : 2);
	return servers.toSorted((a, b) => rank(a) - rank(b));
}

export type ServerAction =
	| 'trust'
	| 'explain'
	| 'signIn'
	| 'start'
	| 'stop'
	| 'restart'
	| 'refresh'
	| 'showLog'
	| 'configure';

/** What a person can do with a server in this state, the likeliest first. */
export function actionsFor(state: ServerState): readonly ServerAction[] {
	const { kind } = state;
	switch (kind) {
		case 'stopped':
			return ['start', 'showLog', 'configure'];
		case 'untrusted':
			return ['trust', 'configure'];
		case 'waiting':
			return [state.what === 'signIn' ? 'signIn' : 'start', 'showLog', 'configure'];
		case 'starting':
			return ['stop', 'showLog', 'configure'];
		case 'running':
			return [
				...(isSignedOut(state) ? (['signIn'] as const) : []),
				'stop',
				'restart',
				'refresh',
				'showLog',
				'configure',
			];
		case 'stopping':
			return ['showLog', 'configure'];
		case 'reconnecting':
			return ['start', 'stop', 'showLog', 'configure'];
		case 'failed':
			return ['explain', 'start', 'showLog', 'configure'];
		default:
			return assertNever(kind);
	}
}

/** Decides whether the person must sign in at a running server, and how they may be asked. */
import type { AuthState, Client, SignInNeed } from '../../mcp/index.js';
import type { Interactivity } from './accounts.js';
import type { StartTrigger } from './serverRun.js';
import type { ServerState } from './serverState.js';

/** How the person may be asked to sign in now. Background traffic, such as a ping, never asks. */
export function interactivityOf(
	{ mayAsk, isByPerson }: StartTrigger,
	state: ServerState,
	client: Pick<Client, 'isInUse'> | undefined,
): Interactivity {
	if (state.kind === 'starting') {
		return isByPerson ? 'onStart' : mayAsk ? 'onUse' : 'none';
	}
	return client?.isInUse ? 'onUse' : 'none';
}

/**
 * The need for a new sign-in after an account has changed its state; it doesn't depend on waiting calls.
 * @param before the need before the change
 */
export function expiryAfter(before: SignInNeed | undefined, state: AuthState): SignInNeed | undefined {
	switch (state.kind) {
		case 'needed':
			// A step-up request doesn't invalidate the existing token.
			return state.need.why === 'expired' ? state.need : before;
		case 'working':
		case 'failed':
			return before;
		default:
			return undefined;
	}
}

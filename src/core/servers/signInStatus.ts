/** Tracks whether the person must sign in at a running server, and how they may be asked. */
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { AuthState, Client, SignInNeed } from '../../mcp/index.js';
import type { Accounts, Interactivity } from './accounts.js';
import type { ServerDefinition } from '../config/serverDefinition.js';
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
function expiryAfter(before: SignInNeed | undefined, state: AuthState): SignInNeed | undefined {
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

export class SignInStatus extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private expired: SignInNeed | undefined;
	private current: SignInNeed | undefined;

	/** @param definition returns the current definition of the server */
	constructor(accounts: Pick<Accounts, 'of' | 'onDidChange'>, definition: () => ServerDefinition) {
		super();
		this.own(
			accounts.onDidChange(id => {
				const state = id === definition().id ? accounts.of(definition())?.state : undefined;
				if (!state) {
					return;
				}
				this.expired = expiryAfter(this.expired, state);
				const need = (state.kind === 'working' && state.need) || this.expired;
				if (need !== this.current) {
					this.current = need;
					this._onDidChange.fire();
				}
			}),
		);
	}

	/** Why the person must sign in; `undefined` if no sign-in has expired and no call waits for one. */
	get need(): SignInNeed | undefined {
		return this.current;
	}
}

/** Whether a running server needs a person to sign in, and how far a person may be asked to. */
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { AuthState, Client, SignInNeed } from '../../mcp/index.js';
import type { Accounts, Interactivity } from './accounts.js';
import type { ServerDefinition } from '../config/serverDefinition.js';
import type { StartTrigger } from './serverRun.js';
import type { ServerState } from './serverState.js';

/** How a person may be asked to sign in now. No one is asked because of background traffic, such as a ping. */
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
 * Why a person must sign in again once an account has come to a state, whether or not a call waits for them.
 * @param before why they had to until then
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

	/** @param definition gives the server as it is defined now */
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

	/** Why a person must sign in; undefined while no sign-in has expired and no call waits for one. */
	get need(): SignInNeed | undefined {
		return this.current;
	}
}

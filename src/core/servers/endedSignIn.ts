/** Whether a server that runs needs a person: its sign-in has ended, or a call waits for them. */
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { AuthState, SignInNeed } from '../../mcp/index.js';
import type { Accounts } from './accounts.js';
import type { ServerDefinition } from '../config/serverDefinition.js';

/**
 * PURE: why a person must sign in again, whether or not anything waits for it, after an account has come to a state.
 * @param before why they must until then
 */
export function endedSignIn(before: SignInNeed | undefined, state: AuthState): SignInNeed | undefined {
	switch (state.kind) {
		case 'needed':
			// Who wants more than was granted still gives what that was enough for.
			return state.need.why === 'expired' ? state.need : before;
		case 'working':
		case 'failed':
			return before;
		default:
			return undefined;
	}
}

export class EndedSignIn extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private ended: SignInNeed | undefined;
	private current: SignInNeed | undefined;

	/** @param whose as it is defined now */
	constructor(accounts: Pick<Accounts, 'of' | 'onDidChange'>, whose: () => ServerDefinition) {
		super();
		this.own(
			accounts.onDidChange(id => {
				const state = id === whose().id ? accounts.of(whose())?.state : undefined;
				if (!state) {
					return;
				}
				this.ended = endedSignIn(this.ended, state);
				const need = (state.kind === 'working' && state.need) || this.ended;
				if (need !== this.current) {
					this.current = need;
					this._onDidChange.fire();
				}
			}),
		);
	}

	/** Undefined as long as nothing has ended, and nothing waits. */
	get need(): SignInNeed | undefined {
		return this.current;
	}
}

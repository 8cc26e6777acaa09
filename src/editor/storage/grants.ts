/** Stores grants: those of the session in memory, lasting ones in the state of the workspace. */
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { type EditorState, type StateKey, StateList } from './editorState.js';

interface AnyGrant {
	readonly id: string;
	/** Until the window closes, or until it is revoked. */
	readonly lasts: 'session' | 'workspace';
	readonly decision?: 'allow' | 'deny';
}

/** Limit of lasting grants. Beyond it, the oldest grant that isn't a denial is dropped. */
const maxKept = 1000;

export class WorkspaceGrants<G extends AnyGrant> extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private ofSession: readonly G[] = [];
	private kept: readonly G[];
	private readonly onDisk: StateList<G>;

	constructor(state: EditorState, key: StateKey) {
		super();
		this.onDisk = new StateList(state, key);
		this.kept = this.onDisk.entries;
		this.own(
			state.onDidClear(key, () => {
				this.kept = [];
				this.ofSession = [];
				this._onDidChange.fire();
			}),
		);
	}

	/** Lasting grants before those of the session, each oldest first. */
	list(): readonly G[] {
		return [...this.kept, ...this.ofSession];
	}

	async add(grant: G): Promise<void> {
		if (grant.lasts === 'session') {
			this.ofSession = [...this.ofSession, grant];
			this._onDidChange.fire();
			return;
		}
		const all = [...this.kept, grant];
		const oldest = all.length > maxKept ? all.find(it => it.decision !== 'deny') : undefined;
		await this.keep(all.filter(it => it !== oldest));
	}

	/** Removes a grant. It no longer counts, even if the state can't be written. */
	async revoke(revoked: string): Promise<void> {
		const isLeft = ({ id }: G): boolean => id !== revoked;
		this.ofSession = this.ofSession.filter(isLeft);
		await this.keep(this.kept.filter(isLeft));
	}

	private async keep(grants: readonly G[]): Promise<void> {
		// Takes effect before the write, and also if that fails.
		this.kept = grants;
		this._onDidChange.fire();
		await this.onDisk.keep(grants);
	}
}

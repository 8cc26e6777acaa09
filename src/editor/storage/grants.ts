/** Stores grants: those of the session in memory, lasting ones in the state of the workspace. */
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { Grant } from '../../core/approvals/approval.js';
import { type EditorState, type StateKey, StateList } from './editorState.js';

interface AnyGrant {
	readonly id: string;
	/** Until the window closes, or until it is revoked. */
	readonly lasts: 'session' | 'workspace';
}

/** How one kind of grant is stored. */
interface GrantKind<G extends AnyGrant> {
	readonly key: StateKey;
	/** Whether a grant may be dropped when there are too many. */
	readonly isForgettable: (grant: G) => boolean;
}

/** Number of lasting grants. */
const maxKept = 1000;

/** Answers about calls. Denials are never dropped. */
export const callGrants: GrantKind<Grant> = {
	key: 'grants',
	isForgettable: it => it.decision === 'allow',
};

export class WorkspaceGrants<G extends AnyGrant> extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private ofSession: readonly G[] = [];
	private kept: readonly G[];
	private readonly onDisk: StateList<G>;

	constructor(
		state: EditorState,
		private readonly kind: GrantKind<G>,
	) {
		super();
		this.onDisk = new StateList(state, kind.key);
		this.kept = this.onDisk.entries;
		this.own(
			state.onDidClear(kind.key, () => {
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
		const oldest = all.length > maxKept ? all.find(it => this.kind.isForgettable(it)) : undefined;
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

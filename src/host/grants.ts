/** Answers for later requests: until the window closes in memory, the others in the state of the workspace. */
import { Emitter, type Event, Owner } from '../base/lifecycle.js';
import type { Grant } from '../model/approval.js';
import { isCallGrant } from '../model/callGrants.js';
import type { KeptKey } from './keptKeys.js';
import type { KeptList, KeptState } from './keptState.js';

interface AnyGrant {
	readonly id: string;
	/** Until the window closes, or until it is taken back. */
	readonly lasts: 'session' | 'workspace';
}

/** What is kept under a key of the state, and how. */
interface GrantKind<G extends AnyGrant> {
	readonly key: KeptKey;
	/** What another version has written may be anything. */
	readonly isGrant: (value: unknown) => value is G;
	/** What may be forgotten to make room. */
	readonly isForgettable: (grant: G) => boolean;
}

/** Of those that last. */
const maxKept = 1000;

/** Answers about calls. What somebody has denied is never forgotten for room. */
export const callGrants: GrantKind<Grant> = {
	key: 'grants',
	isGrant: isCallGrant,
	isForgettable: it => it.decision === 'allow',
};

export class WorkspaceGrants<G extends AnyGrant> extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private ofSession: readonly G[] = [];
	private kept: readonly G[];
	private readonly onDisk: KeptList<G>;

	constructor(
		state: KeptState,
		private readonly kind: GrantKind<G>,
	) {
		super();
		this.onDisk = state.list(kind.key, kind.isGrant);
		this.kept = this.onDisk.entries;
		this.own(
			state.onDidClear(kind.key, () => {
				this.kept = [];
				this.ofSession = [];
				this._onDidChange.fire();
			}),
		);
	}

	/** The oldest first, those that last before those of the session. */
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

	/** From now on they count for nothing. */
	async revoke(ids: readonly string[]): Promise<void> {
		const isLeft = ({ id }: G): boolean => !ids.includes(id);
		this.ofSession = this.ofSession.filter(isLeft);
		await this.keep(this.kept.filter(isLeft));
	}

	private async keep(grants: readonly G[]): Promise<void> {
		// In effect at once, whether or not the disk takes it.
		this.kept = grants;
		this._onDidChange.fire();
		await this.onDisk.keep(grants);
	}
}

/** Answers for later calls: until the window closes in memory, the others in the state of the workspace. */
import type { Memento } from 'vscode';
import { Emitter, type Event, Owner } from '../base/lifecycle.js';
import { isObject } from '../mcp/index.js';
import type { Grant } from '../model/approval.js';
import type { GrantStore } from '../model/approver.js';

const key = 'grants';

/** Of those that last; the oldest `allow` goes first. What somebody has denied is never forgotten for room. */
const maxKept = 1000;

export class WorkspaceGrants extends Owner implements GrantStore {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private ofSession: readonly Grant[] = [];
	private kept: readonly Grant[];

	constructor(private readonly state: Memento) {
		super();
		const stored = state.get<unknown>(key);
		this.kept = Array.isArray(stored) ? stored.filter(isGrant) : [];
	}

	/** The oldest first, those that last before those of the session. */
	list(): readonly Grant[] {
		return [...this.kept, ...this.ofSession];
	}

	async add(grant: Omit<Grant, 'id'>): Promise<void> {
		const added = { ...grant, id: crypto.randomUUID() };
		if (grant.lasts === 'session') {
			this.ofSession = [...this.ofSession, added];
			this._onDidChange.fire();
			return;
		}
		const all = [...this.kept, added];
		const oldest = all.length > maxKept ? all.find(it => it.decision === 'allow') : undefined;
		await this.keep(all.filter(it => it !== oldest));
	}

	/** From now on they count for nothing. */
	async revoke(ids: readonly string[]): Promise<void> {
		const isLeft = ({ id }: Grant): boolean => !ids.includes(id);
		this.ofSession = this.ofSession.filter(isLeft);
		await this.keep(this.kept.filter(isLeft));
	}

	private async keep(grants: readonly Grant[]): Promise<void> {
		// In effect at once, whether or not the disk takes it.
		this.kept = grants;
		this._onDidChange.fire();
		await this.state.update(key, grants);
	}
}

function isGrant(value: unknown): value is Grant {
	return (
		isObject(value) &&
		typeof value['id'] === 'string' &&
		(value['decision'] === 'allow' || value['decision'] === 'deny') &&
		typeof value['serverId'] === 'string' &&
		(value['tools'] === undefined || isObject(value['tools'])) &&
		(value['argumentsKey'] === undefined || typeof value['argumentsKey'] === 'string') &&
		value['lasts'] === 'workspace' &&
		typeof value['time'] === 'number'
	);
}

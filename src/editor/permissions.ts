/** The permissions that features keep. Manage Approvals lists them in groups, and revokes those that the person selects. */
import type * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../base/lifecycle.js';

/** The line of a permission. Its texts are cleaned for a quick pick. */
export interface KeptPermission extends vscode.QuickPickItem {
	revoke(): Promise<void>;
}

export interface PermissionGroup {
	readonly title: string;
	/** Newest first. */
	list(): readonly KeptPermission[];
}

export class Permissions {
	private readonly registered = new Set<PermissionGroup>();

	register(group: PermissionGroup): Disposable {
		this.registered.add(group);
		return toDisposable(() => this.registered.delete(group));
	}

	/** In the order in which they were registered. */
	get groups(): readonly PermissionGroup[] {
		return [...this.registered];
	}
}

/**
 * Reads policies. The file is read for every call, because a watcher reports changes too late. A policy that can't be
 * read or has a mistake is `broken`: it allows nothing.
 */
import type * as vscode from 'vscode';
import type { PolicyState } from '../../core/approvals/approval.js';
import type { PolicyReader } from '../../core/approvals/approver.js';
import { WindowClosingError } from '../../core/servers/closing.js';
import { parsePolicy } from '../../core/approvals/policyFile.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { userPolicy } from '../../editor/workspace/config.js';
import { Settings } from '../../editor/contributions.js';
import { ownPolicyFile, policyFileOf, readGuardFile, type Storage } from '../../editor/storage/guardFiles.js';
import { jsonText } from '../../editor/ui/plainText.js';

export class Policies implements PolicyReader {
	/** The last text by file or setting. The same text returns the same `Policy` object, which caches its matches. */
	private readonly read = new Map<string, { readonly text: string; readonly state: PolicyState }>();

	constructor(private readonly storage: Storage) {}

	/** The policy file that decides about the servers of a source. */
	fileOf({ source }: Pick<ServerDefinition, 'source'>): vscode.Uri {
		return policyFileOf(source, this.storage);
	}

	/** The file for the servers in the person's settings. */
	ownFile(): vscode.Uri {
		return ownPolicyFile(this.storage);
	}

	/** The policy that decides about a server. @throws WindowClosingError */
	async ofDefinition(definition: ServerDefinition): Promise<PolicyState> {
		const uri = this.fileOf(definition);
		try {
			return this.stateOf(uri.toString(), await readGuardFile(uri));
		} catch (error) {
			if (error instanceof WindowClosingError) {
				throw error;
			}
			return { kind: 'broken' };
		}
	}

	/** The policy of the person's own settings; settings of a workspace don't count. */
	ofUser(): PolicyState {
		const value = userPolicy();
		return this.stateOf(Settings.policy, value === undefined ? '' : jsonText(value));
	}

	private stateOf(place: string, text: string): PolicyState {
		const known = this.read.get(place);
		if (known?.text === text) {
			return known.state;
		}
		const { policy } = parsePolicy(text);
		const state: PolicyState = policy ? { kind: 'read', policy } : { kind: 'broken' };
		this.read.set(place, { text, state });
		return state;
	}
}

/**
 * Reads policies. The file is read for every call, because a watcher reports changes too late. A policy that can't be
 * read or has a mistake is `broken`: it allows nothing.
 */
import type * as vscode from 'vscode';
import type { PolicyState } from '../../core/approvals/approval.js';
import type { PolicyReader } from '../../core/approvals/approver.js';
import { WindowClosingError } from '../../core/servers/closing.js';
import { type ParsedPolicy, parsePolicy } from '../../core/approvals/policyFile.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { userPolicy } from '../workspace/config.js';
import { Settings } from '../contributions.js';
import { guardFileOf, ownGuardFile, readGuardFile, type Storage } from './guardFiles.js';
import { jsonText } from '../ui/plainText.js';

export class Policies implements PolicyReader {
	/** The last text by URI. The same text returns the same `Policy` object, which caches its matches. */
	private readonly read = new Map<string, { readonly text: string; readonly state: PolicyState }>();

	constructor(private readonly storage: Storage) {}

	fileOf({ source }: Pick<ServerDefinition, 'source'>): vscode.Uri {
		return guardFileOf(source, 'mcp-policy.json', this.storage);
	}

	/** The file for the servers in the person's settings. */
	ownFile(): vscode.Uri {
		return ownGuardFile('mcp-policy.json', this.storage);
	}

	/** @throws WindowClosingError */
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
		const state = toState(parsePolicy(text));
		this.read.set(place, { text, state });
		return state;
	}
}

function toState({ policy }: ParsedPolicy): PolicyState {
	return policy ? { kind: 'read', policy } : { kind: 'broken' };
}

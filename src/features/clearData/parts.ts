/** The parts of what is kept: what each is called, how much there is of it, and how it is removed. */
import * as vscode from 'vscode';
import { throwFirst } from '../../base/errors.js';
import type { AuthStore } from '../../editor/storage/authStore.js';
import type { Storage } from '../../editor/storage/guardFiles.js';
import type { InputStore } from '../../editor/storage/inputStore.js';
import { type DataPart, filesOf, keysOf } from '../../editor/storage/keptKeys.js';
import type { KeptState } from '../../editor/storage/keptState.js';
import { isNotFound } from '../../editor/documents/unlinkedFiles.js';
import type { Accounts } from '../../core/servers/accounts.js';
import type { AuditLog } from '../../core/history/auditLog.js';
import type { History } from '../../core/history/history.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';

export interface DataDeps {
	readonly registry: Pick<ServerRegistry, 'servers'>;
	readonly accounts: Pick<Accounts, 'of'>;
	/** Of the workspace, and of all windows. */
	readonly states: readonly KeptState[];
	readonly history: Pick<History, 'clear'>;
	readonly audit: Pick<AuditLog, 'clear'>;
	readonly inputs: Pick<InputStore, 'clear' | 'count'>;
	readonly auth: Pick<AuthStore, 'clear' | 'count'>;
	readonly storage: Storage;
}

export function describePart(part: DataPart): { readonly label: string; readonly detail: string } {
	const { t } = vscode.l10n;
	switch (part) {
		case 'approvals':
			return {
				label: t('Saved Approvals'),
				detail: t('Tool calls in this workspace that you always allow or deny. You will be asked again.'),
			};
		case 'pins':
			return {
				label: t('Tool Definitions'),
				detail: t('Tool definitions that changes are compared with, except those in the workspace.'),
			};
		case 'sampling':
			return {
				label: t('Sampling Permissions'),
				detail: t('Which servers of this workspace can ask models without a review, and the models you selected.'),
			};
		case 'consents':
			return {
				label: t('Server Consents'),
				detail: t('Servers that you allowed to start in this workspace. Each is shown again before its next start.'),
			};
		case 'history':
			return {
				label: t('History'),
				detail: t('Tool calls of this workspace with their arguments and results, and tasks that are still running.'),
			};
		case 'audit':
			return { label: t('Audit Log'), detail: t('Decisions about tool calls in this workspace.') };
		case 'arguments':
			return {
				label: t('Last Arguments'),
				detail: t('The arguments that each tool of this workspace was last run with.'),
			};
		case 'choices':
			return {
				label: t('Choices'),
				detail: t('What to do with the results of prompts, and the bookmarks and sort order of earlier versions.'),
			};
		case 'inputs':
			return {
				label: t('Input Values and Secrets'),
				detail: t('Values of inputs, including passwords, for this workspace and for your own servers.'),
			};
		case 'signIns':
			return {
				label: t('Sign-Ins'),
				detail: t('Tokens, registrations, and client secrets for all servers. Sign out first to revoke tokens.'),
			};
		case 'files':
			return {
				label: t('Cached Files'),
				detail: t('Server icons, and copies of resources that were opened in other programs.'),
			};
		case 'rules':
			return {
				label: t('Policy of Your Own Servers'),
				detail: t('The rules that you wrote for servers in your settings. Deny rules are removed too.'),
			};
	}
}

/** How many entries a part has; `undefined` where counting them takes long. */
export async function countPart(part: DataPart, { auth, inputs, states }: DataDeps): Promise<number | undefined> {
	switch (part) {
		case 'inputs':
			return inputs.count();
		case 'signIns':
			return auth.count();
		case 'history':
			// Its calls are in files.
			return undefined;
		default: {
			const counts = keysOf(part).flatMap(key => states.map(it => it.count(key)));
			return counts.length > 0 ? counts.reduce((sum, it) => sum + it, 0) : undefined;
		}
	}
}

/** @throws what the first step that fails fails with, when all others are done */
export async function clearPart(part: DataPart, deps: DataDeps): Promise<void> {
	switch (part) {
		case 'inputs':
			return deps.inputs.clear();
		case 'signIns':
			return clearSignIns(deps);
		case 'history':
			return all(deps.history.clear(), clearKeys(part, deps));
		case 'audit':
			return deps.audit.clear();
		default:
			return all(clearKeys(part, deps), clearFiles(part, deps));
	}
}

/** Sessions that were opened with a token are closed first: the server would still know the person. */
async function clearSignIns({ registry, accounts, auth }: DataDeps): Promise<void> {
	const signedIn = registry.servers.filter(it => accounts.of(it.definition)?.state.kind === 'signedIn');
	const stopped = await Promise.allSettled(signedIn.map(it => it.stop()));
	const urls = registry.servers.flatMap(({ definition }) => {
		const { launch } = definition;
		const configured = launch.kind !== 'stdio' && URL.canParse(launch.url) ? new URL(launch.url).href : undefined;
		return accounts.of(definition)?.url ?? configured ?? [];
	});
	await auth.clear(urls);
	throwFirst(stopped);
}

function clearKeys(part: DataPart, { states }: DataDeps): Promise<void> {
	return all(...keysOf(part).flatMap(key => states.map(it => it.clear(key))));
}

function clearFiles(part: DataPart, { storage }: DataDeps): Promise<void> {
	const folders = [storage.globalStorageUri, ...(storage.storageUri ? [storage.storageUri] : [])];
	const files = filesOf(part).flatMap(name => folders.map(it => vscode.Uri.joinPath(it, name)));
	return all(...files.map(remove));
}

async function remove(uri: vscode.Uri): Promise<void> {
	try {
		await vscode.workspace.fs.delete(uri, { recursive: true, useTrash: false });
	} catch (error) {
		if (!isNotFound(error)) {
			throw error;
		}
	}
}

async function all(...steps: readonly Promise<void>[]): Promise<void> {
	throwFirst(await Promise.allSettled(steps));
}

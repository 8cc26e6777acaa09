/** The parts of the stored data: their names, how many entries they have, and how they are removed. */
import * as vscode from 'vscode';
import { throwFirst } from '../../base/errors.js';
import type { AuthStore } from '../../editor/storage/authStore.js';
import type { Storage } from '../../editor/storage/guardFiles.js';
import type { InputStore } from '../../editor/storage/inputStore.js';
import { type DataPart, filesOf, keysOf } from '../../editor/storage/stateKeys.js';
import type { VersionedState } from '../../editor/storage/versionedState.js';
import { isNotFound } from '../../editor/documents/unlinkedFiles.js';
import type { Accounts } from '../../core/servers/accounts.js';
import type { History } from '../../core/history/history.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';

export interface DataDeps {
	readonly registry: Pick<ServerRegistry, 'servers'>;
	readonly accounts: Pick<Accounts, 'of'>;
	/** The state of the workspace. */
	readonly state: VersionedState;
	/** The state that all workspaces share. */
	readonly ofAllWindows: VersionedState;
	readonly history: Pick<History, 'clear'>;
	readonly inputStore: Pick<InputStore, 'clear' | 'count'>;
	readonly authStore: Pick<AuthStore, 'clear' | 'count'>;
	readonly context: Storage;
}

export function describeDataPart(part: DataPart): { readonly label: string; readonly detail: string } {
	const { t } = vscode.l10n;
	const texts: Readonly<Record<DataPart, readonly [label: string, detail: string]>> = {
		approvals: [
			t('Saved approvals'),
			t("Tool calls in this workspace that you always allow or deny. You'll be asked again."),
		],
		locks: [
			t('Tool definitions'),
			t('Stored tool definitions that are used to detect changes, except those in workspace files.'),
		],
		sampling: [
			t('Sampling permissions'),
			t('Servers of this workspace that can ask models without a review, and the models that you selected.'),
		],
		consents: [
			t('Server consents'),
			t('Servers that you allowed to start in this workspace. Each is shown again before its next start.'),
		],
		history: [
			t('History'),
			t('Tool calls of this workspace with their arguments and results, and tasks that are still running.'),
		],
		arguments: [t('Last arguments'), t('The arguments of the last run of each tool in this workspace.')],
		choices: [
			t('Choices of earlier versions'),
			t('Uses of prompt results, bookmarks, and sort order, as stored by earlier versions.'),
		],
		inputs: [
			t('Input values and secrets'),
			t('Values of inputs, including passwords, for this workspace and for your own servers.'),
		],
		signIns: [
			t('Sign-ins'),
			t('Tokens, registrations, and client secrets for all servers. Sign out first to revoke tokens.'),
		],
		files: [t('Cached files'), t('Copies of resources that were opened in other programs.')],
		rules: [
			t('Policy for your own servers'),
			t('Your rules for the servers in your settings. Deny rules are removed, too.'),
		],
	};
	const [label, detail] = texts[part];
	return { label, detail };
}

/** How many entries a part has; `undefined` where counting them takes long. */
export async function countPart(part: DataPart, deps: DataDeps): Promise<number | undefined> {
	switch (part) {
		case 'inputs':
			return deps.inputStore.count();
		case 'signIns':
			return deps.authStore.count();
		case 'history':
			// Its entries are in files.
			return undefined;
		default: {
			const counts = keysOf(part).flatMap(key => statesOf(deps).map(it => it.count(key)));
			return counts.length > 0 ? counts.reduce((sum, it) => sum + it, 0) : undefined;
		}
	}
}

/** Removes a part. If a step fails, the others are still done. @throws the error of the first step that failed */
export async function clearPart(part: DataPart, deps: DataDeps): Promise<void> {
	switch (part) {
		case 'inputs':
			return deps.inputStore.clear();
		case 'signIns':
			return clearSignIns(deps);
		case 'history':
			return all(deps.history.clear(), clearKeys(part, deps), clearFiles(part, deps));
		default:
			return all(clearKeys(part, deps), clearFiles(part, deps));
	}
}

/** Stops signed-in servers first, because a session that was opened with a token stays signed in. */
async function clearSignIns({ registry, accounts, authStore }: DataDeps): Promise<void> {
	const signedIn = registry.servers.filter(it => accounts.of(it.definition)?.state.kind === 'signedIn');
	const stopped = await Promise.allSettled(signedIn.map(it => it.stop()));
	const urls = registry.servers.flatMap(({ definition }) => {
		const { launch } = definition;
		const configured = launch.kind !== 'stdio' && URL.canParse(launch.url) ? new URL(launch.url).href : undefined;
		return accounts.of(definition)?.url ?? configured ?? [];
	});
	await authStore.clear(urls);
	throwFirst(stopped);
}

function clearKeys(part: DataPart, deps: DataDeps): Promise<void> {
	return all(...keysOf(part).flatMap(key => statesOf(deps).map(it => it.clear(key))));
}

function statesOf({ state, ofAllWindows }: DataDeps): readonly VersionedState[] {
	return [state, ofAllWindows];
}

function clearFiles(part: DataPart, { context }: DataDeps): Promise<void> {
	const { globalStorageUri, storageUri } = context;
	const folders = storageUri ? [globalStorageUri, storageUri] : [globalStorageUri];
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

/** Waits for all steps. @throws the error of the first one that failed */
async function all(...steps: readonly Promise<void>[]): Promise<void> {
	throwFirst(await Promise.allSettled(steps));
}

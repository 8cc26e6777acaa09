/** The command Clear All Data…: removes the data of this workspace and of all workspaces, after one confirmation. */
import * as vscode from 'vscode';
import { throwFirst } from '../../base/errors.js';
import type { Disposable } from '../../base/lifecycle.js';
import type { History } from '../../core/history/history.js';
import type { MessageRing } from '../../core/messages/messageRing.js';
import type { Accounts } from '../../core/servers/accounts.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { isNotFound } from '../../editor/documents/repositoryFiles.js';
import type { AuthStore } from '../../editor/storage/authStore.js';
import type { Storage } from '../../editor/storage/guardFiles.js';
import type { InputStore } from '../../editor/storage/inputStore.js';
import { clearedFiles, type EditorState } from '../../editor/storage/editorState.js';
import { confirmAction } from '../../editor/ui/quickInput.js';

export interface ClearDataDeps {
	readonly registry: Pick<ServerRegistry, 'servers'>;
	readonly accounts: Pick<Accounts, 'of'>;
	/** The state of the workspace. */
	readonly state: EditorState;
	/** The state that all workspaces share. */
	readonly userState: EditorState;
	readonly history: Pick<History, 'clear'>;
	readonly messages: Pick<MessageRing, 'clear'>;
	readonly inputStore: Pick<InputStore, 'clear'>;
	readonly authStore: Pick<AuthStore, 'clear'>;
	readonly context: Storage;
}

export function registerClearData(deps: ClearDataDeps): Disposable {
	// Arguments are ignored: a person confirms, even if another extension runs the command.
	return registerCommand(Commands.clearData, async () => {
		const { t } = vscode.l10n;
		const detail = [
			t(
				'In this workspace: approvals, server consents, sampling permissions, history, last arguments, input values, tool definitions, and copies of resources.',
			),
			t(
				'In all workspaces: sign-ins, the demo server, and consents, input values, and tool definitions of your own servers.',
			),
			t('Data of other workspaces, settings, policies, and files remain. Sign out first to revoke tokens.'),
			t("You can't undo this."),
		].join('\n\n');
		if (await confirmAction(t('Remove the data of MCP Workbench?'), t('Clear Data'), detail)) {
			await clearData(deps);
			void vscode.window.showInformationMessage(t('The data of MCP Workbench was removed.'));
		}
	});
}

/** If a step fails, the others are still done. @throws the error of the first step that failed */
async function clearData(deps: ClearDataDeps): Promise<void> {
	const { registry, accounts, state, userState, history, inputStore, authStore, context } = deps;
	deps.messages.clear();
	// A session that was opened with a token stays signed in.
	const signedIn = registry.servers.filter(it => accounts.of(it.definition)?.state.kind === 'signedIn');
	const stopped = await Promise.allSettled(signedIn.map(it => it.stop()));
	// Before the state, which has the names of its secrets.
	const signedOut = await Promise.allSettled([authStore.clear()]);
	const others = await Promise.allSettled([
		state.clearAll(),
		userState.clearAll(),
		history.clear(),
		inputStore.clear(),
		...[context.globalStorageUri, context.storageUri].flatMap(folder =>
			folder ? clearedFiles.map(it => remove(vscode.Uri.joinPath(folder, it))) : [],
		),
	]);
	throwFirst([...stopped, ...signedOut, ...others]);
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

/** The commands for approvals, policies, and kept tool definitions. */
import * as vscode from 'vscode';
import { describeChange } from '../../editor/l10n/approvalWords.js';
import { chooseServer, confirmedByPerson } from '../../editor/ui/chooseServer.js';
import { describeNumber } from '../../editor/l10n/messages.js';
import type { CommandHandlers } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import type { Permissions } from '../../editor/permissions.js';
import { lockFileOf } from '../../editor/storage/guardFiles.js';
import { toolName } from '../../editor/ui/shownNames.js';
import { LeafNode } from '../../editor/tree/treeNodes.js';
import type { Tool } from '../../mcp/index.js';
import { findLockProblem } from '../../core/approvals/toolLock.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { Approval } from './approval.js';
import { showChange } from './definitionText.js';
import { manageApprovals } from './manage.js';
import { choosePolicy, openPolicyFile } from './rules.js';

export interface ApprovalCommandsDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly permissions: Permissions;
	readonly approval: Approval;
}

export function approvalCommands(deps: ApprovalCommandsDeps): CommandHandlers {
	const { registry, approval, permissions } = deps;
	return {
		[Commands.reviewTool]: async argument => {
			if (argument instanceof LeafNode) {
				// Only the tree items of tools have this command in their menu.
				await review(deps, argument);
			}
		},
		[Commands.manageApprovals]: () => manageApprovals(permissions),
		[Commands.openPolicy]: async argument => {
			const file = await choosePolicy(registry, approval.policies, argument);
			await (file && openPolicyFile(file));
		},
		[Commands.lockTools]: argument => updateLockFile(deps, argument),
		[Commands.acceptTools]: argument => acceptAll(deps, argument),
	};
}

async function acceptAll({ registry, approval }: ApprovalCommandsDeps, argument: unknown): Promise<void> {
	const { t } = vscode.l10n;
	const title = t('Accept All Tool Changes');
	const choice = { title, isConfirmation: true };
	const server = await chooseServer(registry, argument, it => it.kind === 'running', choice);
	const question = (label: string): string => t('Accept all changed tool definitions of {0}?', label);
	if (server && (await confirmedByPerson(argument, question(registry.label(server)), title))) {
		await approval.updates.acceptAll(server);
	}
}

async function updateLockFile({ registry, approval }: ApprovalCommandsDeps, argument: unknown): Promise<void> {
	const { t } = vscode.l10n;
	const title = t('Update Lock File');
	const choice = { title, suits: hasLockFile, isConfirmation: true };
	const server = await chooseServer(registry, argument, it => it.kind === 'running', choice);
	if (!server) {
		return;
	}
	const label = registry.label(server);
	if (!hasLockFile(server)) {
		throw new Error(t('{0} has no lock file. Only servers of a workspace have one.', label));
	}
	const message = t('Write the current tool definitions of {0} to mcp-lock.json?', label);
	if (!(await confirmedByPerson(argument, message, title))) {
		return;
	}
	const { client, catalog, definition, name } = server;
	const list = await catalog?.currentTools();
	if (!client || list?.kind !== 'loaded') {
		throw new Error(t('Start {0} to lock its tools.', label));
	}
	const { instructions } = client.session;
	const tools = list.items.filter(tool => findLockProblem({ server: name, tool, instructions }) === undefined);
	const file = await approval.approved.updateLock(definition, tools, instructions);
	const left = list.items.length - tools.length;
	const locked = t('Locked {0} tools of {1}.', describeNumber(tools.length), label);
	const tooLarge = t('{0} tools are too large to be locked.', describeNumber(left));
	const open = t('Open');
	void vscode.window.showInformationMessage(left === 0 ? locked : `${locked} ${tooLarge}`, open).then(chosen => {
		return chosen === open && file ? vscode.window.showTextDocument(file) : undefined;
	});
}

function hasLockFile({ definition }: Server): boolean {
	return lockFileOf(definition) !== undefined;
}

/** Shows what has changed in a tool's definition, and offers to accept it. */
async function review(deps: ApprovalCommandsDeps, node: LeafNode): Promise<void> {
	const { t } = vscode.l10n;
	const { registry, approval, documents } = deps;
	const { server } = node;
	const tool = (node.entry as Tool).name;
	const shownTool = toolName(tool);
	const question = await approval.calls.evaluate({ caller: { kind: 'person' }, server, tool, arguments: {} });
	const { changes, lock } = question.comparison;
	if (question.input.lock !== 'changed') {
		void vscode.window.showInformationMessage(t("The definition of {0} hasn't changed.", shownTool));
		return;
	}
	const serverLabel = registry.labelOf(question.request.definition);
	await showChange(question, serverLabel, documents);
	const message = t('The definition of {0} on {1} has changed: {2}', shownTool, serverLabel, describeChange(changes));
	// A tool that differs from the lock file is asked about until the file is updated, so accepting it isn't enough.
	const button = lock === 'changed' ? t('Update Lock File') : t('Accept Change');
	if ((await vscode.window.showWarningMessage(message, button)) === undefined) {
		return;
	}
	if (lock === 'changed') {
		await updateLockFile(deps, node);
	} else {
		void vscode.window.showInformationMessage(t('The new definition of {0} is accepted.', shownTool));
	}
	// Accepts the definition that was shown, even if the tool has changed again since.
	await approval.approver.accept(question);
	server.log.info(`The changed definition of the tool ${JSON.stringify(tool)} was accepted.`);
}

/** The commands for approvals, policies and locked tools. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { describeChange } from '../../editor/l10n/approvalWords.js';
import { chooseServer, confirmedByPerson } from '../../editor/ui/chooseServer.js';
import type { CommandHandlers } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { LeafNode } from '../../editor/tree/treeNodes.js';
import type { Tool } from '../../mcp/index.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { Approval } from './approval.js';
import { auditRevoked, exportAuditLog } from './audit.js';
import { showChange } from './definitionText.js';
import { manageApprovals } from './manage.js';
import { lockTools } from './lockTools.js';
import { choosePolicy, openPolicyFile } from './rules.js';

export interface ApprovalCommandsDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly approval: Approval;
}

export function approvalCommands(deps: ApprovalCommandsDeps): CommandHandlers {
	const { registry, approval } = deps;
	return {
		[Commands.explainTool]: async argument => {
			if (argument instanceof LeafNode) {
				await approval.explainTool(argument.server, toolOf(argument).name);
			}
		},
		[Commands.reviewTool]: async argument => {
			if (argument instanceof LeafNode) {
				await review(deps, argument.server, toolOf(argument).name);
			}
		},
		[Commands.manageApprovals]: async () => {
			for (const grant of await manageApprovals(approval.grants, id => registry.labelOf({ id }))) {
				approval.audit.write(auditRevoked(grant));
			}
		},
		[Commands.openPolicy]: async argument => {
			const file = await choosePolicy(registry, approval.policies, argument);
			await (file && openPolicyFile(file));
		},
		[Commands.lockTools]: argument => lockToolsOf(deps, argument),
		[Commands.exportAudit]: () => exportAuditLog(approval.audit),
	};
}

async function lockToolsOf({ registry, approval }: ApprovalCommandsDeps, argument: unknown): Promise<void> {
	const { t } = vscode.l10n;
	const title = t('Lock Tool Definitions');
	const server = await chooseServer(registry, argument, it => it.kind === 'running', { title, isConfirmation: true });
	if (!server) {
		return;
	}
	const serverLabel = registry.label(server);
	const message = t(
		'Lock the current tool definitions of {0}? Pending changes are accepted without a review.',
		notificationText(serverLabel),
	);
	if (await confirmedByPerson(argument, message, t('Lock Tools'))) {
		await lockTools(server, serverLabel, approval.locks);
	}
}

/** Shows what has changed in a tool's definition, and offers to accept it. */
async function review(
	{ registry, approval, documents }: ApprovalCommandsDeps,
	server: Server,
	tool: string,
): Promise<void> {
	const { t } = vscode.l10n;
	const call = { caller: { kind: 'person' }, server, tool, arguments: {} } as const;
	const question = await approval.calls.evaluate(call);
	const { definition } = question.request;
	if (question.input.lock !== 'changed') {
		void vscode.window.showInformationMessage(t("The definition of {0} hasn't changed.", notificationText(tool)));
		return;
	}
	const serverLabel = registry.labelOf(definition);
	await showChange(question, serverLabel, documents);
	const accept = t('Accept Change');
	const change = describeChange(question.locked?.lockedOn, question.changes);
	const message = t(
		'The definition of {0} on {1} has changed: {2}',
		notificationText(tool),
		notificationText(serverLabel),
		change,
	);
	if ((await vscode.window.showWarningMessage(message, accept)) === accept) {
		// Accepts the definition that was shown, even if the tool has changed again since.
		await approval.approver.accept(question);
		const what = {
			time: new Date(clock.now()).toISOString(),
			what: 'accepted',
			server: definition.name,
			serverId: definition.id,
			tool,
		};
		approval.audit.write(what);
	}
}

function toolOf(node: LeafNode): Tool {
	// Only the tree items of tools have these commands in their menu.
	return node.entry as Tool;
}

/** What a person can do with approvals, policies and pinned tools. */
import * as vscode from 'vscode';
import { describeChange } from '../../editor/l10n/approvalWords.js';
import { chooseServer, confirmedByPerson } from '../../editor/ui/chooseServer.js';
import type { CommandHandler } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { LeafNode } from '../../editor/tree/treeNodes.js';
import type { Tool } from '../../mcp/index.js';
import type { Exchanges } from '../../core/calls/exchanges.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { Approval } from './approval.js';
import { auditRevoked, exportAuditLog } from './audit.js';
import { showChange } from './definitionText.js';
import { manageApprovals } from './manage.js';
import { pinTools } from './pinTools.js';
import { choosePolicy, openPolicyFile } from './rules.js';
import type { ApprovalCommand } from './register.js';

export interface ApprovalCommandsDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly approval: Approval;
	/** What the audit log records besides calls. */
	readonly exchanges: Exchanges;
}

export function approvalCommands(deps: ApprovalCommandsDeps): Record<ApprovalCommand, CommandHandler> {
	const { registry, approval } = deps;
	return {
		[Commands.explainTool]: async argument => {
			if (argument instanceof LeafNode) {
				const { name } = toolOf(argument);
				const caller = { kind: 'person' } as const;
				const question = await approval.calls.look({ caller, server: argument.server, tool: name, arguments: {} });
				await approval.explain(question, false);
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
		[Commands.pinTools]: argument => pin(deps, argument),
		[Commands.exportAudit]: () => exportAuditLog(approval.audit),
	};
}

async function pin({ registry, approval }: ApprovalCommandsDeps, argument: unknown): Promise<void> {
	const { t } = vscode.l10n;
	const title = t('Pin Tools to Workspace');
	const server = await chooseServer(registry, argument, it => it.kind === 'running', { title, isConfirmation: true });
	if (!server) {
		return;
	}
	const whose = registry.label(server);
	const message = t(
		'Pin the tools of {0} as they are now? Changes are accepted without a review.',
		notificationText(whose),
	);
	if (await confirmedByPerson(argument, message, t('Pin Tools'))) {
		await pinTools(server, whose, approval.locks);
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
	const question = await approval.calls.look(call);
	const { definition } = question.request;
	if (question.input.pin !== 'changed') {
		void vscode.window.showInformationMessage(t('The definition of {0} has not changed.', notificationText(tool)));
		return;
	}
	const whose = registry.labelOf(definition);
	await showChange(question, whose, documents);
	const accept = t('Accept Change');
	const change = describeChange(question.pinned?.pinned, question.changes);
	const message = t(
		'The definition of {0} on {1} has changed: {2}',
		notificationText(tool),
		notificationText(whose),
		change,
	);
	if ((await vscode.window.showWarningMessage(message, accept)) === accept) {
		// Accepts the definition that was shown, even if the tool has changed again since.
		await approval.approver.accept(question);
		const what = {
			time: new Date().toISOString(),
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

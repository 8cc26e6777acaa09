/** What of a decision goes into the audit log, and how the log leaves the editor. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { jsonText } from '../../host/plainText.js';
import type { ApprovalReason, Grant } from '../../model/approval.js';
import type { AuditLog } from '../../model/auditLog.js';
import type { DecidedCall } from '../../model/calls.js';
import { redactedArguments } from '../../model/keptArguments.js';
import type { EndedExchange } from '../../model/exchanges.js';

/** UTF-16 units of arguments that are written down whole. */
const maxArguments = 8000;

/** @param redact takes the secrets of every server out */
export function auditEntry(
	{ time, caller, server, tool, arguments: sent, inputSchema, approval }: DecidedCall,
	redact: <T>(value: T) => T,
): object {
	const { isAllowed, decision, answer, unanswered } = approval;
	const args = redactedArguments(inputSchema, sent);
	const json = jsonText(args);
	return redact({
		time: new Date(time).toISOString(),
		what: 'call',
		caller,
		server: server.name,
		serverId: server.definition.id,
		tool,
		arguments: json.length > maxArguments ? { cut: json.length, text: redact(json).slice(0, maxArguments) } : args,
		isAllowed,
		decision: decision.kind,
		reason: reasonOf(decision.reason),
		...(decision.asked && { asked: reasonOf(decision.asked) }),
		...(answer && {
			answer: { kind: answer.kind, lasts: answer.lasts, ...('about' in answer && { about: answer.about }) },
		}),
		...(unanswered && { unanswered: unanswered.by }),
	});
}

/** What was read, or what a server was told: that it happened and who decided, not what was in it. */
export function auditExchange(exchange: EndedExchange, redact: <T>(value: T) => T): object {
	const { kind, time, server, end } = exchange;
	return redact({
		time: new Date(time).toISOString(),
		what: kind,
		...('caller' in exchange && { caller: exchange.caller }),
		server: server.name,
		serverId: server.definition.id,
		...aboutExchange(exchange),
		end: end.kind,
	});
}

function aboutExchange(exchange: EndedExchange): object {
	const { kind, end } = exchange;
	switch (kind) {
		case 'resource':
			return { uri: exchange.uri, isAllowed: end.kind !== 'denied' };
		case 'prompt':
			return { prompt: exchange.prompt, isAllowed: end.kind !== 'denied' };
		case 'elicitation': {
			const { mode = 'form', url } = exchange.params;
			const action = end.kind === 'answered' && 'action' in end.result ? end.result.action : undefined;
			return { mode, ...(url !== undefined && { url }), ...(action !== undefined && { action }) };
		}
		case 'sampling':
			return { ...(exchange.model !== undefined && { model: exchange.model }), ...exchange.decision };
		default:
			return assertNever(exchange);
	}
}

/** An answer that does not count any more. What its arguments were is not for the log, only that it was about some. */
export function auditRevoked({ argumentsKey, ...grant }: Grant, redact: <T>(value: T) => T): object {
	const isAboutArguments = argumentsKey !== undefined;
	return redact({ time: new Date().toISOString(), what: 'revoked', grant: { ...grant, isAboutArguments } });
}

/** The arguments that an answer was about are those of some call before. */
function reasonOf(reason: ApprovalReason): object {
	return reason.kind === 'grant' ? { kind: 'grant', id: reason.grant.id, decision: reason.grant.decision } : reason;
}

/** Asks where to, and copies all of it there. */
export async function exportAuditLog(audit: AuditLog): Promise<void> {
	const { t } = vscode.l10n;
	const text = await audit.read();
	if (text === '') {
		void vscode.window.showInformationMessage(t('No decisions about calls in this workspace yet.'));
		return;
	}
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const target = await vscode.window.showSaveDialog({
		title: t('Export Audit Log'),
		filters: { JSONL: ['jsonl'] },
		...(folder && { defaultUri: vscode.Uri.joinPath(folder.uri, 'mcp-audit.jsonl') }),
	});
	if (target) {
		await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
		await vscode.window.showTextDocument(target);
	}
}

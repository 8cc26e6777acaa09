/**
 * The entries of the audit log, and its export to a file. Entries hold no results, and only arguments and addresses are
 * redacted: our own words, ids and names must stay readable even if a secret has the same text.
 */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { assertNever } from '../../base/errors.js';
import { jsonText } from '../../editor/ui/plainText.js';
import type { ApprovalReason, Grant } from '../../core/approvals/approval.js';
import type { AuditLog } from '../../core/history/auditLog.js';
import type { DecidedCall } from '../../core/calls/calls.js';
import { redactedArguments } from '../../core/text/argumentSecrets.js';
import type { EndedInteraction } from '../../core/calls/interactions.js';

/** Arguments whose JSON is longer (UTF-16 units) are written cut, as text. */
const maxArguments = 8000;

/** Removes the secrets of every server from data about one. */
type Redact = <T>(value: T, server: EndedInteraction['server']) => T;

/** The entry of a decided call. */
export function auditEntry(
	{ time, caller, server, tool, arguments: sent, inputSchema, approval }: DecidedCall,
	redact: Redact,
): object {
	const { isAllowed, decision, answer, unanswered } = approval;
	const args = redact(redactedArguments(inputSchema, sent), server);
	const json = jsonText(args);
	return {
		time: new Date(time).toISOString(),
		what: 'call',
		caller,
		...namesOf(server),
		tool,
		arguments: json.length > maxArguments ? { cut: json.length, text: json.slice(0, maxArguments) } : args,
		isAllowed,
		decision: decision.kind,
		reason: reasonEntry(decision.reason),
		...(decision.asked && { asked: reasonEntry(decision.asked) }),
		...(answer && {
			answer: { kind: answer.kind, lasts: answer.lasts, ...('about' in answer && { about: answer.about }) },
		}),
		...(unanswered && { unanswered: unanswered.by }),
	};
}

/** The entry of a read, or of a request of a server: that it happened and who decided, without the contents. */
export function auditExchange(exchange: EndedInteraction, redact: Redact): object {
	const { kind, time, server, end } = exchange;
	return {
		time: new Date(time).toISOString(),
		what: kind,
		...('caller' in exchange && { caller: exchange.caller }),
		...namesOf(server),
		...aboutExchange(exchange, it => redact(it, server)),
		end: end.kind,
	};
}

function namesOf({ definition }: EndedInteraction['server']): object {
	return { server: definition.name, serverId: definition.id };
}

function aboutExchange(exchange: EndedInteraction, redact: <T>(value: T) => T): object {
	const { kind, end } = exchange;
	switch (kind) {
		case 'resource':
			return { uri: redact(exchange.uri), isAllowed: end.kind !== 'denied' };
		case 'elicitation': {
			const { url } = exchange.params;
			const mode = exchange.params['mode'] === 'url' ? 'url' : 'form';
			const action = end.kind === 'answered' && 'action' in end.result ? end.result.action : undefined;
			return { mode, ...(url !== undefined && { url: redact(url) }), ...(action !== undefined && { action }) };
		}
		case 'sampling':
			return { ...(exchange.model !== undefined && { model: exchange.model }), ...exchange.decision };
		default:
			return assertNever(exchange);
	}
}

/** The entry of a revoked answer. Says whether the answer was about certain arguments, without the arguments. */
export function auditRevoked({ argumentsKey, ...grant }: Grant): object {
	const isAboutArguments = argumentsKey !== undefined;
	return { time: new Date(clock.now()).toISOString(), what: 'revoked', grant: { ...grant, isAboutArguments } };
}

/** A reason without the arguments of a grant, which are from an earlier call. */
function reasonEntry(reason: ApprovalReason): object {
	return reason.kind === 'grant' ? { kind: 'grant', id: reason.grant.id, decision: reason.grant.decision } : reason;
}

/** Asks for a file, and copies the whole log to it. */
export async function exportAuditLog(audit: AuditLog): Promise<void> {
	const { t } = vscode.l10n;
	const text = await audit.read();
	if (text === '') {
		void vscode.window.showInformationMessage(t('No calls have been decided in this workspace yet.'));
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

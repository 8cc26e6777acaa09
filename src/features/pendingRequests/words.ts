/** Texts of pending requests for lists and notifications. Text from servers comes last, and in quotation marks. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { describeNeed, describeScopes } from '../../editor/l10n/authWords.js';
import { describeSource } from '../../editor/l10n/configWords.js';
import { lastMessage } from '../../editor/documents/contentText.js';
import { describeNumber } from '../../editor/l10n/messages.js';
import { describeTime } from '../../editor/l10n/timeText.js';
import { jsonText, notificationText, oneLine, quickPickText } from '../../editor/ui/plainText.js';
import { shownHost, toolName } from '../../editor/ui/shownNames.js';
import type { JsonObject, SignInNeed } from '../../mcp/index.js';
import type { Caller } from '../../core/approvals/approval.js';
import type { CallRequest } from '../../core/approvals/approver.js';
import type { PendingRequest } from '../../core/requests/pendingRequests.js';
import type { ServerQuestion } from '../../core/requests/questions.js';

const { t } = vscode.l10n;

/** How a request looks in a list. The texts aren't cleaned for display yet. */
export interface RequestLook {
	readonly label: string;
	/** The kind of the request in words. */
	readonly description: string;
	readonly tooltip: string;
	readonly icon: string;
}

export function requestLook(request: PendingRequest): RequestLook {
	const { subject } = request;
	switch (subject.kind) {
		case 'approval': {
			const call = subject.question.request;
			const label = callText(call);
			return { label, description: t('Needs approval'), tooltip: tooltipOfCall(call), icon: 'tools' };
		}
		case 'elicitation':
		case 'sampling': {
			const { question } = subject;
			const label = oneLine(questionText(question), 80) || t('No message');
			return {
				label,
				description: describeKind(question),
				tooltip: tooltipOfQuestion(question),
				icon: iconOf(question),
			};
		}
		case 'consent':
			return {
				label: t('Start Server'),
				description: t('Needs consent'),
				tooltip: t('The server is new or has changed. Review it before it starts.'),
				icon: 'shield',
			};
		case 'signIn':
			return {
				label: t('Sign In'),
				description: t('Needs sign-in'),
				tooltip: subject.need
					? t('The server needs you to sign in: {0}.', describeNeed(subject.need))
					: t('The server needs you to sign in.'),
				icon: 'key',
			};
		default:
			return assertNever(subject);
	}
}

/**
 * The item of a request in a quick pick. Its first line has the server, the kind of request and its age, which tell requests
 * apart; the request's own text is on the second line, because it can be long, and the same for several servers.
 * @param serverLabel the server's label
 */
export function lineOf(request: PendingRequest, serverLabel: string): vscode.QuickPickItem {
	const { label, description, tooltip, icon } = requestLook(request);
	return {
		label: [serverLabel, quickPickText(description, 60), describeTime(request.since)].join(' · '),
		detail: quickPickText(request.subject.kind === 'approval' ? label : tooltip),
		iconPath: new vscode.ThemeIcon(icon),
	};
}

/** The notification of one request, with foreign text made for a notification. @param serverLabel the server's label */
export function messageFor(request: PendingRequest, serverLabel: string): string {
	const { subject } = request;
	switch (subject.kind) {
		case 'approval':
			return messageForCall(subject.question.request, serverLabel);
		case 'elicitation':
			return t('{0} asks you: "{1}"', serverLabel, notificationText(questionText(subject.question)));
		case 'sampling':
			return subject.question.stage === 'answered'
				? t("A model has answered the request from {0}. Review the answer before it's sent to the server.", serverLabel)
				: t('{0} wants to ask a model: "{1}"', serverLabel, notificationText(questionText(subject.question)));
		case 'consent': {
			const { question } = subject;
			const file = notificationText(describeSource(request.definition.source));
			return question.changes
				? t('{0} has changed in {1}. Review it before it starts.', serverLabel, file)
				: t('{0} is new in {1}. Review it before it starts.', serverLabel, file);
		}
		case 'signIn':
			return messageForSignIn(subject.need, serverLabel);
		default:
			return assertNever(subject);
	}
}

function messageForSignIn(need: SignInNeed | undefined, serverLabel: string): string {
	return need === undefined
		? t('{0} needs you to sign in.', serverLabel)
		: need.why === 'moreScopes'
			? t('{0} requests more permissions: {1}.', serverLabel, notificationText(describeScopes(need.scopes)))
			: t('{0} needs you to sign in: {1}.', serverLabel, notificationText(describeNeed(need)));
}

export function messageForMany(count: number): string {
	return t('{0} requests are waiting for you.', describeNumber(count));
}

export function messageForServer(count: number, serverLabel: string): string {
	return t('{0} requests from {1} are waiting for you.', describeNumber(count), serverLabel);
}

export function messageForEnd(subject: PendingRequest['subject'], serverLabel: string): string {
	return subject.kind === 'approval'
		? t(
				'The call of "{0}" on {1} has ended without your approval.',
				toolName(subject.question.request.tool.name),
				serverLabel,
			)
		: t('This request from {0} has ended.', serverLabel);
}

/** The button that opens the sheet. */
export function reviewLabel({ subject }: PendingRequest): string {
	return subject.kind === 'elicitation' ? t('Answer') : t('Review');
}

function messageForCall(call: CallRequest, serverLabel: string): string {
	const { caller, tool } = call;
	const name = toolName(tool.name);
	const args = notificationText(firstArguments(call.arguments));
	if (caller.kind === 'person') {
		return t('"{0}" on {1} is waiting for your approval.', name, serverLabel);
	}
	const who = callerName(caller);
	return args === ''
		? t('{0} wants to run {1} on {2}.', who, name, serverLabel)
		: t('{0} wants to run {1} on {2} ({3}).', who, name, serverLabel, args);
}

function tooltipOfCall(call: CallRequest): string {
	return call.caller.kind === 'person'
		? t("You started this call. It's waiting for your approval.")
		: t('{0} wants to run this tool.', callerName(call.caller));
}

/** The subject of a sentence, cleaned for a notification. */
function callerName(caller: Exclude<Caller, { kind: 'person' }>): string {
	switch (caller.kind) {
		case 'command':
			return t('An extension or keybinding');
		case 'extension':
			return t('An extension that calls itself "{0}"', notificationText(caller.id));
		case 'history':
			return t('A repeated call from the history');
		case 'model':
			return t('A model');
		default:
			return assertNever(caller);
	}
}

function callText({ tool, arguments: args }: CallRequest): string {
	const first = firstArguments(args);
	const name = toolName(tool.name);
	return first === '' ? name : t('{0} ({1})', name, first);
}

/** The first two arguments, each cut. */
function firstArguments(args: JsonObject): string {
	const entries = Object.entries(args);
	const shown = entries.slice(0, 2).map(([name, value]) => {
		const text = typeof value === 'string' ? value : jsonText(value);
		return t('{0}: {1}', oneLine(name, 30), oneLine(text, 60));
	});
	return [...shown, ...(entries.length > shown.length ? ['…'] : [])].join(', ');
}

/** The server's own text: its message, or the last message for the model. */
function questionText({ request }: ServerQuestion): string {
	return request.mode === 'model' ? lastMessage(request.request) : request.message;
}

function tooltipOfQuestion(question: ServerQuestion): string {
	const words = questionText(question);
	return question.request.mode === 'model'
		? t('The server wants a model to answer: "{0}"', words)
		: t('The server asks: "{0}"', words);
}

function describeKind({ request, stage }: ServerQuestion): string {
	switch (request.mode) {
		case 'form':
			return t('Needs an answer');
		case 'url':
			return stage === 'underway' ? t('Page is open') : t('Wants to open {0}', shownHost(request.url));
		case 'model':
			return {
				asked: t('Wants to ask a model'),
				underway: t('A model is answering'),
				answered: t('Answer needs review'),
			}[stage];
		default:
			return assertNever(request);
	}
}

function iconOf({ request: { mode }, stage }: ServerQuestion): string {
	const icons = { form: 'comment-unresolved', url: 'link-external', model: 'sparkle' };
	return mode === 'model' && stage === 'underway' ? 'sync~spin' : icons[mode];
}

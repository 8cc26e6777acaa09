/** What a question is called where it is told of, listed and waits: our words first, the server's after, quoted. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { lastMessage } from '../../host/contentText.js';
import { notificationText, oneLine } from '../../host/plainText.js';
import { describeNumber } from '../../host/messages.js';
import type { Question, QuestionStage } from '../../model/questions.js';

/** What the server says itself: its message, or the last thing that it wants a model to read. */
export function questionText({ request }: Question): string {
	switch (request.mode) {
		case 'form':
		case 'url':
			return request.message;
		case 'model':
			return lastMessage(request.request);
		default:
			return assertNever(request);
	}
}

/** @param whose made for a notification */
export function tellOf(question: Question, whose: string, others: number): string {
	const { t } = vscode.l10n;
	const words = notificationText(questionText(question));
	const more = describeNumber(others);
	if (question.stage === 'answered') {
		return t('A model has answered {0}; the answer waits for your review.', whose);
	}
	if (question.request.mode === 'model') {
		return others === 0
			? t('{0} wants to ask a model: "{1}"', whose, words)
			: t('{0} wants to ask a model: "{1}" ({2} more wait)', whose, words, more);
	}
	return others === 0
		? t('{0} asks you: "{1}"', whose, words)
		: t('{0} asks you: "{1}" ({2} more wait)', whose, words, more);
}

export function describeQuestion(question: Question): string {
	const { t } = vscode.l10n;
	const words = questionText(question);
	return question.request.mode === 'model'
		? t('The server wants a model to answer: "{0}"', words)
		: t('The server asks: "{0}"', words);
}

export function describeKind({ request, stage }: Question): string {
	const { t } = vscode.l10n;
	switch (request.mode) {
		case 'form':
			return t('asks for an answer');
		case 'url':
			return stage === 'underway' ? t('page is open') : t('asks to open {0}', oneLine(request.url.host, 80));
		case 'model':
			return describeStage(stage);
		default:
			return assertNever(request);
	}
}

export function iconOf({ request, stage }: Question): string {
	switch (request.mode) {
		case 'form':
			return 'comment-unresolved';
		case 'url':
			return 'link-external';
		case 'model':
			return stage === 'underway' ? 'sync~spin' : 'sparkle';
		default:
			return assertNever(request);
	}
}

function describeStage(stage: QuestionStage): string {
	const { t } = vscode.l10n;
	switch (stage) {
		case 'asked':
			return t('asks for a model');
		case 'underway':
			return t('a model is asked');
		case 'answered':
			return t('a model has answered');
		default:
			return assertNever(stage);
	}
}

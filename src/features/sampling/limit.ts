/** Lets the person change the token limit of an answer, which is the server's `maxTokens` at first. */
import * as vscode from 'vscode';
import { quickInputText } from '../../editor/ui/plainText.js';
import { askForText, back } from '../../editor/ui/quickInput.js';
import type { Draft } from './drafts.js';

/** Asks for the limit. `signal` closes the input. Typed text is kept. */
export async function chooseLimit(draft: Draft, whose: string, signal: AbortSignal): Promise<void> {
	const { t } = vscode.l10n;
	const given = await askForText({
		title: t('Token limit of answers for {0}', quickInputText(whose, 40)),
		prompt: t('The server asks for at most {0}', draft.request.maxTokens),
		value: draft.typedLimit ?? String(draft.request.maxTokens),
		canGoBack: true,
		signal,
		check: text => (/^[1-9]\d{0,8}$/.test(text.trim()) ? undefined : t('Enter a whole number, 1 or more')),
		onLeave: text => (draft.typedLimit = text),
	});
	if (given !== undefined && given !== back) {
		draft.typedLimit = undefined;
		draft.request = { ...draft.request, maxTokens: Number(given) };
	}
}

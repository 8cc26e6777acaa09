/** What authorization asks a person, one question at a time with everything else that asks. */
import * as vscode from 'vscode';
import { type Deferred, deferred, raceAbort, type Sequencer } from '../../base/async.js';
import { describeNeed, describeScopes } from '../../host/authWords.js';
import { notificationText, quickInputText } from '../../host/plainText.js';
import { askForText, back } from '../../host/quickInput.js';
import type { AuthPrompt } from '../../mcp/index.js';
import type { Presence } from '../../model/accounts.js';
import { askSignIn, askVisit } from './sheet.js';

/** Messages that wait for somebody to look: the editor puts them away, and whoever signs in by another way has looked. */
export class Notices {
	private readonly waiting = new Map<string, Deferred<void>>();

	/** @param id of the server's definition; @returns whether a call of it waits, which now asks */
	look(id: string): boolean {
		const notice = this.waiting.get(id);
		notice?.resolve();
		return notice !== undefined;
	}

	/** Shows one, until somebody looks, by its button or otherwise. @returns whether anybody did */
	async show(id: string, message: string, button: string, signal: AbortSignal): Promise<boolean> {
		const looked = deferred<void>();
		this.waiting.set(id, looked);
		try {
			const pressed = soon(vscode.window.showWarningMessage(message, button)).then(it => it === button);
			return await raceAbort(Promise.race([pressed, looked.promise.then(() => true)]), signal);
		} finally {
			this.waiting.delete(id);
		}
	}
}

export interface PromptDeps {
	/** Of the server's definition. */
	readonly id: string;
	readonly notices: Notices;
	/** Of the server, for people. */
	readonly name: string;
	readonly questions: Sequencer;
	readonly presence: () => Presence;
}

/** Milliseconds that a call waits for somebody to see that it cannot go on. */
const noticeMs = 5 * 60_000;

export function createPrompt({ id, notices, name, questions, presence }: PromptDeps): AuthPrompt {
	const { t } = vscode.l10n;
	return {
		mayInteract: async (need, signal, isWaiting) => {
			if (!isWaiting && presence() === 'inUse') {
				// Nobody has asked for a quick input just now: the person says when.
				const look = need.why === 'moreScopes' ? t('Review…') : t('Sign In…');
				const message = t(
					'{0} cannot go on: {1} ({2}).',
					notificationText(name),
					describeNeed(need),
					describeScopes(need.scopes),
				);
				if (!(await notices.show(id, message, look, signal))) {
					return false;
				}
			}
			return questions.run(() => (signal.aborted ? Promise.resolve(false) : askSignIn(name, need, signal)));
		},
		mayVisit: ({ url, server }, signal) => questions.run(() => askVisit(name, url, server, signal)),
		askClient: ({ issuer, redirectUri }, signal) =>
			questions.run(async () => (signal.aborted ? undefined : askClient(name, issuer, redirectUri))),
	};
}

/** A message that nobody answers is a no in the end. */
async function soon<T>(shown: Thenable<T>): Promise<T | undefined> {
	const late = deferred<undefined>();
	const timer = setTimeout(() => late.resolve(undefined), noticeMs);
	try {
		return await Promise.race([shown, late.promise]);
	} finally {
		clearTimeout(timer);
	}
}

/** @param redirectUri what a client must be registered with; undefined where that is not known yet */
export async function askClient(
	name: string,
	issuer: string | undefined,
	redirectUri: string | undefined,
	before = '',
): Promise<{ readonly clientId: string; readonly clientSecret?: string } | undefined> {
	const { t } = vscode.l10n;
	const title = t('Client of {0}', quickInputText(name, 60));
	const where = issuer === undefined ? '' : t('Registered at {0}.', quickInputText(issuer, 100));
	const how = redirectUri === undefined ? '' : t('With the redirect URI {0}.', quickInputText(redirectUri, 100));
	const prompt = [t('Client id, as the authorization server gave it.'), where, how].filter(Boolean).join(' ');
	const clientId = await askForText({
		title,
		prompt,
		value: before,
		check: it => (it.trim() === '' ? t('A client has an id') : undefined),
	});
	if (clientId === undefined || clientId === back) {
		return undefined;
	}
	const clientSecret = await vscode.window.showInputBox({
		title,
		prompt: t('Client secret, or private key (PKCS #8, PEM); leave it empty if the client has none. Kept as a secret.'),
		password: true,
		ignoreFocusOut: true,
	});
	if (clientSecret === undefined) {
		return undefined;
	}
	return clientSecret.trim() === ''
		? { clientId: clientId.trim() }
		: { clientId: clientId.trim(), clientSecret: clientSecret.trim() };
}

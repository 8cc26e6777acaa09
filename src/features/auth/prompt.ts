/** The questions of a sign-in to the person, as pending requests. */
import * as vscode from 'vscode';
import { deferred, onAbort } from '../../base/async.js';
import { reportErrors } from '../../editor/commands.js';
import { copyText } from '../../editor/documents/export.js';
import { quickInputText } from '../../editor/ui/plainText.js';
import { askForText, back } from '../../editor/ui/quickInput.js';
import type { AuthPrompt, SignInNeed } from '../../mcp/index.js';
import type { Interactivity } from '../../core/servers/accounts.js';
import type { PendingRequests, ReviewEnd } from '../../core/requests/pendingRequests.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { askSignIn, askVisit } from './sheet.js';
import type { SignInRequests } from './signInRequests.js';

export interface PromptDeps {
	readonly definition: ServerDefinition;
	readonly pending: PendingRequests;
	readonly requests: SignInRequests;
	readonly interactivity: () => Interactivity;
}

/** Makes the questions of one server's sign-ins. */
export function createPrompt({ definition, pending, requests, interactivity }: PromptDeps): AuthPrompt {
	const { name } = definition;
	/** Resolves with the person's decision, or with `declined` if the request is denied or the signal aborts. */
	const ask = async <T>(
		need: SignInNeed | undefined,
		isByPerson: boolean,
		signal: AbortSignal,
		declined: T,
		show: (closing: AbortSignal) => Promise<T | 'aside'>,
	): Promise<T> => {
		const answer = deferred<T>();
		const review = async (closing: AbortSignal): Promise<ReviewEnd> => {
			const end = await show(closing);
			if (end === 'aside') {
				return 'aside';
			}
			answer.resolve(end);
			return 'done';
		};
		const request = pending.add(
			{ definition, subject: () => ({ kind: 'signIn', need }), review, deny: () => answer.resolve(declined) },
			{ isByPerson },
		);
		const isOver = requests.didAsk(definition);
		const aborted = onAbort(signal, () => {
			pending.end(request, true);
			answer.resolve(declined);
		});
		try {
			return await answer.promise;
		} finally {
			aborted.dispose();
			pending.end(request);
			isOver();
		}
	};
	return {
		mayInteract: async (need, signal, isWaiting) => {
			const isByPerson = isWaiting || interactivity() === 'onStart';
			const isWanted = await ask(need, isByPerson, signal, false, closing => askSignIn(definition, need, closing));
			if (!isWanted && !signal.aborted) {
				requests.didDecline(definition);
			}
			return isWanted;
		},
		mayVisit: ({ url, server }, signal) =>
			ask(undefined, interactivity() === 'onStart', signal, false, closing => askVisit(name, url, server, closing)),
		// Leaving these input boxes ends the sign-in, because they can't be resumed like a sheet.
		askClient: ({ issuer, redirectUri }, signal) =>
			ask(undefined, true, signal, undefined, closing => askClient(name, issuer, redirectUri, '', closing)),
	};
}

/**
 * Asks for client ID and secret. `undefined` if the person leaves an input box.
 * @param issuer the authorization server, if known
 * @param redirectUri the URI that the client must be registered with, if known
 * @param before the client ID that is filled in
 */
export async function askClient(
	name: string,
	issuer: string | undefined,
	redirectUri: string | undefined,
	before = '',
	signal?: AbortSignal,
): Promise<{ readonly clientId: string; readonly clientSecret?: string } | undefined> {
	const { t } = vscode.l10n;
	const title = t('Client for {0}', quickInputText(name, 60));
	const where = issuer === undefined ? '' : t('Authorization server: {0}.', quickInputText(issuer, 100));
	const how = redirectUri === undefined ? '' : t('Redirect URI: {0}.', quickInputText(redirectUri, 100));
	const prompt = [t('Enter the client ID.'), where, how].filter(Boolean).join(' ');
	const clientId = await askForText({
		title,
		prompt,
		value: before,
		...(redirectUri !== undefined && {
			button: {
				iconPath: new vscode.ThemeIcon('copy'),
				tooltip: t('Copy Redirect URI'),
				run: () => reportErrors(() => copyText(redirectUri)),
			},
		}),
		...(signal && { signal }),
		check: it => (it.trim() === '' ? t('Enter a client ID') : undefined),
	});
	if (clientId === undefined || clientId === back) {
		return undefined;
	}
	const clientSecret = await askForText({
		title,
		prompt: t(
			'Enter the client secret or private key (PKCS #8, PEM), or leave the field empty. The value is kept in secret storage.',
		),
		value: '',
		isSecret: true,
		...(signal && { signal }),
		check: () => undefined,
	});
	if (clientSecret === undefined || clientSecret === back) {
		return undefined;
	}
	const secret = clientSecret.trim();
	return { clientId: clientId.trim(), ...(secret !== '' && { clientSecret: secret }) };
}

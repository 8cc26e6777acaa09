/** What authorization asks a person, as pending requests. */
import * as vscode from 'vscode';
import { deferred, onAbort } from '../../base/async.js';
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

export function createPrompt({ definition, pending, requests, interactivity }: PromptDeps): AuthPrompt {
	const { name } = definition;
	/** Resolves when the person has decided; `declined` once nobody waits for that any more. */
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
			const isWanted = await ask(need, isByPerson, signal, false, closing => askSignIn(name, need, closing));
			if (!isWanted && !signal.aborted) {
				requests.didDecline(definition);
			}
			return isWanted;
		},
		mayVisit: ({ url, server }, signal) =>
			ask(undefined, interactivity() === 'onStart', signal, false, closing => askVisit(name, url, server, closing)),
		// What is typed is no sheet: leaving it gives up the sign-in, which can be begun again from the list.
		askClient: ({ issuer, redirectUri }, signal) =>
			ask(undefined, true, signal, undefined, closing => askClient(name, issuer, redirectUri, '', closing)),
	};
}

/** @param redirectUri what a client must be registered with; undefined where that is not known yet */
export async function askClient(
	name: string,
	issuer: string | undefined,
	redirectUri: string | undefined,
	before = '',
	signal?: AbortSignal,
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
		...(signal && { signal }),
		check: it => (it.trim() === '' ? t('A client has an id') : undefined),
	});
	if (clientId === undefined || clientId === back) {
		return undefined;
	}
	const clientSecret = await askForText({
		title,
		prompt: t('Client secret, or private key (PKCS #8, PEM); leave it empty if the client has none. Kept as a secret.'),
		value: '',
		isSecret: true,
		...(signal && { signal }),
		check: () => undefined,
	});
	if (clientSecret === undefined || clientSecret === back) {
		return undefined;
	}
	return clientSecret.trim() === ''
		? { clientId: clientId.trim() }
		: { clientId: clientId.trim(), clientSecret: clientSecret.trim() };
}

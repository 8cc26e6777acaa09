/**
 * The questions of a sign-in to the person, as pending requests, and their sheets: the facts, then the choice. Closing a
 * sheet decides nothing.
 */
import * as vscode from 'vscode';
import { deferred, onAbort } from '../../base/async.js';
import { reportErrors } from '../../editor/commands.js';
import { copyText } from '../../editor/documents/export.js';
import { quickPickLines } from '../../editor/ui/exactText.js';
import { accepted, askForText, back, closeInput } from '../../editor/ui/quickInput.js';
import { shownAddress, shownHost } from '../../editor/ui/shownNames.js';
import { type AuthPrompt, type SignInNeed } from '../../mcp/index.js';
import type { Interactivity } from '../../core/servers/accounts.js';
import type { PendingRequests, ReviewEnd } from '../../core/requests/pendingRequests.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { SignInRequests } from './signInRequests.js';
import { Commands } from '../../editor/contributions.js';
import { adviseOnGuess, describeException, describeNeed, describeScopes } from '../../editor/l10n/authWords.js';

const { t } = vscode.l10n;

interface PromptDeps {
	readonly definition: ServerDefinition;
	readonly pending: PendingRequests;
	readonly requests: SignInRequests;
	readonly interactivity: () => Interactivity;
}

/** Makes the questions of one server's sign-ins. */
export function createPrompt({ definition, pending, requests, interactivity }: PromptDeps): AuthPrompt {
	/** Resolves with the person's decision, or with `declined` if the request is denied or the signal aborts. */
	const ask = async <T>(
		need: SignInNeed | undefined,
		isByPerson: boolean,
		signal: AbortSignal,
		declined: T,
		show: (label: string, closing: AbortSignal) => Promise<T | 'aside'>,
	): Promise<T> => {
		const answer = deferred<T>();
		const review = async (closing: AbortSignal): Promise<ReviewEnd> => {
			const end = await show(requests.label(definition), closing);
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
			const isWanted = await ask(need, isByPerson, signal, false, (label, closing) =>
				askSignIn(label, definition, need, closing),
			);
			if (!isWanted && !signal.aborted) {
				requests.didDecline(definition);
			}
			return isWanted;
		},
		mayVisit: ({ url, server }, signal) =>
			ask(undefined, interactivity() === 'onStart', signal, false, (label, closing) =>
				askVisit(label, url, server, closing),
			),
		// Leaving these input boxes ends the sign-in, because they can't be resumed like a sheet.
		askClient: ({ issuer, tokenEndpoint, redirectUri }, signal) =>
			ask(undefined, true, signal, undefined, (label, closing) =>
				askClient(label, issuer, redirectUri, '', closing, shownHost(tokenEndpoint)),
			),
	};
}

/**
 * Asks for client ID and secret. `undefined` if the person leaves an input box.
 * @param label the server's label
 * @param issuer the authorization server, if the person has named or confirmed it
 * @param redirectUri the URI that the client must be registered with, if known
 * @param before the client ID that is filled in
 * @param secretHost the host that gets the secret, if known
 */
export async function askClient(
	label: string,
	issuer: string | undefined,
	redirectUri: string | undefined,
	before = '',
	signal?: AbortSignal,
	secretHost?: string,
): Promise<{ readonly clientId: string; readonly clientSecret?: string } | undefined> {
	const title = t('Client for "{0}"', label);
	const where = issuer === undefined ? '' : t('Authorization server: {0}.', shownAddress(issuer));
	const how = redirectUri === undefined ? '' : t('Redirect URI: {0}.', shownAddress(redirectUri));
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
		prompt: [
			t(
				'Enter the client secret or private key (PKCS #8, PEM), or leave the field empty. The value is kept in secret storage.',
			),
			issuer === undefined
				? t('At the next sign-in, you confirm which host gets the secret.')
				: t('Only {0} gets the secret.', secretHost ?? shownAddress(issuer)),
		].join(' '),
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

interface SheetItem extends vscode.QuickPickItem {
	readonly isYes?: boolean;
	readonly run?: () => unknown;
}

interface Sheet {
	readonly title: string;
	readonly placeholder: string;
	/** Facts without a text are left out. */
	readonly facts: readonly (readonly [label: string, text: string | false | undefined])[];
	readonly yes: string;
	readonly no: string;
	readonly icon: string;
	/** Further choices, which leave the question open. */
	readonly others?: readonly SheetItem[];
}

/** Letters that the quick pick shows beside a label. */
const width = 64;

/**
 * Asks whether to sign in, and again if the code goes to another host than that of the page. Resolves with `aside` if a
 * sheet was closed without an answer.
 */
export async function askSignIn(
	label: string,
	{ source, offset }: Pick<ServerDefinition, 'source' | 'offset'>,
	need: SignInNeed,
	signal: AbortSignal,
): Promise<boolean | 'aside'> {
	const edit = {
		label: t('Edit Configuration'),
		iconPath: new vscode.ThemeIcon('edit'),
		run: () => vscode.commands.executeCommand(Commands.openConfiguration, { uri: source.uri, offset }),
	};
	const isMore = need.why === 'moreScopes';
	const { page, isMixed } = need;
	const tokenHost = shownHost(need.tokenEndpoint ?? need.issuer);
	const hosts = [
		[t('Sign-in page'), page && shownHost(page)],
		[t('Sign-in code goes to'), page && tokenHost],
	] as const;
	const isWanted = await showSheet(
		{
			title: isMore ? t('Grant "{0}" more permissions?', label) : t('Sign in to "{0}"?', label),
			placeholder: t('Review the request before you sign in'),
			facts: [
				[t('Reason'), describeNeed(need)],
				[t('Server'), shownAddress(need.server)],
				[t('Authorization server'), shownAddress(need.issuer)],
				...hosts,
				[t('Client secret goes to'), need.bindsSecret && tokenHost],
				[t('Scopes'), describeScopes(need.scopes)],
				[t('Warning'), isMixed && t('The sign-in page is not on the host that gets the code')],
				[t('Warning'), need.isGuess && adviseOnGuess()],
				...(need.exceptions ?? []).map(it => [t('Warning'), describeException(it)] as const),
			],
			yes: isMore ? t('Open Browser') : t('Sign In'),
			no: t('Not Now'),
			icon: 'key',
			...(need.isGuess && { others: [edit] }),
		},
		signal,
	);
	if (isWanted !== true || !isMixed) {
		return isWanted;
	}
	return showSheet(
		{
			title: t('Send the sign-in code for "{0}" to another host?', label),
			placeholder: t('Send the code only if both hosts belong to the same provider'),
			facts: [[t('Reason'), t("The authorization server doesn't name itself in its responses")], ...hosts],
			yes: t('Send Code'),
			no: t('Not Now'),
			icon: 'warning',
		},
		signal,
	);
}

/** Asks whether a server on the internet may send us to an address of the private network. */
function askVisit(label: string, url: string, server: string, signal: AbortSignal): Promise<boolean | 'aside'> {
	return showSheet(
		{
			title: t('Allow "{0}" to contact a private address?', label),
			placeholder: t('Servers on the internet rarely need this'),
			facts: [
				[t('Server'), shownAddress(server)],
				[t('Address'), shownAddress(url)],
			],
			yes: t('Allow'),
			no: t('Deny'),
			icon: 'warning',
		},
		signal,
	);
}

async function showSheet(sheet: Sheet, signal: AbortSignal): Promise<boolean | 'aside'> {
	const pick = vscode.window.createQuickPick<SheetItem>();
	const aborted = onAbort(signal, () => pick.hide());
	try {
		pick.title = sheet.title;
		pick.placeholder = sheet.placeholder;
		pick.ignoreFocusOut = true;
		pick.items = [
			...sheet.facts.flatMap(([label, text]) =>
				(text ? quickPickLines(text, width) : []).map((description, index) => ({
					label: index === 0 ? label : '…',
					description,
				})),
			),
			{ label: '', kind: vscode.QuickPickItemKind.Separator },
			{ label: sheet.yes, iconPath: new vscode.ThemeIcon(sheet.icon), isYes: true },
			...(sheet.others ?? []),
			{ label: sheet.no, iconPath: new vscode.ThemeIcon('close'), isYes: false },
		];
		while (!signal.aborted) {
			const item = await accepted(pick);
			if (!item) {
				return 'aside';
			}
			if (item.run) {
				void reportErrors(item.run);
				return 'aside';
			}
			if (item.isYes !== undefined) {
				return signal.aborted ? 'aside' : item.isYes;
			}
		}
		return 'aside';
	} finally {
		aborted.dispose();
		closeInput(pick);
	}
}

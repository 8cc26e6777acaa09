/** The commands and actions for the account at a server with a URL. */
import * as vscode from 'vscode';
import type { AuthStore } from '../../editor/storage/authStore.js';
import { chooseServer } from '../../editor/ui/chooseServer.js';
import { type CommandHandler, type CommandHandlers, registerCommands, reportErrors } from '../../editor/commands.js';
import { Commands, InternalCommands } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import { documentText, notificationText, oneLine, quickPickText, titleText } from '../../editor/ui/plainText.js';
import { shownAddress } from '../../editor/ui/shownNames.js';
import { withProgress } from '../../editor/ui/progress.js';
import { chooseLine, confirmAction } from '../../editor/ui/quickInput.js';
import type { ServerAction, ServerActions } from '../../editor/ui/serverActions.js';
import type { RedirectHandler } from './redirectHandler.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import type { Account, Accounts, TimedStep } from '../../core/servers/accounts.js';
import { configuredIssuer, withException } from '../../core/config/authSettings.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isSignedOut, isSignInNeeded } from '../../core/servers/serverState.js';
import { askClient } from './prompt.js';
import type { SignInRequests } from './signInRequests.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { authSettings, writeSetting } from '../../editor/workspace/config.js';
import {
	adviseOn,
	describeAuthFailure,
	describeException,
	describeNeed,
	describeRisk,
	describeScopes,
} from '../../editor/l10n/authWords.js';
import { describeDateTime } from '../../editor/l10n/timeText.js';
import { listedName } from '../../editor/ui/exactText.js';
import { type AuthException, type AuthFailure, type AuthState, type AuthStep, exceptionFor } from '../../mcp/index.js';

const { t } = vscode.l10n;

interface AuthDeps {
	readonly registry: ServerRegistry;
	readonly accounts: Accounts;
	readonly authStore: AuthStore;
	readonly redirects: RedirectHandler;
	readonly pending: PendingRequests;
	readonly requests: SignInRequests;
	readonly documents: Documents;
	readonly serverActions: ServerActions;
}

function authCommands(deps: AuthDeps): CommandHandlers {
	const { registry, redirects } = deps;
	const onServer =
		(title: string, run: (server: Server) => Promise<unknown>, suits = isAtUrl): CommandHandler =>
		async argument => {
			const server = await chooseServer(registry, argument, () => true, { title, suits });
			return server && run(server);
		};
	return {
		[Commands.signIn]: onServer(t('Sign In'), server => signIn(deps, server)),
		[InternalCommands.showSignInReport]: onServer(t('Show Sign-in Report'), server => showReport(deps, server)),
		[InternalCommands.setClient]: onServer(t('Set Client ID and Secret'), server => setClient(deps, server)),
		[InternalCommands.pasteAddress]: () => redirects.paste(),
		[InternalCommands.makeException]: onServer(
			t('Make an Exception'),
			server => makeException(deps, server),
			server => offeredException(deps, server) !== undefined,
		),
	};
}

function accountAction(deps: AuthDeps): ServerAction {
	return {
		icon: 'account',
		label: () => t('Account…'),
		suits: isAtUrl,
		run: server => showAccount(deps, server),
	};
}

function isAtUrl({ definition }: Server): boolean {
	return definition.launch.kind !== 'stdio';
}

/** The account of a server, even if the server was never started. `undefined` while its URL has variables that aren't filled in. */
function accountOf(accounts: Accounts, { definition, log }: Server): Account | undefined {
	const { launch } = definition;
	const isKnown = launch.kind !== 'stdio' && !launch.url.includes('${') && URL.canParse(launch.url);
	return (
		accounts.of(definition) ??
		(isKnown
			? accounts.open({ definition, url: new URL(launch.url).href, log, interactivity: () => 'none' })
			: undefined)
	);
}

/** Like `accountOf`; tells the person to start the server if its URL isn't known. */
function requireAccount({ accounts, registry }: AuthDeps, server: Server): Account | undefined {
	const account = accountOf(accounts, server);
	if (!account) {
		const serverLabel = registry.label(server);
		void vscode.window.showInformationMessage(
			t('Start {0} first. The URL in the configuration contains variables.', serverLabel),
		);
	}
	return account;
}

/** Starts a stopped server, which signs in as needed; signs in again to a running one. */
async function signIn({ accounts, pending, requests, registry }: AuthDeps, server: Server): Promise<void> {
	const asked = requests.current(server.definition);
	if (asked) {
		void reportErrors(() => pending.review(asked));
		return;
	}
	const account = accounts.of(server.definition);
	if (server.state.kind !== 'running' || !account) {
		await vscode.commands.executeCommand(Commands.startServer, new ServerNode(server));
		return;
	}
	const serverLabel = registry.label(server);
	const { state } = account;
	if (state.kind === 'unasked' || state.kind === 'signedIn') {
		const how = state.kind === 'signedIn' ? describeAuthState(state) : t("The server hasn't requested a sign-in");
		void vscode.window.showInformationMessage(t('{0}: {1}.', serverLabel, notificationText(how)));
		return;
	}
	try {
		await withProgress(t('Signing in to {0}', serverLabel), signal => account.authorizer.signIn(signal));
	} catch (error) {
		// The person declined the sign-in. That is no failure.
		if (!isSignInNeeded(error)) {
			throw error;
		}
	}
}

/** Stops the server, because its session was opened with the discarded tokens. */
async function signOut(deps: AuthDeps, server: Server): Promise<void> {
	const serverLabel = deps.registry.label(server);
	const account = requireAccount(deps, server);
	if (!account) {
		return;
	}
	await server.stop();
	await withProgress(t('Signing out of {0}', serverLabel), signal => account.authorizer.signOut(signal));
	void vscode.window.showInformationMessage(t('Signed out of {0}. The tokens were deleted.', serverLabel));
}

async function forgetRegistration(deps: AuthDeps, server: Server): Promise<void> {
	const { registry, authStore } = deps;
	const serverLabel = registry.label(server);
	const account = requireAccount(deps, server);
	const question = t('Remove the client ID and secret of {0}?', serverLabel);
	if (!account || !(await confirmAction(question, t('Remove Registration')))) {
		return;
	}
	await authStore.forgetClients(account.url);
	void vscode.window.showInformationMessage(
		t('Registration removed. The next sign-in to {0} registers a new client.', serverLabel),
	);
}

async function setClient(deps: AuthDeps, server: Server): Promise<void> {
	const { registry, authStore } = deps;
	// The client is stored by URL, so one for a URL with variables would never be found.
	const account = requireAccount(deps, server);
	if (!account) {
		return;
	}
	const { url } = account;
	const before = await authStore.typedClient(url);
	// An authorization server that only the server has named is confirmed at the next sign-in.
	const issuer = configuredIssuer(authSettings(), url);
	const client = await askClient(registry.label(server), issuer, undefined, before?.clientId);
	if (!client) {
		return;
	}
	const { clientId, clientSecret } = client;
	const isKey = clientSecret?.startsWith('-----BEGIN') === true;
	await authStore.setTypedClient(url, { issuer, ...(isKey ? { clientId, privateKey: clientSecret } : client) });
	void vscode.window.showInformationMessage(t('Client saved for the next sign-in.'));
}

/** The exception with which the failed or waiting sign-in of a server would continue. */
function offeredException({ accounts, redirects }: AuthDeps, { definition }: Server): AuthException | undefined {
	const state = accounts.of(definition)?.state;
	if (state?.kind === 'failed') {
		return exceptionFor(state.failure);
	}
	const need = state?.kind === 'working' ? state.need : undefined;
	return need && redirects.visitOf(definition)?.hasResource ? { what: 'resource', issuer: need.issuer } : undefined;
}

/** Writes an exception to the person's settings after they have confirmed it, and signs in again. */
async function makeException(deps: AuthDeps, server: Server): Promise<void> {
	const { accounts, redirects, registry } = deps;
	const serverLabel = registry.label(server);
	const account = accounts.of(server.definition);
	const exception = offeredException(deps, server);
	if (!account || !exception) {
		void vscode.window.showInformationMessage(t('This sign-in to {0} has ended.', serverLabel));
		return;
	}
	const question = t('Make an exception for the sign-in to {0}?', serverLabel);
	if (!(await confirmAction(question, t('Make Exception'), describeRisk(exception)))) {
		return;
	}
	if (server.log.redactor.text(account.url) !== account.url) {
		throw new Error(t("The URL of the server contains a secret, so it wasn't written to your settings."));
	}
	await writeSetting('authServers', withException(authSettings(), account.url, exception));
	const visit = redirects.visitOf(server.definition);
	if (!visit) {
		await signIn(deps, server);
		return;
	}
	visit.leave();
	void vscode.window.showInformationMessage(t('Exception saved. Sign in to {0} again.', serverLabel));
}

async function showReport({ accounts, documents, registry }: AuthDeps, server: Server): Promise<void> {
	const account = accountOf(accounts, server);
	const serverLabel = registry.label(server);
	const { launch } = server.definition;
	const url = account?.url ?? (launch.kind === 'stdio' ? '' : launch.url);
	const { redactor } = server.log;
	const state = (await account?.authorizer.known()) ?? { kind: 'unasked' };
	const text = reportText({ serverLabel, url: redactor.text(url), state, steps: account?.steps ?? [] });
	await documents.show(titleText(t('Sign-in Report'), serverLabel), redactor.text(text));
}

/** Shows the state of the account, and what can be done with it. */
async function showAccount(deps: AuthDeps, server: Server): Promise<void> {
	const { accounts, redirects, registry } = deps;
	const account = accountOf(accounts, server);
	const how = describeAuthState((await account?.authorizer.known()) ?? { kind: 'unasked' });
	const canMakeException = offeredException(deps, server) !== undefined;
	const chosen = await chooseLine<Line>(
		[
			{ label: t('Status'), description: quickPickText(how) },
			{ label: '', kind: vscode.QuickPickItemKind.Separator },
			...(account?.state.kind === 'signedIn' ? [] : [line(t('Sign In'), 'key', () => signIn(deps, server))]),
			...(canSignOut(server, account) ? [line(t('Sign Out'), 'sign-out', () => signOut(deps, server))] : []),
			...(canMakeException ? [line(t('Make an Exception…'), 'warning', () => makeException(deps, server))] : []),
			...(redirects.isWaiting ? [line(t('Paste Redirect URL…'), 'link', () => redirects.paste())] : []),
			line(t('Show Sign-in Report'), 'output', () => showReport(deps, server)),
			line(t('Set Client ID and Secret…'), 'edit', () => setClient(deps, server)),
			line(t('Remove Registration'), 'trash', () => forgetRegistration(deps, server)),
		],
		t('Select an action'),
		titleText(t('Account'), registry.label(server)),
	);
	await chosen?.run?.();
}

/** Whether a sign-in may have stored anything, including one that has ended or failed. */
function canSignOut({ state }: Server, account: Account | undefined): boolean {
	const kind = account?.state.kind;
	return kind === 'signedIn' || kind === 'failed' || isSignedOut(state);
}

interface Line extends vscode.QuickPickItem {
	readonly run?: () => Promise<void>;
}

function line(label: string, icon: string, run: () => Promise<void>): Line {
	return { label, iconPath: new vscode.ThemeIcon(icon), run };
}

export function registerAuth(deps: AuthDeps): Disposable {
	const { registry, requests } = deps;
	const owned = new DisposableStore();
	owned.add(requests.follow(registry));
	owned.add(registerCommands(authCommands(deps)));
	owned.add(deps.serverActions.register(accountAction(deps)));
	return owned;
}

type Step<K extends AuthStep['kind']> = Extract<AuthStep, { readonly kind: K }>;

/**
 * The members of each step that the report shows. People share reports, so a member that is or may hold a secret
 * must not be listed here.
 */
const shownMembers: { readonly [K in AuthStep['kind']]: readonly Exclude<keyof Step<K>, 'kind'>[] } = {
	challenged: ['status', 'error', 'scopes', 'resourceMetadata'],
	requested: ['request', 'url', 'outcome'],
	resource: ['from', 'resource', 'issuers', 'scopes'],
	authorizationServer: ['issuer', 'from'],
	exception: ['what', 'issuer'],
	redirect: ['way', 'uri'],
	client: ['way', 'why', 'clientId', 'method'],
	scopes: ['scopes', 'from'],
	browser: ['url'],
	strayReturn: [],
	returned: ['outcome', 'error'],
	granted: ['by', 'scopes', 'expiresAt', 'refreshable', 'isBound'],
	notRefreshed: ['failure', 'isKept'],
	taken: [],
	forgotten: ['why'],
	failed: ['failure'],
};

/** Longest text of a member, in UTF-16 units. */
const maxText = 500;

interface SignInFacts {
	/** The server's label. */
	readonly serverLabel: string;
	readonly url: string;
	readonly state: AuthState;
	readonly steps: readonly TimedStep[];
}

/** The sign-in report of one server: its steps in order, as lines of data like in a log, and failures in words. */
export function reportText({ serverLabel, url, state, steps }: SignInFacts): string {
	const lines = [
		t('Sign-in report for {0}', serverLabel),
		t('Server: {0}', shownAddress(url)),
		t('Status: {0}', describeAuthState(state)),
		'',
		...(steps.length === 0 ? [t("The server hasn't requested a sign-in since this window was opened.")] : []),
		...steps.flatMap(({ at, step }) => {
			const time = timeOf(at);
			return [`${time}  ${stepLine(step)}`, ...explainStep(step).map(it => `${' '.repeat(time.length)}  → ${it}`)];
		}),
		'',
		t('This report never contains tokens, codes or secrets.'),
	];
	return documentText(lines.join('\n'));
}

/** `challenged  status: 401, scopes: notes:read notes:write`. Values that could pass for other members are quoted. */
function stepLine(step: AuthStep): string {
	if (step.kind === 'failed' && step.failure.code === 'signInNeeded') {
		// The person hasn't been asked yet, so nothing has failed.
		return step.failure.code;
	}
	const names: readonly string[] = shownMembers[step.kind];
	const members = names.flatMap(name => {
		const text = memberText(name, Reflect.get(step, name));
		return text === '' ? [] : [`${name}: ${oneLine(text, maxText)}`];
	});
	return [step.kind, ...(members.length > 0 ? [members.join(', ')] : [])].join('  ');
}

/** Empty if there is nothing to show. */
function memberText(name: string, value: unknown): string {
	switch (name) {
		case 'expiresAt':
			// `toJSON` returns null for a time that a Date can't hold.
			return typeof value === 'number' ? (new Date(value).toJSON() ?? String(value)) : '';
		case 'failure':
			return (value as AuthFailure).code;
		default: {
			const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
			return values.map(it => listedName(String(it))).join(' ');
		}
	}
}

/** Why a step failed, and what to do about it. */
function explainStep(step: AuthStep): string[] {
	switch (step.kind) {
		case 'exception':
			return [describeException(step)];
		case 'notRefreshed':
			return [describeAuthFailure(step.failure)];
		case 'failed':
			return step.failure.code === 'signInNeeded'
				? [describeNeed(step.failure.need)]
				: [describeAuthFailure(step.failure), adviseOn(step.failure)];
		default:
			return [];
	}
}

/** The state in words: a clause without a final period. */
function describeAuthState(state: AuthState): string {
	switch (state.kind) {
		case 'unasked':
			return t('Not signed in');
		case 'working':
			return t('Signing in');
		case 'signedIn': {
			const { issuer, scopes, expiresAt, refreshable } = state;
			const facts = [shownAddress(issuer), describeScopes(scopes)];
			if (expiresAt === undefined) {
				return refreshable
					? t('Signed in at {0}. Scopes: {1}. Renewed automatically', ...facts)
					: t('Signed in at {0}. Scopes: {1}. Expiration unknown', ...facts);
			}
			const end = describeDateTime(expiresAt);
			return refreshable
				? t('Signed in at {0}. Scopes: {1}. Valid until {2}, then renewed automatically', ...facts, end)
				: t('Signed in at {0}. Scopes: {1}. Valid until {2}, then sign in again', ...facts, end);
		}
		case 'needed':
			return t('Needs sign-in: {0}', describeNeed(state.need));
		case 'failed':
			return t('{0}. {1}', describeAuthFailure(state.failure), adviseOn(state.failure));
	}
}

/** The time of day in UTC. */
function timeOf(at: number): string {
	return new Date(at).toISOString().slice(11);
}

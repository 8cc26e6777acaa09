/** What a person can do with the account at a server at a URL, and the report of what happened. */
import * as vscode from 'vscode';
import type { AuthStore } from '../../editor/storage/authStore.js';
import { chooseServer, confirmedByPerson } from '../../editor/ui/chooseServer.js';
import { type CommandHandler, guarded } from '../../editor/commands.js';
import { type CommandId, Commands } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import { notificationText, quickPickText, titleText } from '../../editor/ui/plainText.js';
import { withProgress } from '../../editor/ui/progress.js';
import { askForOne, back } from '../../editor/ui/quickInput.js';
import type { Browsers } from '../../editor/auth/redirect.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import type { Account, Accounts } from '../../core/servers/accounts.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isSignedOut, isSignInNeeded } from '../../core/servers/serverState.js';
import { askClient } from './prompt.js';
import { describeAuthState, reportText } from './report.js';
import type { SignInRequests } from './signInRequests.js';
import type { AuthCommand } from './register.js';

export interface AuthDeps {
	readonly registry: ServerRegistry;
	readonly accounts: Accounts;
	readonly store: AuthStore;
	readonly browsers: Browsers;
	readonly pending: PendingRequests;
	readonly requests: SignInRequests;
	readonly documents: Documents;
}

export function authCommands(deps: AuthDeps): Record<AuthCommand, CommandHandler> {
	const { registry, browsers } = deps;
	const { t } = vscode.l10n;
	const onServer =
		(
			title: string,
			run: (server: Server, argument: unknown) => Promise<unknown>,
			isConfirmation = false,
		): CommandHandler =>
		async argument => {
			const server = await chooseServer(registry, argument, () => true, { title, suits: isAtUrl, isConfirmation });
			return server && run(server, argument);
		};
	const signOutOf = async (server: Server, argument: unknown): Promise<void> => {
		const message = t('Sign out of {0}?', notificationText(registry.label(server)));
		if (await confirmedByPerson(argument, message, t('Sign Out'))) {
			await signOut(deps, server);
		}
	};
	const forget = async (server: Server, argument: unknown): Promise<void> => {
		const message = t('Forget the registration at {0}?', notificationText(registry.label(server)));
		if (await confirmedByPerson(argument, message, t('Forget'))) {
			await forgetRegistration(deps, server);
		}
	};
	return {
		[Commands.signIn]: onServer(t('Sign In'), server => signIn(deps, server)),
		[Commands.signOut]: onServer(t('Sign Out'), signOutOf, true),
		[Commands.showAccount]: onServer(t('Account'), server => showAccount(deps, server)),
		[Commands.showSignInReport]: onServer(t('Show Sign-in Report'), server => showReport(deps, server)),
		[Commands.setClient]: onServer(t('Set Client Id and Secret'), server => setClient(deps, server)),
		[Commands.forgetRegistration]: onServer(t('Forget Registration'), forget, true),
		[Commands.pasteAddress]: () => browsers.paste(),
	};
}

function isAtUrl({ definition }: Server): boolean {
	return definition.launch.kind !== 'stdio';
}

/** Also of one that was not started in this window, unless nobody knows yet what its URL is. */
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

/** @param name made for a notification */
function tellToStart(name: string): void {
	void vscode.window.showInformationMessage(
		vscode.l10n.t('{0} was not started in this window, and its address has variables. Start it first.', name),
	);
}

/** Starts a stopped server, which signs in as needed; signs in again to a running one. */
async function signIn({ accounts, pending, requests, registry }: AuthDeps, server: Server): Promise<void> {
	const { t } = vscode.l10n;
	const asked = requests.current(server.definition);
	if (asked) {
		// A call, or the start of the server, waits for just this.
		void guarded(() => pending.review(asked));
		return;
	}
	const account = accounts.of(server.definition);
	if (server.state.kind !== 'running' || !account) {
		await vscode.commands.executeCommand(Commands.startServer, new ServerNode(server));
		return;
	}
	const name = registry.label(server);
	const { state } = account;
	if (state.kind === 'unasked' || state.kind === 'signedIn') {
		const how = state.kind === 'signedIn' ? describeAuthState(state) : t("the server hasn't requested a sign-in");
		void vscode.window.showInformationMessage(t('{0}: {1}.', notificationText(name), notificationText(how)));
		return;
	}
	try {
		await withProgress(t('Signing in to {0}', notificationText(name)), signal => account.authorizer.signIn(signal));
	} catch (error) {
		// A no, to what they were shown, is no failure.
		if (!isSignInNeeded(error)) {
			throw error;
		}
	}
}

/** Stops the server, because its session was opened with the discarded tokens. */
async function signOut({ registry, accounts }: AuthDeps, server: Server): Promise<void> {
	const { t } = vscode.l10n;
	const name = notificationText(registry.label(server));
	const account = accountOf(accounts, server);
	if (!account) {
		tellToStart(name);
		return;
	}
	await server.stop();
	await withProgress(t('Signing out of {0}', name), signal => account.authorizer.signOut(signal));
	void vscode.window.showInformationMessage(t('Signed out of {0}. Its tokens are forgotten.', name));
}

async function forgetRegistration(deps: AuthDeps, server: Server): Promise<void> {
	const { t } = vscode.l10n;
	const { registry, accounts, store } = deps;
	const name = notificationText(registry.label(server));
	const account = accountOf(accounts, server);
	if (!account) {
		tellToStart(name);
		return;
	}
	const issuers = await store.registrations(account.url);
	for (const issuer of issuers) {
		await account.authorizer.forgetRegistration(issuer);
		await store.didForget(account.url, issuer);
	}
	await store.setTypedClient(account.url, undefined);
	void vscode.window.showInformationMessage(
		t('Registration removed. The next sign-in to {0} registers a new client.', name),
	);
}

async function setClient({ registry, accounts, store }: AuthDeps, server: Server): Promise<void> {
	const { t } = vscode.l10n;
	const account = accountOf(accounts, server);
	if (!account) {
		// What is kept for an address with variables would never be found again.
		tellToStart(notificationText(registry.label(server)));
		return;
	}
	const { url } = account;
	const before = await store.typedClient(url);
	const client = await askClient(registry.label(server), undefined, undefined, before?.clientId);
	if (!client) {
		return;
	}
	const { clientId, clientSecret } = client;
	const isKey = clientSecret?.startsWith('-----BEGIN') === true;
	await store.setTypedClient(url, isKey ? { clientId, privateKey: clientSecret } : client);
	void vscode.window.showInformationMessage(t('Kept. It is used from the next sign-in on.'));
}

async function showReport({ accounts, documents, registry }: AuthDeps, server: Server): Promise<void> {
	const account = accountOf(accounts, server);
	const name = registry.label(server);
	const { launch } = server.definition;
	const url = account?.url ?? (launch.kind === 'stdio' ? '' : launch.url);
	const { redactor } = server.log;
	const state = (await account?.authorizer.known()) ?? { kind: 'unasked' };
	const text = reportText({ name, url: redactor.text(url), state, steps: account?.steps ?? [] });
	await documents.show(titleText(vscode.l10n.t('Sign-in Report'), name), redactor.text(text));
}

/** Who we are there, and what can be done about it. */
async function showAccount(deps: AuthDeps, server: Server): Promise<void> {
	const { t } = vscode.l10n;
	const { accounts, registry } = deps;
	const account = accountOf(accounts, server);
	const how = describeAuthState((await account?.authorizer.known()) ?? { kind: 'unasked' });
	const chosen = await askForOne(
		{ title: titleText(t('Account'), registry.label(server)), placeholder: t('Select an action') },
		[
			{ label: t('now'), description: quickPickText(how), command: undefined },
			{ label: '', kind: vscode.QuickPickItemKind.Separator, command: undefined },
			...(account?.state.kind === 'signedIn' ? [] : [item(t('Sign In'), 'key', Commands.signIn)]),
			...(canSignOut(server, account) ? [item(t('Sign Out'), 'sign-out', Commands.signOut)] : []),
			item(t('Show Sign-in Report'), 'output', Commands.showSignInReport),
			item(t('Set Client Id and Secret…'), 'edit', Commands.setClient),
			item(t('Forget Registration'), 'trash', Commands.forgetRegistration),
		] satisfies AccountItem[],
	);
	if (chosen !== undefined && chosen !== back && chosen.command !== undefined) {
		await vscode.commands.executeCommand(chosen.command, new ServerNode(server));
	}
}

/** Whether anything may be kept of a sign-in, also of one that has ended, or of an attempt that failed. */
function canSignOut({ state }: Server, account: Account | undefined): boolean {
	const kind = account?.state.kind;
	return kind === 'signedIn' || kind === 'failed' || isSignedOut(state);
}

interface AccountItem extends vscode.QuickPickItem {
	readonly command: CommandId | undefined;
}

function item(label: string, icon: string, command: CommandId): AccountItem {
	return { label, iconPath: new vscode.ThemeIcon(icon), command };
}

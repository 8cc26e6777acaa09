/** Makes the accounts of servers with a URL, the browser in which people sign in, and the requests to sign in. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import { Accounts } from '../../core/servers/accounts.js';
import { ExternalBrowser } from '../../editor/auth/externalBrowser.js';
import { RedirectHandler } from './redirectHandler.js';
import type { Platform } from '../../editor/platform.js';
import type { AuthStore } from '../../editor/storage/authStore.js';
import { Authorizer, textLimits } from '../../mcp/index.js';
import { createPrompt } from './prompt.js';
import { SignInRequests } from './signInRequests.js';
import { readAuthConfig } from '../../core/config/authSettings.js';
import { readBoundedText } from '../../editor/documents/repositoryFiles.js';
import { authSettings } from '../../editor/workspace/config.js';

interface CreateAuthDeps {
	readonly context: { readonly extension: Pick<vscode.Extension<unknown>, 'id'> };
	readonly platform: Pick<Platform, 'fetch' | 'loadAuthorization' | 'loopback'>;
	/** The client name and version that servers and authorization servers get. */
	readonly clientInfo: { readonly title: string; readonly version: string };
	readonly authStore: AuthStore;
	readonly pending: PendingRequests;
	/** The label of a server. */
	readonly label: (definition: ServerDefinition) => string;
}

interface Auth extends Disposable {
	readonly accounts: Accounts;
	readonly browser: ExternalBrowser;
	readonly redirects: RedirectHandler;
	/** The pending requests of servers that wait for a sign-in. */
	readonly requests: SignInRequests;
}

/** The caller disposes the result, which owns everything that is made here. */
export function createAuth({ context, platform, clientInfo, authStore, pending, label }: CreateAuthDeps): Auth {
	const owned = new DisposableStore();
	const { id: softwareId } = context.extension;
	const client = { name: clientInfo.title, softwareVersion: clientInfo.version, softwareId };
	const browser = owned.add(new ExternalBrowser(platform.loopback));
	const requests = new SignInRequests(pending, label);
	const redirects = owned.add(new RedirectHandler(softwareId, browser));
	const accounts = owned.add(
		new Accounts(
			({ definition, url, log, interactivity }) =>
				new Authorizer({
					url,
					log,
					client,
					fetch: platform.fetch,
					store: authStore.forServer(log.redactor),
					secrecy: log.redactor.ofGiven,
					redirect: redirects.redirectFor(definition, () => requests.label(definition)),
					prompt: createPrompt({ definition, pending, requests, interactivity }),
					config: async () =>
						readAuthConfig({
							url,
							setting: authSettings(),
							configured: definition.launch.kind === 'stdio' ? undefined : definition.launch.oauth,
							typed: await authStore.typedClient(url),
							keepTyped: it => authStore.setTypedClient(url, it),
							readFile: path => readBoundedText(vscode.Uri.file(path), textLimits.secretFile),
						}),
					isInteractive: () => interactivity() !== 'none',
					load: platform.loadAuthorization,
				}),
		),
	);
	return { accounts, browser, redirects, requests, dispose: () => owned.dispose() };
}

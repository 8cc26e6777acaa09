/** Accounts at servers at a URL, and the person's browser in which sign-ins happen. */
import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import { Accounts } from '../../core/servers/accounts.js';
import { authConfigFor } from '../../editor/auth/authConfig.js';
import type { Pages } from '../../editor/auth/pages.js';
import { Browsers } from '../../editor/auth/redirect.js';
import type { Platform } from '../../editor/platform.js';
import type { AuthStore } from '../../editor/storage/authStore.js';
import { Authorizer, type AuthorizerOptions } from '../../mcp/index.js';
import { createPrompt } from './prompt.js';
import { SignInRequests } from './signInRequests.js';

export interface CreateAuthDeps {
	readonly extension: Pick<vscode.Extension<unknown>, 'id'>;
	readonly platform: Pick<Platform, 'fetch' | 'loadAuthorization'>;
	/** How we introduce ourselves to authorization servers. */
	readonly client: Pick<AuthorizerOptions['client'], 'name' | 'softwareVersion'>;
	readonly store: AuthStore;
	readonly pending: PendingRequests;
	readonly pages: Pages;
}

export interface Auth extends Disposable {
	readonly accounts: Accounts;
	readonly store: AuthStore;
	readonly browsers: Browsers;
	/** Servers that wait for a sign-in, as pending requests. */
	readonly requests: SignInRequests;
}

export function createAuth({ extension, platform, client, store, pending, pages }: CreateAuthDeps): Auth {
	const owned = new DisposableStore();
	const requests = new SignInRequests(pending);
	const browsers = owned.add(new Browsers(extension.id, pages));
	const accounts = owned.add(
		new Accounts(
			({ definition, url, log, interactivity }) =>
				new Authorizer({
					url,
					log,
					client: { ...client, softwareId: extension.id },
					fetch: platform.fetch,
					store: store.forServer(log.redactor),
					secrecy: log.redactor.ofGiven,
					redirect: browsers.redirectFor(definition.name),
					prompt: createPrompt({ definition, pending, requests, interactivity }),
					config: () => authConfigFor(definition, url, store),
					isInteractive: () => interactivity() !== 'none',
					load: platform.loadAuthorization,
				}),
		),
	);
	return { accounts, store, browsers, requests, dispose: () => owned.dispose() };
}

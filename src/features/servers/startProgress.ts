/**
 * Shows a notification with Cancel for each slow start that a person has asked for. A start can include a download. While
 * the person is asked something, the notification is hidden.
 */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { type Deferred, deferred, onAbort } from '../../base/async.js';
import { Owner } from '../../base/lifecycle.js';
import { reportErrors } from '../../editor/commands.js';
import { withProgress } from '../../editor/ui/progress.js';
import type { Accounts } from '../../core/servers/accounts.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';

export interface StartProgressDeps {
	readonly registry: Pick<ServerRegistry, 'servers' | 'label' | 'onDidChange'>;
	readonly pending: Pick<PendingRequests, 'of' | 'onDidChange'>;
	readonly accounts: Pick<Accounts, 'of' | 'onDidChange'>;
}

/** Milliseconds between two looks at the server's output. */
const lookMs = 1000;

export class StartProgress extends Owner {
	/** By server: resolved to close its notification. */
	private readonly shown = new Map<Server, Deferred<void>>();

	constructor(private readonly deps: StartProgressDeps) {
		super();
		for (const { onDidChange } of [deps.registry, deps.pending, deps.accounts]) {
			this.own(onDidChange(() => this.update()));
		}
	}

	override dispose(): void {
		super.dispose();
		this.shown.forEach(it => it.resolve());
		this.shown.clear();
	}

	private update(): void {
		const slow = this.deps.registry.servers.filter(it => this.isInProgress(it));
		for (const [server, ended] of this.shown) {
			if (!slow.includes(server)) {
				this.shown.delete(server);
				ended.resolve();
			}
		}
		for (const server of slow) {
			if (!this.shown.has(server)) {
				const ended = deferred<void>();
				this.shown.set(server, ended);
				void this.show(server, ended.promise);
			}
		}
	}

	/** False while a request or a sign-in of the server waits, because those have their own notifications. */
	private isInProgress({ isAwaited, state, definition }: Server): boolean {
		const account = this.deps.accounts.of(definition)?.state;
		const isSigningIn = account?.kind === 'working' && account.need !== undefined;
		return isAwaited && state.kind === 'starting' && !isSigningIn && this.deps.pending.of(definition).length === 0;
	}

	private async show(server: Server, ended: Promise<void>): Promise<void> {
		const title = vscode.l10n.t('Starting {0}', this.deps.registry.label(server));
		await withProgress(title, async (signal, report) => {
			const stopping = onAbort(signal, () => void reportErrors(() => server.stop()));
			const interval = clock.setInterval(() => {
				const { lastLine } = server;
				report(lastLine === undefined ? {} : { message: lastLine });
			}, lookMs);
			await ended;
			clock.clearInterval(interval);
			stopping.dispose();
		});
	}
}

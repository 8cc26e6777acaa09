/**
 * Servers that need a sign-in, as pending requests. Each server has at most one request: the question of a call or a start
 * (`prompt.ts`), or else one that is made here because of the server's state.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/lifecycle.js';
import { reportErrors } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import type { PendingRequest, PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isSignedOut } from '../../core/servers/serverState.js';

export class SignInRequests {
	/** The number of open questions of calls and starts, by the server's id. */
	private readonly asking = new Map<string, number>();
	/** Servers whose sign-in the person has declined. They get no request until they need a sign-in the next time. */
	private readonly declined = new Set<string>();
	private readonly byState = new Map<string, PendingRequest>();
	private update = (): void => undefined;

	/** @param label the label of a server */
	constructor(
		private readonly pending: PendingRequests,
		readonly label: (definition: ServerDefinition) => string,
	) {}

	/** Call this when a question is added to the list, and the result when the question has ended. */
	didAsk({ id }: ServerDefinition): () => void {
		this.declined.delete(id);
		this.asking.set(id, (this.asking.get(id) ?? 0) + 1);
		this.remove(id);
		return () => {
			const left = (this.asking.get(id) ?? 1) - 1;
			if (left > 0) {
				this.asking.set(id, left);
			} else {
				this.asking.delete(id);
			}
			this.update();
		};
	}

	didDecline({ id }: ServerDefinition): void {
		this.declined.add(id);
		this.update();
	}

	/** The open question of a call or a start, if there is one. */
	current(definition: ServerDefinition): PendingRequest | undefined {
		return this.asking.has(definition.id)
			? this.pending.of(definition).find(it => it.subject.kind === 'signIn')
			: undefined;
	}

	/** Adds and removes requests as the states of the servers change, until the result is disposed. */
	follow(registry: ServerRegistry): Disposable {
		const owned = new DisposableStore();
		this.update = () => {
			for (const [id, { definition }] of this.byState) {
				if (!registry.serverOf(definition)) {
					this.remove(id);
				}
			}
			registry.servers.forEach(it => this.updateRequest(it));
		};
		owned.add(registry.onDidChange(() => this.update()));
		owned.add(toDisposable(() => (this.update = () => undefined)));
		return owned;
	}

	private updateRequest(server: Server): void {
		const { definition, state } = server;
		const { id } = definition;
		const isNeeded = (state.kind === 'waiting' && state.what === 'signIn') || isSignedOut(state);
		if (!isNeeded) {
			if (state.kind !== 'starting') {
				this.declined.delete(id);
			}
			this.remove(id);
		} else if (!this.byState.has(id) && !this.asking.has(id) && !this.declined.has(id)) {
			const need = state.kind === 'running' ? state.signIn : undefined;
			const request = this.pending.add(
				{
					definition,
					subject: () => ({ kind: 'signIn', need }),
					isUnawaited: true,
					review: async () => {
						this.remove(id);
						void reportErrors(() => vscode.commands.executeCommand(Commands.signIn, new ServerNode(server)));
						return 'done';
					},
				},
				// The server's row and the count of requests show the need already.
				{ isQuiet: true },
			);
			this.byState.set(id, request);
		}
	}

	private remove(id: string): void {
		const request = this.byState.get(id);
		this.byState.delete(id);
		if (request) {
			this.pending.end(request);
		}
	}
}

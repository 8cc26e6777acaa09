/**
 * One server for one caller. The server is looked up for each request, because it may have been restarted or reconfigured
 * since the last one.
 */
import { raceAbort } from '../../base/async.js';
import { type Disposable, MutableDisposable, toDisposable } from '../../base/lifecycle.js';
import type { Client, Progress, ToolResult } from '../../mcp/index.js';
import type { Caller } from '../../core/approvals/approval.js';
import type { Call } from '../../core/calls/calls.js';
import type { Denied, Interactions, ReadRequest } from '../../core/calls/interactions.js';
import type { Server } from '../../core/servers/server.js';
import { isToolDisabled, ReadDeniedError } from '../../core/calls/toolAccess.js';
import { WindowClosingError } from '../../core/servers/closing.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { abortOn } from '../../editor/cancellation.js';
import type { CallOptions, Connection, ProtocolObject, RequestOptions } from '../../api.js';
import { notFoundError, toApiError } from './apiErrors.js';
import { assertListener, assertObject, assertText, guardedListener, toData, toTexts } from './arguments.js';

/** Makes a tool call through approval and history. @throws CallDeniedError if the call isn't allowed */
export type CallTool = (
	call: Call,
	options: { readonly signal: AbortSignal; readonly onProgress: ((progress: Progress) => void) | undefined },
) => Promise<ToolResult>;

export interface ConnectionDeps {
	readonly registry: ServerRegistry;
	readonly callTool: CallTool;
	/** Checks and records reads of resources and prompts. */
	readonly interactions: Interactions;
	/** Owns a subscription until the API is disposed. Disposing the result ends the subscription. */
	readonly keep: (subscription: Disposable) => Disposable;
}

export class ServerConnection implements Connection {
	constructor(
		readonly server: string,
		private readonly caller: Caller,
		private readonly deps: ConnectionDeps,
	) {}

	listTools(options?: RequestOptions): Promise<ProtocolObject[]> {
		return this.ask(
			options,
			async (client, signal, server) => (await client.listTools(signal)).filter(it => !isToolDisabled(server, it)),
			'tools',
		);
	}

	listResources(options?: RequestOptions): Promise<ProtocolObject[]> {
		return this.ask(options, (client, signal) => client.listResources(signal));
	}

	listResourceTemplates(options?: RequestOptions): Promise<ProtocolObject[]> {
		return this.ask(options, (client, signal) => client.listResourceTemplates(signal));
	}

	listPrompts(options?: RequestOptions): Promise<ProtocolObject[]> {
		return this.ask(options, (client, signal) => client.listPrompts(signal));
	}

	onDidChangeLists(listener: () => void): Disposable {
		const tell = guardedListener(listener);
		return this.follow(client => client.onDidChangeList(tell), tell);
	}

	async callTool(name: string, args: ProtocolObject, options?: CallOptions): Promise<ProtocolObject> {
		assertText(name, 'name');
		assertObject(args, 'args');
		const sent = toData(args, 'args');
		const onProgress = options?.onProgress;
		if (onProgress !== undefined) {
			assertListener(onProgress);
		}
		return this.guarded(options, (server, signal) =>
			this.deps.callTool({ caller: this.caller, server, tool: name, arguments: sent }, { signal, onProgress }),
		);
	}

	async readResource(uri: string, options?: RequestOptions): Promise<ProtocolObject[]> {
		assertText(uri, 'uri');
		return this.read(
			options,
			server => ({ kind: 'resource', caller: this.caller, server, uri }),
			(client, signal) => client.readResource(uri, signal),
		);
	}

	subscribe(uri: string, listener: () => void): Disposable {
		assertText(uri, 'uri');
		const tell = guardedListener(listener);
		return this.follow(client => {
			const subscription = client.subscribeResource(uri);
			const update = client.onDidUpdateResource(updated => {
				if (updated === uri) {
					tell();
				}
			});
			return toDisposable(() => {
				update.dispose();
				subscription.dispose();
			});
		}, tell);
	}

	async getPrompt(name: string, args: Record<string, string>, options?: RequestOptions): Promise<ProtocolObject> {
		assertText(name, 'name');
		const sent = toTexts(args, 'args');
		return this.read(
			options,
			server => ({ kind: 'prompt', caller: this.caller, server, prompt: name, arguments: sent }),
			(client, signal) => client.getPrompt(name, sent, signal),
		);
	}

	async complete(
		reference: Parameters<Connection['complete']>[0],
		argument: { name: string; value: string },
		context: Record<string, string> = {},
		options?: RequestOptions,
	): Promise<{ values: string[]; total?: number; hasMore?: boolean }> {
		const ref = toTexts(reference, 'reference');
		const { name, value } = toTexts(argument, 'argument');
		assertText(name, 'argument.name');
		assertText(value, 'argument.value');
		const filledIn = toTexts(context, 'context');
		return this.ask(options, (client, signal) => client.complete(ref, { name, value }, filledIn, { signal }));
	}

	/**
	 * Sends a request that isn't recorded in the history. Starts the server if necessary.
	 * @param what the part of the server that a deny rule may withhold
	 */
	private ask<R>(
		options: RequestOptions | undefined,
		request: (client: Client, signal: AbortSignal, server: Server) => Promise<unknown>,
		what?: Denied,
	): Promise<R> {
		return this.guarded(options, async (server, signal) => {
			// Checked before the start: a server that is denied must not start for this caller.
			if (await this.deps.interactions.denies(server, what)) {
				throw new ReadDeniedError();
			}
			return request(await server.use(), signal, server);
		});
	}

	/** Reads a resource or gets a prompt, and records the read in the history. */
	private read<R>(
		options: RequestOptions | undefined,
		requestTo: (server: Server) => ReadRequest,
		read: (client: Client, signal: AbortSignal) => Promise<object>,
	): Promise<R> {
		return this.guarded(options, async (server, signal) => {
			const { interactions } = this.deps;
			const made = requestTo(server);
			await interactions.assertAllowed(made);
			const client = await server.use();
			return interactions.make(made, () => read(client, signal));
		});
	}

	private async guarded<R>(
		options: RequestOptions | undefined,
		work: (server: Server, signal: AbortSignal) => Promise<unknown>,
	): Promise<R> {
		const controller = new AbortController();
		const { signal } = controller;
		const cancellation = options?.token && abortOn(options.token, controller);
		const { registry } = this.deps;
		try {
			const server = registry.serverOf({ id: this.server });
			if (!server) {
				throw notFoundError(this.server);
			}
			// The start of the server may wait for the person, and isn't cancelled together with the request.
			const working = raceAbort(work(server, signal), signal);
			const result = await raceAbort(working, registry.closingSignal);
			// A copy, so that callers can't change the cached lists. `api.ts` declares protocol objects as plain records.
			return structuredClone(result) as R;
		} catch (error) {
			throw toApiError(registry.isClosing && !signal.aborted ? new WindowClosingError() : error);
		} finally {
			cancellation?.dispose();
		}
	}

	/**
	 * Attaches a listener to the running client, and attaches it again whenever another client runs.
	 * @param onStart called when the listener was attached to another client than at first
	 */
	private follow(attach: (client: Client) => Disposable, onStart: () => void): Disposable {
		const attached = new MutableDisposable<Disposable>();
		let client: Client | undefined;
		const update = async (isFirst: boolean): Promise<void> => {
			const server = this.deps.registry.serverOf({ id: this.server });
			const next = server?.client;
			if (next === client) {
				return;
			}
			client = next;
			attached.value = undefined;
			// By the time `denies` resolves, another client may run, or the caller may have unsubscribed.
			if (server && next && !(await this.deps.interactions.denies(server)) && next === client) {
				attached.value = attach(next);
				if (!isFirst) {
					onStart();
				}
			}
		};
		// `denies` rejects while the window closes: the listener isn't attached then.
		const tryUpdate = (isFirst: boolean): void => void update(isFirst).catch(() => undefined);
		const changes = this.deps.registry.onDidChange(() => tryUpdate(false));
		tryUpdate(true);
		return this.deps.keep(
			toDisposable(() => {
				changes.dispose();
				client = undefined;
				attached.dispose();
			}),
		);
	}
}

/** One server for one caller: found anew for each request, since it may have been restarted or configured otherwise. */
import { raceAbort } from '../../base/async.js';
import { type Disposable, MutableDisposable, toDisposable } from '../../base/lifecycle.js';
import type { Client, JsonObject, Progress, ToolResult } from '../../mcp/index.js';
import type { Caller } from '../../core/approvals/approval.js';
import type { Denied, Exchanges, ReadRequest } from '../../core/calls/exchanges.js';
import type { Server } from '../../core/servers/server.js';
import { isToolDisabled, ReadDeniedError } from '../../core/calls/toolAccess.js';
import { WindowClosingError } from '../../core/servers/closing.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { abortOn } from '../../editor/cancellation.js';
import type { CallOptions, CancellationToken, Connection, ProtocolObject, RequestOptions } from '../../api.js';
import { createApiError, toApiError } from './apiErrors.js';
import { assertListener, assertObject, assertText, guardedListener, toData, toTexts } from './arguments.js';

/** Decides whether the call may be made, asks where that is the decision, and makes it. */
export type CallTool = (
	call: {
		readonly caller: string;
		readonly server: Server;
		readonly tool: string;
		readonly arguments: JsonObject;
	},
	options: { readonly signal: AbortSignal; readonly onProgress: ((progress: Progress) => void) | undefined },
) => Promise<ToolResult>;

export interface ConnectionDeps {
	readonly registry: ServerRegistry;
	readonly callTool: CallTool;
	/** Remembers what is read. */
	readonly exchanges: Exchanges;
	/** Ends a subscription that its caller does not; what is given back ends it now. */
	readonly keep: (subscription: Disposable) => Disposable;
}

type Reference = Parameters<Connection['complete']>[0];

export class ServerConnection implements Connection {
	constructor(
		readonly server: string,
		private readonly caller: string,
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
			server => ({ kind: 'resource', caller: this.asCaller, server, uri }),
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
			server => ({ kind: 'prompt', caller: this.asCaller, server, prompt: name, arguments: sent }),
			(client, signal) => client.getPrompt(name, sent, signal),
		);
	}

	async complete(
		reference: Reference,
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

	private get asCaller(): Caller {
		return { kind: 'extension', id: this.caller };
	}

	/** A request to the running server; the answer is the caller's own. @throws ReadDeniedError */
	private ask<R>(
		options: RequestOptions | undefined,
		request: (client: Client, signal: AbortSignal, server: Server) => Promise<unknown>,
		what?: Denied,
	): Promise<R> {
		return this.guarded(options, async (server, signal) => {
			// Before it is started: nothing of it may come to the caller.
			if (await this.deps.exchanges.denies(server, what)) {
				throw new ReadDeniedError();
			}
			return request(await server.use(), signal, server);
		});
	}

	/** The same, of what the history keeps. */
	private read<R>(
		options: RequestOptions | undefined,
		requestTo: (server: Server) => ReadRequest,
		read: (client: Client, signal: AbortSignal) => Promise<object>,
	): Promise<R> {
		return this.guarded(options, async (server, signal) => {
			const { exchanges } = this.deps;
			const made = requestTo(server);
			await exchanges.assertAllowed(made);
			const client = await server.use();
			return exchanges.make(made, () => read(client, signal));
		});
	}

	private async guarded<R>(
		options: RequestOptions | undefined,
		work: (server: Server, signal: AbortSignal) => Promise<unknown>,
	): Promise<R> {
		const controller = new AbortController();
		const cancellation = follow(options?.token, controller);
		const { registry } = this.deps;
		try {
			const server = this.deps.registry.serverOf({ id: this.server });
			if (!server) {
				throw createApiError({ code: 'notFound', server: this.server });
			}
			// The start of the server may wait for the person, and goes on after the caller has cancelled.
			const working = raceAbort(work(server, controller.signal), controller.signal);
			const result = await raceAbort(working, registry.closingSignal);
			// Plain data of the protocol, whose types are ours and not the callers'.
			return structuredClone(result) as R;
		} catch (error) {
			throw toApiError(registry.isClosing && !controller.signal.aborted ? new WindowClosingError() : error);
		} finally {
			cancellation?.dispose();
		}
	}

	/**
	 * Keeps something of the running client, whichever that is.
	 * @param onStart told when another client runs
	 */
	private follow(attach: (client: Client) => Disposable, onStart?: () => void): Disposable {
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
			// Another may run by the time that this is known, and the caller may have lost interest.
			if (server && next && !(await this.deps.exchanges.denies(server)) && next === client) {
				attached.value = attach(next);
				if (!isFirst) {
					onStart?.();
				}
			}
		};
		// What cannot be judged, as the window closes, is not followed.
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

function follow(token: CancellationToken | undefined, controller: AbortController): Disposable | undefined {
	return token && abortOn(token, controller);
}

/**
 * The API that `activate` returns to other extensions. Callers may be plain JavaScript, so their arguments are checked, results
 * are copies, and an error of a caller's listener is logged and stops nothing else.
 */
import { raceAbort } from '../../base/async.js';
import { type Disposable, Emitter, Owner } from '../../base/lifecycle.js';
import type { Progress, ToolResult } from '../../mcp/index.js';
import type { Call } from '../../core/calls/calls.js';
import type { ListState } from '../../core/servers/catalog.js';
import { WindowClosingError } from '../../core/servers/closing.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { abortOn } from '../../editor/cancellation.js';
import { describeState } from '../../editor/l10n/messages.js';
import type { CallOptions, ExtensionApi, ProtocolObject, ServerSnapshot, ToolCall } from '../../api.js';
import { notFoundError, toApiError } from './apiErrors.js';
import { assertListener, assertObject, assertText, guardedListener, toData } from './arguments.js';

/** Makes a tool call through approval and history. @throws CallDeniedError if the call isn't allowed */
export type MakeCall = (
	call: Call,
	options: { readonly signal: AbortSignal; readonly onProgress: ((progress: Progress) => void) | undefined },
) => Promise<ToolResult>;

export interface ApiDeps {
	readonly registry: ServerRegistry;
	readonly makeCall: MakeCall;
}

export class Api extends Owner implements ExtensionApi {
	readonly version = 2;
	private readonly changed = this.own(new Emitter<void>());

	constructor(private readonly deps: ApiDeps) {
		super();
		this.own(deps.registry.onDidChange(() => this.changed.fire()));
	}

	servers(): readonly ServerSnapshot[] {
		return this.deps.registry.servers.map(snapshot);
	}

	onDidChangeServers(listener: () => void): Disposable {
		return this.changed.event(guardedListener(listener));
	}

	async callTool(call: ToolCall, options: CallOptions = {}): Promise<ProtocolObject> {
		assertObject(call, 'call');
		const { server, tool, arguments: args, caller: id } = call;
		assertText(server, 'server');
		assertText(tool, 'tool');
		assertText(id, 'caller');
		assertObject(args, 'arguments');
		const sent = toData(args, 'arguments');
		const { token, onProgress } = options;
		if (onProgress !== undefined) {
			assertListener(onProgress);
		}
		const { registry, makeCall } = this.deps;
		const controller = new AbortController();
		const { signal } = controller;
		const cancellation = token && abortOn(token, controller);
		try {
			const found = registry.serverOf({ id: server }) ?? registry.find(server);
			if (!found) {
				throw notFoundError(server);
			}
			const made: Call = { caller: { kind: 'extension', id }, server: found, tool, arguments: sent };
			// The start of the server may wait for the person, and isn't cancelled together with the call.
			const making = raceAbort(makeCall(made, { signal, onProgress }), signal);
			// The history keeps the result.
			return structuredClone(await raceAbort(making, registry.closingSignal)) as object as ProtocolObject;
		} catch (error) {
			throw toApiError(registry.isClosing && !signal.aborted ? new WindowClosingError() : error);
		} finally {
			cancellation?.dispose();
		}
	}
}

function snapshot({ name, state, catalog, definition }: Server): ServerSnapshot {
	const session = state.kind === 'running' ? state.session : undefined;
	return {
		id: definition.id,
		name,
		state: state.kind,
		description: describeState(state),
		transport: definition.launch.kind,
		protocolVersion: session?.protocolVersion,
		era: session?.era,
		counts: {
			tools: count(catalog?.tools),
			resources: count(catalog?.resources),
			resourceTemplates: count(catalog?.resourceTemplates),
			prompts: count(catalog?.prompts),
		},
	};
}

function count(list: ListState<unknown> | undefined): number | undefined {
	return list?.kind === 'loaded' ? list.items.length : undefined;
}

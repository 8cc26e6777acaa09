/**
 * The API that `activate` returns to other extensions. Callers may be plain JavaScript, so their arguments are checked, results
 * are copies, and an error of a caller's listener is logged and stops nothing else.
 */
import * as vscode from 'vscode';
import { raceAbort } from '../../base/async.js';
import { type Disposable, Emitter, Owner } from '../../base/lifecycle.js';
import { isObject, type Progress, RpcError } from '../../mcp/index.js';
import type { AnsweredCall, Call } from '../../core/calls/calls.js';
import type { ListState } from '../../core/servers/catalog.js';
import { WindowClosingError } from '../../core/servers/closing.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { abortOn } from '../../editor/cancellation.js';
import { describeError, describeState } from '../../editor/l10n/messages.js';
import type { ApiError, CallOptions, ExtensionApi, ProtocolObject, ServerSnapshot, ToolCall } from '../../api.js';
import { isAbort } from '../../base/errors.js';
import { CallDeniedError, ToolDisabledError, UnknownToolError } from '../../core/calls/toolAccess.js';
import { NotRunningError } from '../../core/servers/serverState.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { plainObject } from '../../core/text/callArguments.js';

const { t } = vscode.l10n;

export interface ApiDeps {
	readonly registry: ServerRegistry;
	readonly tools: {
		/** Makes a tool call through approval and history. @throws CallDeniedError if the call isn't allowed */
		callFor(
			call: Call,
			options: { readonly signal: AbortSignal; readonly onProgress: ((progress: Progress) => void) | undefined },
		): Promise<Pick<AnsweredCall, 'result'>>;
	};
}

export class Api extends Owner implements ExtensionApi {
	readonly version = 2;
	private readonly changed = this.own(
		new Emitter<void>(error => {
			// The log of the extension host, which is where extension authors look.
			// oxlint-disable-next-line no-console
			console.error('A listener of the MCP Workbench API threw:', error);
		}),
	);

	constructor(private readonly deps: ApiDeps) {
		super();
		this.own(deps.registry.onDidChange(() => this.changed.fire()));
	}

	servers(): readonly ServerSnapshot[] {
		return this.deps.registry.servers.map(snapshot);
	}

	onDidChangeServers(listener: () => void): Disposable {
		assertListener(listener);
		return this.changed.event(() => listener());
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
		const { registry, tools } = this.deps;
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
			const making = raceAbort(tools.callFor(made, { signal, onProgress }), signal);
			// The history keeps the result.
			const { result } = await raceAbort(making, registry.closingSignal);
			return structuredClone(result) as object as ProtocolObject;
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

/** An error as other extensions get it: a code, and a message in the person's language. */
class CodedError extends Error implements ApiError {
	override readonly name = 'McpWorkbenchError';

	constructor(
		readonly code: ApiError['code'],
		message: string,
		readonly rpcCode?: number,
	) {
		super(message);
	}
}

export function notFoundError(server: string): ApiError {
	return new CodedError('notFound', t('Server "{0}" not found.', notificationText(server)));
}

/** The error that the API throws for `error`. */
export function toApiError(error: unknown): Error {
	if (error instanceof CodedError) {
		return error;
	}
	if (isAbort(error)) {
		return new CodedError('cancelled', t('The call was canceled.'));
	}
	if (error instanceof WindowClosingError) {
		return new CodedError('cancelled', describeError(error));
	}
	if (error instanceof RpcError) {
		return new CodedError('refused', describeError(error), error.code);
	}
	return new CodedError(codeOf(error), describeError(error));
}

function codeOf(error: unknown): ApiError['code'] {
	if (error instanceof NotRunningError) {
		return 'notRunning';
	}
	if (error instanceof ToolDisabledError) {
		return 'disabled';
	}
	if (error instanceof UnknownToolError) {
		return 'notFound';
	}
	return error instanceof CallDeniedError ? 'denied' : 'failed';
}

function assertText(value: unknown, name: string): asserts value is string {
	check(typeof value === 'string', name, 'a string');
}

function assertListener(value: unknown): asserts value is () => void {
	check(typeof value === 'function', 'listener', 'a function');
}

function assertObject(value: unknown, name: string): asserts value is Record<string, unknown> {
	check(isObject(value), name, 'an object');
}

/** Copies data that will be sent, so that later changes by the caller have no effect. */
function toData(value: object, name: string): Record<string, unknown> {
	try {
		return plainObject(value);
	} catch (error) {
		throw new TypeError(`"${name}" must be plain data.`, { cause: error });
	}
}

/** @throws TypeError that names the argument and the expected type */
function check(isFine: boolean, name: string, expected: string): void {
	if (!isFine) {
		throw new TypeError(`"${name}" must be ${expected}.`);
	}
}

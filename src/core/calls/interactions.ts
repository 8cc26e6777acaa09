/**
 * Reads resources for every caller, and reports exchanges with servers that aren't tool calls: reads by other callers than
 * the person, and requests of a server to the person (elicitation) or to a model (sampling). The history listens.
 */
import { raceAbort } from '../../base/async.js';
import { clock } from '../../base/clock.js';
import { isAbort } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { CallOptions, JsonObject, Resource, ResourceContents } from '../../mcp/index.js';
import type { Caller } from '../approvals/approval.js';
import type { AskingServer } from '../requests/questions.js';
import type { Server } from '../servers/server.js';
import { errorWhileClosing } from '../servers/closing.js';
import { ReadDeniedError } from './toolAccess.js';

/** A request for a resource. */
export interface ReadRequest {
	readonly kind: 'resource';
	readonly caller: Caller;
	readonly server: Server;
	readonly uri: string;
	/** Options of a read by the person, whose messages are found by the origin. */
	readonly options?: Pick<CallOptions, 'origin' | 'onProgress'>;
}

/** The end of an exchange. Nothing is redacted or cut. */
interface HasEnded {
	/** When the request was made, in milliseconds since 1970. */
	readonly time: number;
	readonly durationMs: number;
	readonly end:
		/** `result` is the answer that the requester got. */
		| { readonly kind: 'answered'; readonly result: object }
		| { readonly kind: 'denied' }
		| { readonly kind: 'failed'; readonly error: unknown }
		/** The requester has cancelled. */
		| { readonly kind: 'cancelled' };
}

export type EndedRead = ReadRequest & HasEnded;

/** A person sent a request for a prompt as it is. */
export interface EndedPrompt extends HasEnded {
	readonly kind: 'prompt';
	readonly caller: Caller;
	readonly server: Server;
	/** The parameters of the request, unchanged. */
	readonly params: JsonObject;
}

/** A server asked the person. `accept`, `decline` and `cancel` are answers; the result is what the server got. */
export interface EndedElicitation extends HasEnded {
	readonly kind: 'elicitation';
	readonly server: AskingServer;
	/** The parameters of the request, unchanged. */
	readonly params: JsonObject;
}

/** Whether a server may ask a model. */
export interface SamplingDecision {
	readonly isAllowed: boolean;
	/** The person, an earlier answer of the person, or a limit for which the person isn't asked. */
	readonly by: 'person' | 'grant' | 'limit';
	/** Whether the person edited the request or the answer. */
	readonly isEdited: boolean;
}

/** A server asked a model. The result is what the server got. */
export interface EndedSampling extends Omit<EndedElicitation, 'kind'> {
	readonly kind: 'sampling';
	/** The model that was asked, if one was. */
	readonly model: string | undefined;
	readonly decision: SamplingDecision;
}

export type EndedInteraction = EndedRead | EndedPrompt | EndedElicitation | EndedSampling;

/** The parts of a server that a policy can deny to every caller but the person: all of it, or the list of tools. */
export type Denied = 'contents' | 'tools';

export class Interactions extends Owner {
	private readonly _onDidEnd = this.own(new Emitter<EndedInteraction>());
	/** An exchange has ended, or was denied. */
	readonly onDidEnd: Event<EndedInteraction> = this._onDidEnd.event;

	/** Reports an exchange that the caller handled. */
	report(exchange: EndedInteraction): void {
		this._onDidEnd.fire(exchange);
	}

	/**
	 * @param denies whether policies deny a server to every caller but the person. `contents`: resources, their list, and
	 *   prompts; `tools`: the list of tools
	 * @param isClosing whether the editor window is closing
	 */
	constructor(
		readonly denies: (server: Server, what: Denied) => Promise<boolean>,
		private readonly isClosing: () => boolean,
	) {
		super();
	}

	/** @throws ReadDeniedError if a policy denies a server to every caller but the person; AbortError once the signal aborts */
	async assertAllowed(server: Server, what: Denied, signal?: AbortSignal): Promise<void> {
		if (await raceAbort(this.denies(server, what), signal)) {
			throw new ReadDeniedError('rule');
		}
	}

	/**
	 * Reads a resource; starts the server if needed. The person may read any resource, and these reads aren't reported. Other
	 * callers may read what the server lists, unless a policy denies the server: an unlisted URI could carry data to it.
	 * @throws ReadDeniedError, NotRunningError, RpcError, McpError; AbortError once the signal aborts
	 * @throws WindowClosingError in place of any error while the editor window is closing
	 */
	async read(request: ReadRequest, signal?: AbortSignal): Promise<readonly ResourceContents[]> {
		const { caller, server, uri, options } = request;
		if (caller.kind === 'person') {
			return (await raceAbort(server.use(true), signal)).readResource(uri, { ...options, signal });
		}
		const time = clock.now();
		const startedAt = clock.elapsed();
		const tell = (end: EndedRead['end']): void =>
			this.report({ ...request, time, durationMs: clock.elapsed() - startedAt, end });
		try {
			await this.assertAllowed(server, 'contents', signal);
			const client = await raceAbort(server.use(), signal);
			if (!(await raceAbort(listedResources(server), signal)).some(it => it.uri === uri)) {
				throw new ReadDeniedError('unlisted');
			}
			// The person may have written a rule while the server started.
			await this.assertAllowed(server, 'contents', signal);
			const result = await client.readResource(uri, { signal });
			tell({ kind: 'answered', result });
			return result;
		} catch (error) {
			const isDenied = error instanceof ReadDeniedError;
			tell(isDenied ? { kind: 'denied' } : isAbort(error) ? { kind: 'cancelled' } : { kind: 'failed', error });
			throw errorWhileClosing(error, this.isClosing());
		}
	}
}

/** The resources that a running server lists, once it has sent all of them. @throws the error of the list */
export async function listedResources({ catalog }: Server): Promise<readonly Resource[]> {
	await catalog?.whenLoaded('resources');
	const list = catalog?.resources;
	if (list?.kind === 'failed') {
		throw list.error;
	}
	return list?.kind === 'loaded' ? list.items : [];
}

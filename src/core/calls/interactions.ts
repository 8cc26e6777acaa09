/**
 * Reports the exchanges with servers that aren't tool calls: a model reads a resource, and a server asks the person
 * (elicitation) or a model (sampling). The handler of an exchange reports it when it has ended, and the history listens.
 */
import { clock } from '../../base/clock.js';
import { isAbort } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { JsonObject } from '../../mcp/index.js';
import type { Caller } from '../approvals/approval.js';
import type { AskingServer } from '../requests/questions.js';
import type { Server } from '../servers/server.js';
import { errorWhileClosing } from '../servers/closing.js';
import { ReadDeniedError } from './toolAccess.js';

/** A request of a model for a resource. */
export interface ReadRequest {
	readonly kind: 'resource';
	readonly caller: Caller;
	readonly server: Server;
	readonly uri: string;
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
	/** The person just now, an earlier answer of the person, or a limit for which the person isn't asked. */
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

export type EndedInteraction = EndedRead | EndedElicitation | EndedSampling;

/** What a policy can deny to every caller but the person: everything, or the list of tools. */
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
	 * @param isDenied whether policies deny a whole server, or the list of its tools, to every caller but the person
	 * @param isClosing whether the editor window is closing
	 */
	constructor(
		private readonly isDenied: (server: Server, what: Denied) => Promise<boolean>,
		private readonly isClosing: () => boolean,
	) {
		super();
	}

	/**
	 * Whether policies deny a server to every caller but the person.
	 * @param what `contents`: resources and their list; `tools`: the list of tools
	 */
	denies(server: Server, what: Denied = 'contents'): Promise<boolean> {
		return this.isDenied(server, what);
	}

	/**
	 * Reports a denied request. Call it before the server is started for the request.
	 * @throws ReadDeniedError, WindowClosingError
	 */
	async assertAllowed(request: ReadRequest): Promise<void> {
		try {
			if (await this.denies(request.server)) {
				this.deny(request);
				throw new ReadDeniedError();
			}
		} catch (error) {
			throw errorWhileClosing(error, this.isClosing());
		}
	}

	/**
	 * Reads, if the request isn't denied, and reports the end.
	 * @throws ReadDeniedError, and the errors of `read`
	 * @throws WindowClosingError in place of any error while the editor window is closing
	 */
	async make<T extends object>(request: ReadRequest, read: () => Promise<T>): Promise<T> {
		await this.assertAllowed(request);
		const time = clock.now();
		const startedAt = clock.elapsed();
		const tell = (end: EndedRead['end']): void =>
			this.report({ ...request, time, durationMs: clock.elapsed() - startedAt, end });
		try {
			const result = await read();
			tell({ kind: 'answered', result });
			return result;
		} catch (error) {
			tell(isAbort(error) ? { kind: 'cancelled' } : { kind: 'failed', error });
			throw errorWhileClosing(error, this.isClosing());
		}
	}

	/** Reports a request that isn't made because it is denied. */
	deny(request: ReadRequest): void {
		this.report({ ...request, time: clock.now(), durationMs: 0, end: { kind: 'denied' } });
	}
}

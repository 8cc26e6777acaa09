/**
 * What besides calls goes between somebody and a server, and is worth remembering: a model or another extension reads a
 * resource or gets a prompt, and a server asks the person (elicitation) or a model (sampling). Whoever handles one tells
 * it here, once it has ended; the history and the audit log listen.
 */
import { isAbort } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { JsonObject } from '../../mcp/index.js';
import type { Caller } from '../approvals/approval.js';
import type { Asker } from '../requests/questions.js';
import type { Server } from '../servers/server.js';
import { reasonOf } from '../servers/closing.js';
import { ReadDeniedError } from './toolAccess.js';

/** What a model or another extension asks a server for. */
export type ReadRequest =
	| { readonly kind: 'resource'; readonly caller: Caller; readonly server: Server; readonly uri: string }
	| {
			readonly kind: 'prompt';
			readonly caller: Caller;
			readonly server: Server;
			readonly prompt: string;
			readonly arguments: JsonObject;
	  };

/** Nothing is redacted or cut. */
interface HasEnded {
	/** When it was asked for, in milliseconds since 1970. */
	readonly time: number;
	readonly durationMs: number;
	readonly end:
		/** What whoever asked was given. */
		| { readonly kind: 'answered'; readonly result: object }
		| { readonly kind: 'denied' }
		| { readonly kind: 'failed'; readonly error: unknown }
		/** Whoever asked does not wait any more. */
		| { readonly kind: 'cancelled' };
}

export type EndedRead = ReadRequest & HasEnded;

/** A server asked the person. `accept`, `decline` and `cancel` are answers: the result, as it went to the server. */
export interface EndedElicitation extends HasEnded {
	readonly kind: 'elicitation';
	readonly server: Asker;
	/** Of the request, as they came. */
	readonly params: JsonObject;
}

/** Whether a server may ask a model. */
export interface SamplingDecision {
	readonly isAllowed: boolean;
	/** Who said so: the person just now, what they have said before, or a limit that nobody is asked about. */
	readonly by: 'person' | 'grant' | 'limit';
	/** Whether the person changed what was asked, or what was answered. */
	readonly isEdited: boolean;
}

/** A server asked a model. The result is as it went to the server. */
export interface EndedSampling extends HasEnded {
	readonly kind: 'sampling';
	readonly server: Asker;
	/** Of the request, as they came. */
	readonly params: JsonObject;
	/** The model that was asked, if one was. */
	readonly model: string | undefined;
	readonly decision: SamplingDecision;
}

export type EndedExchange = EndedRead | EndedElicitation | EndedSampling;

/** What others than the person may not have of a server. */
export type Denied = 'contents' | 'tools';

export class Exchanges extends Owner {
	private readonly _onDidEnd = this.own(new Emitter<EndedExchange>());
	readonly onDidEnd: Event<EndedExchange> = this._onDidEnd.event;

	/** Reports an exchange that was made elsewhere. */
	tell(exchange: EndedExchange): void {
		this._onDidEnd.fire(exchange);
	}

	/**
	 * @param isDenied whether others than the person may have nothing of a server
	 * @param isClosing whether the window is
	 */
	constructor(
		private readonly isDenied: (server: Server, what: Denied) => Promise<boolean>,
		private readonly isClosing: () => boolean,
	) {
		super();
	}

	/**
	 * Whether nobody but the person may have anything of the server: no contents, no lists, no completions.
	 * @param what `tools` for the list of tools, and what the server says of them
	 */
	denies(server: Server, what: Denied = 'contents'): Promise<boolean> {
		return this.isDenied(server, what);
	}

	/**
	 * To be called before a server is started or looked at for a request: tells of a request that must not be made.
	 * @throws ReadDeniedError, WindowClosingError
	 */
	async assertAllowed(request: ReadRequest): Promise<void> {
		try {
			if (await this.denies(request.server)) {
				this.deny(request);
				throw new ReadDeniedError();
			}
		} catch (error) {
			throw reasonOf(error, this.isClosing());
		}
	}

	/**
	 * Reads where that may be, and tells how it ended.
	 * @throws ReadDeniedError, and what `read` throws
	 * @throws WindowClosingError for whatever fails as the window closes
	 */
	async make<T extends object>(request: ReadRequest, read: () => Promise<T>): Promise<T> {
		await this.assertAllowed(request);
		const time = Date.now();
		const startedAt = performance.now();
		const tell = (end: EndedRead['end']): void =>
			this.tell({ ...request, time, durationMs: performance.now() - startedAt, end });
		try {
			const result = await read();
			tell({ kind: 'answered', result });
			return result;
		} catch (error) {
			tell(isAbort(error) ? { kind: 'cancelled' } : { kind: 'failed', error });
			throw reasonOf(error, this.isClosing());
		}
	}

	/** Tells of a request that was not made, because it must not be. */
	deny(request: ReadRequest): void {
		this.tell({ ...request, time: Date.now(), durationMs: 0, end: { kind: 'denied' } });
	}
}

/**
 * Checks values against schemas of servers, in a thread of its own: both are untrusted, and a small schema or pattern can
 * take forever. A check that takes too long ends the thread.
 *
 * "Unchecked" is a verdict of its own. Callers show it and continue, because servers validate their arguments anyway.
 */
import { debounce, Sequencer } from '../../base/async.js';
import { clock, type Timer } from '../../base/clock.js';
import { type Disposable, Owner } from '../../base/lifecycle.js';
import type { JsonObject } from '../jsonrpc/messages.js';

/** Why a value was not checked. */
export type UncheckedReason =
	/** `$schema` is neither draft-07 nor 2019-09 nor 2020-12. */
	| 'unknownDialect'
	/** The schema violates its dialect, or a `$ref` has no target. */
	| 'invalidSchema'
	/** A `$ref` leads out of the schema. Spec 2026-07-28, tools: a client MUST NOT fetch it. */
	| 'remoteRef'
	/** The schema and the value have more than `maxCharacters`. */
	| 'tooLarge'
	/** The schema or the value is nested too deeply, or is cyclic. */
	| 'tooDeep'
	/** A check with the schema took longer than `maxMs`. */
	| 'tooSlow'
	/** The engine could not be started, or has crashed. */
	| 'unavailable';

/** One violation of a schema. */
export interface SchemaProblem {
	/** JSON pointer into the value; `""` is the value itself. Server-provided if the value is. */
	readonly path: string;
	/** The JSON Schema keyword that failed: `required`, `type`, `minimum`, … */
	readonly code: string;
	/** Details of the keyword: `{ missingProperty: 'a' }`, `{ limit: 3 }`. Texts are shortened. */
	readonly data: Readonly<Record<string, string | number | boolean>>;
}

export type SchemaCheck =
	| { readonly kind: 'valid' }
	/** At least one problem; `complete` is false if there may be more. */
	| { readonly kind: 'invalid'; readonly problems: readonly SchemaProblem[]; readonly complete: boolean }
	/** `detail` is server-provided text for logs: the dialect, the `$ref`, the error. */
	| { readonly kind: 'unchecked'; readonly why: UncheckedReason; readonly detail: string };

/** Checks values against schemas of servers. Never rejects. */
export interface SchemaValidator {
	/** @param schema of a server's current list: if its check takes too long, this object is not checked again */
	check(schema: JsonObject, value: unknown): Promise<SchemaCheck>;
}

/** Checks one value at a time, in its own thread. Disposing it ends the thread. */
export interface SchemaEngine extends Disposable {
	/**
	 * @param schema JSON
	 * @param value JSON
	 * @param didStart called when the thread begins with this check: starting the thread itself takes a while
	 * @throws Error if the thread has ended by itself
	 */
	check(schema: string, value: string, didStart: () => void): Promise<SchemaCheck>;
}

/** Milliseconds for one check. */
const maxMs = 500;
/** Characters of JSON of a schema and a value. */
const maxCharacters = 1_000_000;
/** Milliseconds after the last check until the thread is ended. */
const idleMs = 60_000;

/** Starts an engine with the first check, and another one when a check took too long. */
export class DeadlineValidator extends Owner implements SchemaValidator {
	private engine: SchemaEngine | undefined;
	private readonly queue = new Sequencer();
	private readonly slow = new WeakSet<JsonObject>();
	private readonly idle = this.own(debounce(idleMs, () => this.end()));

	constructor(private readonly start: () => SchemaEngine) {
		super();
		this.own({ dispose: () => this.end() });
	}

	async check(schema: JsonObject, value: unknown): Promise<SchemaCheck> {
		let texts: readonly [schema: string, value: string];
		try {
			texts = [JSON.stringify(schema), JSON.stringify(value)];
		} catch (error) {
			return unchecked('tooDeep', String(error));
		}
		return texts.join('').length > maxCharacters
			? unchecked('tooLarge', '')
			: this.queue.run(() => this.checkNow(schema, ...texts));
	}

	private async checkNow(schema: JsonObject, ...texts: readonly [string, string]): Promise<SchemaCheck> {
		if (this.slow.has(schema)) {
			return unchecked('tooSlow', '');
		}
		if (this.owned.isDisposed) {
			return unchecked('unavailable', 'disposed');
		}
		this.idle.cancel();
		let timer: Timer | undefined;
		try {
			this.engine ??= this.start();
			const { engine } = this;
			return await new Promise<SchemaCheck>((resolve, reject) => {
				const didStart = (): void => {
					timer = clock.setTimeout(() => {
						this.slow.add(schema);
						this.end();
						resolve(unchecked('tooSlow', ''));
					}, maxMs);
				};
				engine.check(...texts, didStart).then(resolve, reject);
			});
		} catch (error) {
			this.end();
			return unchecked('unavailable', String(error));
		} finally {
			clock.clearTimeout(timer);
			this.idle.schedule();
		}
	}

	private end(): void {
		this.engine?.dispose();
		this.engine = undefined;
	}
}

function unchecked(why: UncheckedReason, detail: string): SchemaCheck {
	return { kind: 'unchecked', why, detail };
}

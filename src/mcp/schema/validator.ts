/**
 * The port of JSON Schema validation, and the wrapper that loads its engine on demand: Ajv and RE2 are the largest part of
 * the extension, and most sessions never need them.
 *
 * "Unchecked" is a verdict of its own: a schema that can't be checked safely and completely is not checked partly. Callers
 * show this and continue, because servers validate their arguments anyway.
 *
 * The engine doesn't run in a worker: starting an empty worker takes twice the time of a first check, and a worker that
 * exceeds its heap limit can end the whole process. A meter (`meter.ts`) bounds each check instead.
 */
import type { JsonObject } from '../jsonrpc/messages.js';
import { PlainCheck } from './plainCheck.js';

/** Why a value was not checked. */
export type UncheckedReason =
	/** `$schema` is neither draft-07 nor 2020-12. */
	| 'unknownDialect'
	/** The schema violates its dialect, or a `$ref` has no target. */
	| 'invalidSchema'
	/** A `$ref` leads out of the schema. Spec 2026-07-28, tools: a client MUST NOT fetch it. */
	| 'remoteRef'
	/** A pattern is invalid, or can't run in linear time (lookaround, back references). */
	| 'unsupportedPattern'
	/** The schema constrains a member `__proto__`, which Ajv can't tell from the inherited one. */
	| 'unsupportedName'
	| 'tooLarge'
	/** The schema or the value is nested too deeply, or is cyclic. */
	| 'tooDeep'
	/** Checking the value would take too long. */
	| 'tooCostly'
	/** The engine could not be loaded. */
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
	/** `detail` is server-provided text for logs: the dialect, the `$ref`, the pattern. */
	| { readonly kind: 'unchecked'; readonly why: UncheckedReason; readonly detail: string };

/** Whether `text` contains a match of `pattern`, in linear time; `undefined` if the pattern or text isn't supported. */
export type PatternMatcher = (pattern: string, text: string) => boolean | undefined;

/** Checks values against schemas of servers. Never rejects. */
export interface SchemaValidator {
	/** @param schema must not be changed afterwards, because its compiled form is cached */
	check(schema: JsonObject, value: unknown): Promise<SchemaCheck>;
	/** A synchronous matcher for forms. `undefined` if the engine could not be loaded. */
	matcher(): Promise<PatternMatcher | undefined>;
}

/** The engine in its own bundle. Synchronous, and never throws. */
export interface SchemaEngine {
	check(schema: unknown, value: unknown): SchemaCheck;
	readonly matches: PatternMatcher;
}

export interface LazyValidatorOptions {
	/** Loads the bundle with the engine: `() => import('./validator.js')`. */
	readonly load: () => Promise<{ createSchemaEngine(): SchemaEngine }>;
}

/**
 * Loads the engine for the first value that `plainCheck.ts` can't decide about. If loading fails, the next value tries
 * again.
 */
export class LazyValidator implements SchemaValidator {
	private readonly plainCheck = new PlainCheck();
	private engine: Promise<SchemaEngine> | undefined;

	constructor(private readonly options: LazyValidatorOptions) {}

	async check(schema: JsonObject, value: unknown): Promise<SchemaCheck> {
		if (this.plainCheck.fits(schema, value)) {
			return { kind: 'valid' };
		}
		try {
			return (await this.loaded()).check(schema, value);
		} catch (error) {
			return { kind: 'unchecked', why: 'unavailable', detail: String(error) };
		}
	}

	async matcher(): Promise<PatternMatcher | undefined> {
		try {
			return (await this.loaded()).matches;
		} catch {
			return undefined;
		}
	}

	private loaded(): Promise<SchemaEngine> {
		if (!this.engine) {
			// In `then`, so that an exception of `load` is a rejection too.
			const engine = Promise.resolve().then(async () => (await this.options.load()).createSchemaEngine());
			engine.catch(() => {
				this.engine = undefined;
			});
			this.engine = engine;
		}
		return this.engine;
	}
}

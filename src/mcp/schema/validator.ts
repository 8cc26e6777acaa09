/**
 * The port of JSON Schema validation, and the wrapper that loads its engine when it is needed: Ajv and the linear-time
 * patterns are the largest part of the extension, and most sessions never need them.
 *
 * "Unchecked" is a verdict of its own. A schema that cannot be checked safely and completely is never half checked:
 * callers say so and go on, because the server checks what it gets anyway.
 */
import type { JsonObject } from '../jsonrpc/messages.js';
import { PlainCheck } from './plainCheck.js';

/** Why a schema says nothing about any value. */
export type UncheckedReason =
	/** `$schema` is neither draft-07 nor 2020-12. */
	| 'unknownDialect'
	/** Against the rules of its dialect, or a `$ref` that points at nothing. */
	| 'invalidSchema'
	/** A `$ref` leaves the schema. Spec 2026-07-28, tools: a client MUST NOT fetch it. */
	| 'remoteRef'
	/** A pattern that no linear-time engine can run (lookaround, back references) or that is no pattern at all. */
	| 'unsupportedPattern'
	/** It constrains a member that JavaScript cannot tell from inherited ones: `__proto__`. */
	| 'unsupportedName'
	| 'tooLarge'
	/** Nested too deeply, or without end: the schema, or the value. */
	| 'tooDeep'
	/** This value would take too long. */
	| 'tooCostly'
	/** The engine could not be loaded. */
	| 'unavailable';

/** One place where a value breaks its schema. */
export interface SchemaProblem {
	/** JSON pointer into the value; `""` is the value itself. Server-provided where the value is. */
	readonly path: string;
	/** The JSON Schema keyword that failed: `required`, `type`, `minimum`, … */
	readonly code: string;
	/** What the keyword asked for: `{ missingProperty: 'a' }`, `{ limit: 3 }`. Texts are cut. */
	readonly data: Readonly<Record<string, string | number | boolean>>;
}

export type SchemaCheck =
	| { readonly kind: 'valid' }
	/** At least one problem; `complete` is false where there are more than are listed. */
	| { readonly kind: 'invalid'; readonly problems: readonly SchemaProblem[]; readonly complete: boolean }
	/** `detail` is server-provided text for logs: the dialect, the `$ref`, the pattern. */
	| { readonly kind: 'unchecked'; readonly why: UncheckedReason; readonly detail: string };

/** Whether `text` has a match of `pattern`, in linear time; `undefined` if that cannot be told. */
export type PatternMatcher = (pattern: string, text: string) => boolean | undefined;

/** Checks values against schemas of servers. Never rejects. */
export interface SchemaValidator {
	/** `schema` must not be changed afterwards: what was compiled is remembered. */
	check(schema: JsonObject, value: unknown): Promise<SchemaCheck>;
	/** For forms, which check while somebody types. `undefined` if the engine could not be loaded. */
	matcher(): Promise<PatternMatcher | undefined>;
}

/** What the bundle with the engine gives. Synchronous, and never throws. */
export interface SchemaEngine {
	check(schema: unknown, value: unknown): SchemaCheck;
	readonly matches: PatternMatcher;
}

export interface LazyValidatorOptions {
	/** Loads the bundle with the engine: `() => import('./validator.js')`. */
	readonly load: () => Promise<{ createSchemaEngine(): SchemaEngine }>;
}

/**
 * Loads the engine for the first value that doesn't plainly fit its schema (`plainCheck.ts`), and tries again where that
 * failed.
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
			// A `load` that throws at once is a rejection too.
			const engine = Promise.resolve().then(async () => (await this.options.load()).createSchemaEngine());
			engine.catch(() => {
				this.engine = undefined;
			});
			this.engine = engine;
		}
		return this.engine;
	}
}

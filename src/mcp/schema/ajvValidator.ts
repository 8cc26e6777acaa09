/**
 * The engine behind `validator.ts`: Ajv for draft-07 and 2020-12. In a bundle of its own, so nothing but
 * `src/validator.ts` imports this file.
 *
 * Each schema has an Ajv of its own, made in a third of a millisecond: in a shared one, the names of a schema (`$id`, anchors)
 * could be reached by another server's `$ref`s, and what was compiled would be kept for as long as the Ajv is.
 */
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import { canonicalJson } from './canonicalJson.js';
import { CompiledCache } from './compiledCache.js';
import type { Dialect } from './dialect.js';
import { linearFormats } from './formats.js';
import { LinearPattern } from './linearPattern.js';
import { metaSchemas } from './metaSchemas.js';
import { Meter, TooCostlyError } from './meter.js';
import { type Cost, costKeyword, prepareSchema, type PreparedSchema } from './prepareSchema.js';
import { defaultLimits, type SchemaLimits } from './schemaLimits.js';
import type { SchemaCheck, SchemaEngine, SchemaProblem, UncheckedReason } from './validator.js';

export interface AjvValidatorOptions {
	readonly limits?: Partial<SchemaLimits>;
	/** Problems listed of one value. */
	readonly maxProblems?: number;
	/** Units of the meter that one check may spend; a million take at most about half a second of CPU time. */
	readonly maxCost?: number;
	/** Compiled schemas that are remembered. */
	readonly maxCompiled?: number;
}

type Prepared = Extract<PreparedSchema, { kind: 'prepared' }>;
type Unchecked = Extract<SchemaCheck, { kind: 'unchecked' }>;

/** `first` stops at the first problem and is compiled when a value is large; `undefined` where it would be too slow. */
interface Compiled {
	readonly all: ValidateFunction;
	readonly first: () => ValidateFunction | undefined;
}

class UnsupportedPatternError extends Error {}

/** What listing every problem may cost: a value with a million of them is not worth the memory. */
const maxCostOfAll = 100_000;

/**
 * Code that stops at the first problem nests as deeply as an object has properties, and engines need quadratic time
 * for that.
 */
const maxSubschemasOfFirst = 500;
/** Instructions of all patterns of a schema together. */
const maxPatternSize = 100_000;
const maxTextLength = 200;
/** Units for the canonical text of a value, however short it is. */
const textCost = 2;

/** Synchronous; never throws, whatever it is given. */
export class AjvValidator implements SchemaEngine {
	private readonly limits: SchemaLimits;
	private readonly maxProblems: number;
	private readonly maxCost: number;
	private readonly cache: CompiledCache<{ readonly it: Compiled | Unchecked }>;
	private readonly patterns = new Map<string, LinearPattern | undefined>();
	private readonly meter = new Meter();
	/** Of the schema that is being compiled: instructions of all its patterns. */
	private patternSize = 0;
	private _compileCount = 0;

	constructor(options: AjvValidatorOptions = {}) {
		this.limits = { ...defaultLimits, ...options.limits };
		this.maxProblems = options.maxProblems ?? 50;
		this.maxCost = options.maxCost ?? 1_000_000;
		this.cache = new CompiledCache({ entries: options.maxCompiled ?? 1024, characters: 16_000_000 });
	}

	/** Schemas compiled so far. */
	get compileCount(): number {
		return this._compileCount;
	}

	check(schema: unknown, value: unknown): SchemaCheck {
		try {
			const compiled = this.compiled(schema);
			return 'kind' in compiled ? compiled : this.run(compiled, value);
		} catch (error) {
			return failure(error);
		}
	}

	readonly matches = (pattern: string, text: string): boolean | undefined => {
		const compiled = this.pattern(pattern);
		// At most about a quarter of a second.
		return compiled && compiled.cost(text) <= 1_000_000 ? compiled.test(text) : undefined;
	};

	/** Lists the problems of a value; of one that is too large for that, only the first. */
	private run({ all, first }: Compiled, value: unknown): SchemaCheck {
		try {
			return this.runOnce(all, value, Math.min(maxCostOfAll, this.maxCost), true);
		} catch (error) {
			const validate = error instanceof TooCostlyError && this.maxCost > maxCostOfAll ? first() : undefined;
			if (!validate) {
				throw error;
			}
			return this.runOnce(validate, value, this.maxCost, false);
		}
	}

	private runOnce(validate: ValidateFunction, value: unknown, cost: number, isAll: boolean): SchemaCheck {
		this.meter.reset(cost);
		try {
			if (validate(value)) {
				return { kind: 'valid' };
			}
			const errors = validate.errors ?? [];
			const complete = isAll && errors.length <= this.maxProblems;
			return { kind: 'invalid', problems: errors.slice(0, this.maxProblems).map(toProblem), complete };
		} finally {
			// The function would keep what it said about the last value.
			validate.errors = null;
		}
	}

	private compiled(schema: unknown): Compiled | Unchecked {
		if (!isObject(schema)) {
			return { kind: 'unchecked', why: 'invalidSchema', detail: 'not an object' };
		}
		// The cache makes a canonical text, so what is too large for one is turned away first, and cheaply.
		const prepared = this.cache.known(schema) ? undefined : prepareSchema(schema, this.limits);
		if (prepared?.kind === 'unchecked') {
			return prepared;
		}
		return this.cache.get(schema, () => {
			const it = prepared ?? prepareSchema(schema, this.limits);
			return { it: it.kind === 'unchecked' ? it : this.compile(schema, it) };
		}).it;
	}

	private compile(original: JsonObject, prepared: Prepared): Compiled | Unchecked {
		const { dialect, subschemas } = prepared;
		this._compileCount++;
		try {
			const isSchema = metaSchemas[dialect];
			if (!isSchema(original)) {
				const [error] = isSchema.errors ?? [];
				return unchecked('invalidSchema', `${error?.instancePath ?? ''} ${error?.message ?? ''}`);
			}
			const all = this.compileOnce(prepared, true);
			let first: ValidateFunction | undefined;
			return {
				all,
				first: () => (subschemas > maxSubschemasOfFirst ? undefined : (first ??= this.compileOnce(prepared, false))),
			};
		} catch (error) {
			return failure(error);
		}
	}

	private compileOnce({ dialect, schema }: Prepared, allErrors: boolean): ValidateFunction {
		this.patternSize = 0;
		return this.createAjv(dialect, allErrors).compile(schema);
	}

	private createAjv(dialect: Dialect, allErrors: boolean): Ajv {
		const regExp = (source: string): ReturnType<AjvValidator['metered']> => {
			const pattern = this.pattern(source);
			this.patternSize += pattern?.size ?? 0;
			if (this.patternSize > maxPatternSize) {
				throw new TooCostlyError();
			}
			return this.metered(source, pattern);
		};
		const options: Options = {
			strict: false,
			allErrors,
			logger: false,
			messages: false,
			// The schema has been checked against the dialect's already.
			meta: false,
			validateSchema: false,
			// A member called `constructor` is missing from `{}`.
			ownProperties: true,
			// An inlined reference would be one less place for the meter.
			inlineRefs: false,
			formats: linearFormats(this.meter),
			// What optimizing the code saves at run time is a fraction of what it costs: a third of each compilation.
			code: { optimize: false, regExp: Object.assign(regExp, { code: 'metered' }) },
		};
		const ajv = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
		this.addKeywords(ajv);
		return ajv;
	}

	/**
	 * The meter; and three keywords of Ajv's over again: its comparison of values asks them for their `constructor` and
	 * `valueOf`, and compares every value with every other.
	 */
	private addKeywords(ajv: Ajv): void {
		const text = (value: unknown): string => {
			const it = canonicalJson(value);
			this.meter.spend(textCost + (it.length >> 4));
			return it;
		};
		ajv.addKeyword({
			keyword: costKeyword,
			errors: false,
			before: '$ref',
			validate: (cost: Cost, value: unknown) => {
				this.meter.spend(cost[0] + (cost[1] > 0 ? sizeOf(value) * cost[1] : 0) + lengthOf(value));
				return true;
			},
		});
		ajv.removeKeyword('const').addKeyword({
			keyword: 'const',
			compile: (constant: unknown) => {
				const expected = canonicalJson(constant);
				return (value: unknown) => typeof value === typeof constant && text(value) === expected;
			},
		});
		ajv.removeKeyword('enum').addKeyword({
			keyword: 'enum',
			schemaType: 'array',
			compile: (values: readonly unknown[]) => {
				const texts = new Set(values.map(canonicalJson));
				return (value: unknown) => texts.has(text(value));
			},
		});
		ajv.removeKeyword('uniqueItems').addKeyword({
			keyword: 'uniqueItems',
			type: 'array',
			schemaType: 'boolean',
			compile: (isAsked: boolean) => (items: readonly unknown[]) =>
				!isAsked || new Set(items.map(text)).size === items.length,
		});
	}

	private metered(
		source: string,
		pattern: LinearPattern | undefined,
	): { test(text: string): boolean; toString(): string } {
		if (!pattern) {
			throw new UnsupportedPatternError(source);
		}
		return {
			test: text => {
				this.meter.spend(1 + pattern.cost(text));
				return pattern.test(text);
			},
			toString: () => pattern.toString(),
		};
	}

	private pattern(source: string): LinearPattern | undefined {
		if (!this.patterns.has(source)) {
			if (this.patterns.size >= 1000) {
				this.patterns.clear();
			}
			this.patterns.set(source, LinearPattern.compile(source));
		}
		return this.patterns.get(source);
	}
}

/** Strings and arrays cost by their length: `minLength` counts code points. */
function lengthOf(value: unknown): number {
	return typeof value === 'string' || Array.isArray(value) ? value.length >> 6 : 0;
}

function sizeOf(value: unknown): number {
	return isObject(value) ? Object.keys(value).length : 0;
}

function toProblem({ instancePath, keyword, params }: ErrorObject): SchemaProblem {
	const data: [string, string | number | boolean][] = [];
	for (const [name, value] of Object.entries(params as JsonObject)) {
		if (typeof value === 'number' || typeof value === 'boolean') {
			data.push([name, value]);
		} else if (typeof value === 'string' || Array.isArray(value)) {
			data.push([name, String(value).slice(0, maxTextLength)]);
		}
	}
	return { path: instancePath.slice(0, 5 * maxTextLength), code: keyword, data: Object.fromEntries(data) };
}

function failure(error: unknown): Unchecked {
	if (error instanceof TooCostlyError) {
		return unchecked('tooCostly', '');
	}
	if (error instanceof UnsupportedPatternError) {
		return unchecked('unsupportedPattern', error.message);
	}
	if (error instanceof RangeError) {
		return unchecked('tooDeep', error.message);
	}
	if (error instanceof Ajv.MissingRefError) {
		// Those that stay in the schema have been followed already.
		return unchecked('remoteRef', error.missingRef);
	}
	return unchecked('invalidSchema', String(error));
}

function unchecked(why: UncheckedReason, detail: string): Unchecked {
	return { kind: 'unchecked', why, detail: detail.slice(0, maxTextLength) };
}

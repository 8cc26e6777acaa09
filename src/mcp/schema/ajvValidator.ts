/**
 * The engine behind `validator.ts`: Ajv for draft-07 and 2020-12. It is a bundle of its own, so only `src/validator.ts`
 * imports this file.
 *
 * Each schema gets its own Ajv instance, which takes a third of a millisecond to create. In a shared instance, `$ref`s of
 * one server could reach the `$id`s and anchors of another server's schemas, and compiled schemas would never be freed.
 */
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { clock } from '../../base/clock.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import { canonicalJson } from './canonicalJson.js';
import { CompiledCache } from './compiledCache.js';
import { linearFormats } from './formats.js';
import { LinearPattern } from './linearPattern.js';
import { metaSchemas } from './metaSchemas.js';
import { Meter, TooCostlyError } from './meter.js';
import { type Cost, costKeyword, prepareSchema, type PreparedSchema } from './prepareSchema.js';
import { defaultSchemaLimits, type Dialect, type SchemaLimits } from './schemaLimits.js';
import type { SchemaCheck, SchemaEngine, SchemaProblem, UncheckedReason } from './validator.js';

export interface AjvValidatorOptions {
	readonly limits?: Partial<SchemaLimits>;
	/** Problems listed for one value, 50 by default. */
	readonly maxProblems?: number;
	/** `Meter` units for one check, 10 million by default. */
	readonly maxCost?: number;
	/** Compiled schemas that are cached, 1024 by default. */
	readonly maxCompiled?: number;
}

type Prepared = Extract<PreparedSchema, { kind: 'prepared' }>;
type Unchecked = Extract<SchemaCheck, { kind: 'unchecked' }>;

/**
 * A schema's validators: `all` lists every problem, `first` stops at the first. `first` is compiled for the first large
 * value; for schemas that would take too long to compile, `first` is `all`.
 */
interface Compiled {
	readonly all: ValidateFunction;
	readonly first: () => ValidateFunction;
}

/** The canonical texts of the values of `const` or `enum`, and the length of the longest text. */
interface ConstantTexts {
	readonly texts: ReadonlySet<string>;
	readonly longest: number;
}

/** Stops `canonicalJson`. One instance, because creating a stack trace costs more than most comparisons. */
const tooLong = new Error('longer than every constant');

class UnsupportedPatternError extends Error {}

/** Meter units for listing every problem before `first` is used instead: a million problems take 150 MB. */
const maxCostOfAll = 100_000;
/** Meter units for listing every problem of a schema whose `first` is `all`. */
const maxCostOfWide = 1_000_000;

/**
 * Subschemas of a schema for which `first` is compiled. Code that stops at the first problem nests as deeply as an object
 * has properties, which takes JavaScript engines quadratic time and much stack.
 */
const maxSubschemasOfFirst = 1000;
/** Meter units for one run of a pattern, which can't be interrupted: about a quarter of a second. */
const maxCostOfMatch = 250_000;
/** RE2 instructions of all patterns of a schema. */
const maxPatternSize = 100_000;
/** Different patterns of a schema. Ajv needs quadratic time in their number. */
const maxPatterns = 300;
/** Milliseconds that compiling the patterns of a schema may take. */
const maxPatternMs = 300;
const maxTextLength = 200;
/** Meter units for the canonical text of any value, in addition to its length. */
const textCost = 2;

/** Synchronous. Never throws, whatever the schema and the value are. */
export class AjvValidator implements SchemaEngine {
	private readonly limits: SchemaLimits;
	private readonly maxProblems: number;
	private readonly maxCost: number;
	private readonly cache: CompiledCache<Compiled | Unchecked>;
	private readonly patterns = new Map<string, LinearPattern | undefined>();
	private readonly meter = new Meter();
	/** Schemas compiled so far. */
	compileCount = 0;

	constructor(options: AjvValidatorOptions = {}) {
		this.limits = { ...defaultSchemaLimits, ...options.limits };
		this.maxProblems = options.maxProblems ?? 50;
		this.maxCost = options.maxCost ?? 10_000_000;
		this.cache = new CompiledCache({ entries: options.maxCompiled ?? 1024, characters: 16_000_000 });
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
		return compiled && compiled.cost(text) <= maxCostOfMatch ? compiled.test(text) : undefined;
	};

	/** Lists the problems of a value, or only the first problem of a large value. */
	private run({ all, first }: Compiled, value: unknown): SchemaCheck {
		try {
			return this.runOnce(all, value, Math.min(maxCostOfAll, this.maxCost), true);
		} catch (error) {
			if (!(error instanceof TooCostlyError) || this.maxCost <= maxCostOfAll) {
				throw error;
			}
			const validate = first();
			const isAll = validate === all;
			return this.runOnce(validate, value, isAll ? Math.min(maxCostOfWide, this.maxCost) : this.maxCost, isAll);
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
			// The function would keep the problems in memory.
			validate.errors = null;
		}
	}

	private compiled(schema: unknown): Compiled | Unchecked {
		if (!isObject(schema)) {
			return { kind: 'unchecked', why: 'invalidSchema', detail: 'not an object' };
		}
		const known = this.cache.known(schema);
		if (known) {
			return known;
		}
		// Schemas that are too large are refused before the cache makes a canonical text of them.
		const prepared = prepareSchema(schema, this.limits);
		return prepared.kind === 'unchecked' ? prepared : this.cache.get(schema, () => this.compile(schema, prepared));
	}

	private compile(original: JsonObject, prepared: Prepared): Compiled | Unchecked {
		const { dialect, schema, subschemas } = prepared;
		this.compileCount++;
		try {
			const isSchema = metaSchemas[dialect];
			if (!isSchema(original)) {
				const [error] = isSchema.errors ?? [];
				return unchecked('invalidSchema', `${error?.instancePath ?? ''} ${error?.message ?? ''}`);
			}
			const all = this.createAjv(dialect, true).compile(schema);
			let first: ValidateFunction | undefined;
			const compileFirst = (): ValidateFunction => this.createAjv(dialect, false).compile(schema);
			return { all, first: () => (first ??= subschemas > maxSubschemasOfFirst ? all : compileFirst()) };
		} catch (error) {
			return failure(error);
		}
	}

	private createAjv(dialect: Dialect, allErrors: boolean): Ajv {
		const sources = new Set<string>();
		let size = 0;
		let ms = 0;
		const regExp = (source: string): { test(text: string): boolean; toString(): string } => {
			const begin = clock.elapsed();
			const pattern = this.pattern(source);
			ms += clock.elapsed() - begin;
			size += pattern?.size ?? 0;
			if (size > maxPatternSize || sources.add(source).size > maxPatterns || ms > maxPatternMs) {
				throw new TooCostlyError();
			}
			if (!pattern) {
				throw new UnsupportedPatternError(source);
			}
			const test = (text: string): boolean => {
				const cost = pattern.cost(text);
				this.meter.spend(cost > maxCostOfMatch ? Infinity : 1 + cost);
				return pattern.test(text);
			};
			return { test, toString: () => pattern.toString() };
		};
		const options: Options = {
			strict: false,
			allErrors,
			logger: false,
			messages: false,
			// `compile` has checked the schema against the meta-schema already.
			meta: false,
			validateSchema: false,
			// Inherited members such as `constructor` don't count.
			ownProperties: true,
			// Inlined references would not be metered.
			inlineRefs: false,
			formats: linearFormats(this.meter),
			// Optimizing takes a third of the compilation, and saves only a fraction of that at run time.
			code: { optimize: false, regExp: Object.assign(regExp, { code: 'metered' }) },
		};
		const ajv = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
		this.addKeywords(ajv);
		return ajv;
	}

	/**
	 * Adds the meter, and replaces three keywords: Ajv's comparison calls `constructor` and `valueOf` of the values, and
	 * compares every value with every other. All subschemas share one function, because Ajv's compilation takes quadratic
	 * time in the number of functions.
	 */
	private addKeywords(ajv: Ajv): void {
		const { spend } = this.meter;
		const known = new WeakMap<object, ConstantTexts>();
		const isOneOf = (key: object, constants: readonly unknown[], value: unknown): boolean => {
			const { texts, longest } = known.get(key) ?? constantTexts(constants);
			known.set(key, { texts, longest });
			let left = longest;
			spend(textCost);
			try {
				return texts.has(
					canonicalJson(value, units => {
						spend(units);
						// A text has at least one character for each unit.
						if ((left -= units) < 0) {
							throw tooLong;
						}
					}),
				);
			} catch (error) {
				if (error === tooLong) {
					return false;
				}
				throw error;
			}
		};
		ajv.addKeyword({
			keyword: costKeyword,
			errors: false,
			before: '$ref',
			validate: (cost: Cost, value: unknown) => {
				spend(cost[0] + (cost[1] > 0 ? sizeOf(value) * cost[1] : 0) + lengthOf(value));
				return true;
			},
		});
		ajv.removeKeyword('const').addKeyword({
			keyword: 'const',
			errors: false,
			validate: (constant: unknown, value: unknown) =>
				typeof constant !== 'object' || constant === null || typeof value !== 'object'
					? value === constant
					: isOneOf(constant, [constant], value),
		});
		ajv.removeKeyword('enum').addKeyword({
			keyword: 'enum',
			errors: false,
			schemaType: 'array',
			validate: (values: readonly unknown[], value: unknown) => isOneOf(values, values, value),
		});
		ajv.removeKeyword('uniqueItems').addKeyword({
			keyword: 'uniqueItems',
			errors: false,
			type: 'array',
			schemaType: 'boolean',
			validate: (isAsked: boolean, items: readonly unknown[]) =>
				!isAsked || new Set(items.map(it => canonicalJson(it, spend))).size === items.length,
		});
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

function constantTexts(constants: readonly unknown[]): ConstantTexts {
	const texts = new Set(constants.map(it => canonicalJson(it)));
	return { texts, longest: [...texts].reduce((longest, it) => Math.max(longest, it.length), 0) };
}

/** The cost of the length of a string or array, because `minLength` counts code points. */
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
		// `prepareSchema` has resolved the references within the schema already.
		return unchecked('remoteRef', error.missingRef);
	}
	return unchecked('invalidSchema', String(error));
}

function unchecked(why: UncheckedReason, detail: string): Unchecked {
	return { kind: 'unchecked', why, detail: detail.slice(0, maxTextLength) };
}

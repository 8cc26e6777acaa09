/** What a form is: the fields of a schema, and what can be wrong with a value. Types only. */
import type { JsonObject } from '../jsonrpc/messages.js';

/** One of the values a field may take; `title` is server-provided text. */
export interface Option {
	readonly value: unknown;
	readonly title: string;
}

/** What a field holds, and the limits its schema states. */
export type FieldKind =
	| {
			readonly kind: 'string';
			readonly minLength: number | undefined;
			readonly maxLength: number | undefined;
			/** Server-provided. Checked only with a matcher: a pattern that backtracks would hang the editor. */
			readonly pattern: string | undefined;
			readonly format: string | undefined;
	  }
	| {
			readonly kind: 'number' | 'integer';
			readonly minimum: number | undefined;
			readonly maximum: number | undefined;
			readonly exclusiveMinimum: number | undefined;
			readonly exclusiveMaximum: number | undefined;
			readonly multipleOf: number | undefined;
	  }
	| { readonly kind: 'boolean' }
	| { readonly kind: 'choice'; readonly options: readonly Option[] }
	| {
			readonly kind: 'choices';
			readonly options: readonly Option[];
			readonly minItems: number | undefined;
			readonly maxItems: number | undefined;
			readonly uniqueItems: boolean;
	  }
	| { readonly kind: 'json' };

/** `title` and `description` are server-provided text; `default` is `undefined` where there is none. */
export type Field = FieldKind & {
	readonly name: string;
	readonly title: string | undefined;
	readonly description: string | undefined;
	readonly required: boolean;
	/** `null` is a value too. */
	readonly nullable: boolean;
	/** The schema calls it, or a part of it, a secret. */
	readonly isSecret: boolean;
	readonly default: unknown;
	/** Why the default that the schema states was not taken. */
	readonly ignoredDefault: FieldProblem | undefined;
};

/** The fields of a schema, required ones first, otherwise in the schema's order. */
export interface Form {
	readonly fields: readonly Field[];
}

/** Why a value does not fit, as data; the editor's rooms word it. */
export type FieldProblem =
	| { readonly code: 'required' | 'notAnOption' | 'notABoolean' | 'notAString' | 'duplicate' | 'notFlat' }
	/** `inexact`: a whole number with more digits than a JavaScript number keeps. */
	| { readonly code: 'notANumber' | 'notAnInteger' | 'notJson' | 'inexact'; readonly text: string }
	| { readonly code: 'format'; readonly format: string }
	| { readonly code: 'pattern'; readonly pattern: string }
	| { readonly code: 'notAMultiple'; readonly of: number }
	| {
			readonly code: 'tooShort' | 'tooLong' | 'tooSmall' | 'tooLarge' | 'notAbove' | 'notBelow' | 'tooFew' | 'tooMany';
			readonly limit: number;
	  };

export type FieldCheck =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly problem: FieldProblem };

/** What may be sent as the answer to a form, or what keeps it from being sent, by field. */
export type ContentCheck =
	| { readonly ok: true; readonly content: JsonObject }
	| { readonly ok: false; readonly problems: ReadonlyMap<string, FieldProblem> };

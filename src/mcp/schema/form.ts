/** The types of forms: fields, and problems of values. */

/** A value that a field can have; `title` is server-provided text. */
export interface Option {
	readonly value: unknown;
	readonly title: string;
}

/** The type of a field's value, with the constraints of its schema. */
export type FieldKind =
	| {
			readonly kind: 'string';
			readonly minLength: number | undefined;
			readonly maxLength: number | undefined;
			readonly format: string | undefined;
	  }
	| {
			readonly kind: 'number' | 'integer';
			readonly minimum: number | undefined;
			readonly maximum: number | undefined;
			readonly exclusiveMinimum: number | undefined;
			readonly exclusiveMaximum: number | undefined;
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

/** `title` and `description` are server-provided text. */
export type Field = FieldKind & {
	readonly name: string;
	readonly title: string | undefined;
	readonly description: string | undefined;
	readonly required: boolean;
	/** Whether `null` is valid. */
	readonly nullable: boolean;
	/** Whether the schema marks the value, or a part of it, as secret. */
	readonly isSecret: boolean;
	/** `undefined` if the schema has no valid default. */
	readonly default: unknown;
};

/** The fields of a schema, required ones first, otherwise in the schema's order. */
export interface Form {
	readonly fields: readonly Field[];
}

/** Why a value is invalid, as data; `editor/l10n` has the texts. */
export type FieldProblem =
	| { readonly code: 'required' | 'notAnOption' | 'notABoolean' | 'notAString' | 'duplicate' }
	| { readonly code: 'notAnObject' | 'notAList' | 'notAVariant' }
	/** `inexact`: an integer that a JavaScript number can't represent. */
	| { readonly code: 'notANumber' | 'notAnInteger' | 'notJson' | 'inexact'; readonly text: string }
	| { readonly code: 'format'; readonly format: string }
	| {
			readonly code: 'tooShort' | 'tooLong' | 'tooSmall' | 'tooLarge' | 'notAbove' | 'notBelow' | 'tooFew' | 'tooMany';
			readonly limit: number;
	  };

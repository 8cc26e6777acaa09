/**
 * The content of a form, and the messages between the extension and the form. A form edits one JSON value. Its nodes are in
 * a table and refer to each other by index, because schemas can be recursive.
 */
import {
	type Check,
	isBoolean,
	isIndex,
	isRecord,
	isText,
	listOf,
	type Messages,
	oneOf,
	optional,
	record,
	stringsOf,
} from '../checks.js';

/** The keys of the form's own texts. `{0}` stands for a number, a value or a label. */
export const stringKeys = [
	'add',
	'addEntry',
	'addItem',
	'defaultValue',
	'emptyList',
	'emptyText',
	'enterNumber',
	'filter',
	'fixFields',
	'incomplete',
	'json',
	'entryName',
	'entryValue',
	'moveDown',
	'moveUp',
	'named',
	'noFields',
	'notJson',
	'notSet',
	'otherJson',
	'remove',
	'showMore',
	'uniqueName',
	'variant',
] as const;
export type Strings = Readonly<Record<(typeof stringKeys)[number], string>>;

const nodeKinds = [
	'text',
	'date',
	'dateTime',
	'number',
	'choice',
	'choices',
	'object',
	'list',
	'variants',
	'json',
] as const;

/** One of the values of a choice. */
export interface ShownOption {
	readonly title: string;
	readonly value: unknown;
}

/** A member of an object. */
export interface ShownMember {
	readonly name: string;
	/** The cleaned title, or the cleaned name if the member has no title. */
	readonly label: string;
	/** The cleaned name if the label differs from it, otherwise empty. */
	readonly note: string;
	readonly node: number;
	readonly isRequired: boolean;
	/** Whether its name or its node says that the value is a secret, which isn't kept. */
	readonly isSecret: boolean;
}

/** The part of a form for one value. Texts are translated or cleaned, and cut. Values are as in the schema. */
export interface ShownNode {
	readonly kind: (typeof nodeKinds)[number];
	readonly description: string;
	/** Says what is valid, such as a range; may be empty. */
	readonly hint: string;
	/** `undefined` if the schema has no valid default. */
	readonly default: unknown;
	readonly defaultText: string;
	readonly isNullable: boolean;
	readonly isSecret: boolean;
	/** Whether a text has at least one character. */
	readonly isNonEmpty: boolean;
	/** Whether a text has no line breaks. */
	readonly isLine: boolean;
	/** For `choice` and `choices`. */
	readonly options: readonly ShownOption[];
	/** For `object`. */
	readonly members: readonly ShownMember[];
	/** For `object`: the node of additional members; `undefined` if the form doesn't offer to add any. */
	readonly additional: number | undefined;
	/** For `list`: the node of the elements. */
	readonly item: number | undefined;
	/** For `variants`. */
	readonly variants: readonly { readonly title: string; readonly node: number }[];
}

export interface ShownForm {
	readonly root: number;
	readonly nodes: readonly ShownNode[];
	/** The index of a node for any value. */
	readonly json: number;
	/** Whether the server completes texts while they are typed. Applies to members of the root. */
	readonly isCompleted: boolean;
}

/** A problem of a part of the value. */
export interface FormProblem {
	/** A JSON pointer (RFC 6901) to the part. */
	readonly pointer: string;
	readonly text: string;
}

/** The state that a view keeps while it is hidden, without secrets. */
export interface FormState {
	readonly value: unknown;
	/** Pointers of unfinished texts in the value, such as "1." for a number. */
	readonly unfinished: readonly string[];
	/** The indexes of chosen variants, by pointer. */
	readonly variants: Readonly<Record<string, number>>;
	/** The text of the whole value while it is edited as JSON. */
	readonly json: string | undefined;
}

export type FormToView =
	/** Shows a form. Without a value, the form keeps what was entered in the earlier form. */
	| {
			readonly type: 'form';
			readonly form: ShownForm;
			readonly strings: Strings;
			readonly value: Readonly<Record<string, unknown>> | undefined;
	  }
	/** The problems of the value with this revision. `isAttempt`: the person tried to use the value. */
	| {
			readonly type: 'formProblems';
			readonly revision: number;
			readonly problems: readonly FormProblem[];
			readonly isAttempt: boolean;
	  }
	/** The values that the server suggests for an argument. `note` says that there are more, or why there are none. */
	| {
			readonly type: 'completions';
			readonly argument: string;
			readonly options: readonly ShownOption[];
			readonly note: string;
	  };

export type FormFromView =
	/** The value has changed and needs a check. */
	| {
			readonly type: 'formChanged';
			readonly revision: number;
			readonly value: unknown;
			readonly variants: Readonly<Record<string, number>>;
	  }
	/** Requests completions for the text of an argument. `value` is the value of the whole form. */
	| {
			readonly type: 'complete';
			readonly argument: string;
			readonly text: string;
			readonly value: Readonly<Record<string, unknown>>;
	  };

const isJson: Check<unknown> = (value): value is unknown => value !== undefined;
const isOption: Check<ShownOption> = record<ShownOption>({ title: isText, value: isJson });

const isNode = record<ShownNode>({
	kind: oneOf(nodeKinds),
	description: isText,
	hint: isText,
	default: optional(isJson),
	defaultText: isText,
	isNullable: isBoolean,
	isSecret: isBoolean,
	isNonEmpty: isBoolean,
	isLine: isBoolean,
	options: listOf(isOption),
	members: listOf(
		record<ShownMember>({
			name: isText,
			label: isText,
			note: isText,
			node: isIndex,
			isRequired: isBoolean,
			isSecret: isBoolean,
		}),
	),
	additional: optional(isIndex),
	item: optional(isIndex),
	variants: listOf(record({ title: isText, node: isIndex })),
});

const isShownForm = record<ShownForm>({ root: isIndex, nodes: listOf(isNode), json: isIndex, isCompleted: isBoolean });

const isVariants: Check<Readonly<Record<string, number>>> = (value): value is Readonly<Record<string, number>> =>
	isRecord(value) && Object.values(value).every(isIndex);

/** Checks of the messages, for the protocols of pages with a form. */
export const formFromView: Messages<FormFromView> = {
	formChanged: { revision: isIndex, value: isJson, variants: isVariants },
	complete: { argument: isText, text: isText, value: isRecord },
};
export const formToView: Messages<FormToView> = {
	form: { form: isShownForm, strings: stringsOf(stringKeys), value: optional(isRecord) },
	formProblems: {
		revision: isIndex,
		problems: listOf(record<FormProblem>({ pointer: isText, text: isText })),
		isAttempt: isBoolean,
	},
	completions: { argument: isText, options: listOf(isOption), note: isText },
};

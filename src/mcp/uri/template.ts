/**
 * URI templates (RFC 6570, all levels). Expansion is the library's; that takes whatever stands between braces, so what a
 * template may look like, and which variables it has, is read here.
 */
import { parseTemplate } from 'url-template';

export interface TemplateVariable {
	readonly name: string;
	/** Without it the URI has a gap; otherwise the template leaves its whole part out. */
	readonly isRequired: boolean;
	/** `{list*}`: several values, each with a separator of its own. */
	readonly isList: boolean;
	/** `{var:3}`: how much of the value is used. */
	readonly maxLength?: number;
}

export type TemplateValueProblem =
	| { readonly code: 'required' }
	/** A line break, or another character that nobody sees. */
	| { readonly code: 'invisible' }
	| { readonly code: 'tooLong'; readonly limit: number };

export interface UriTemplate {
	/** Each once, in their order. */
	readonly variables: readonly TemplateVariable[];
	/** What is wrong with a value for a variable; of lists, with the text that they are made from. */
	check(name: string, value: string): TemplateValueProblem | undefined;
	/** Values that are left out are undefined in the sense of the RFC. Of lists, values are parted by commas. */
	expand(values: Readonly<Record<string, string>>): string;
}

/** No server means longer addresses. */
const maxValue = 2000;

/** RFC 6570, 2: literals, and expressions of an operator and variables. A hyphen in names is no part of it, but common. */
const expressionPattern =
	/^([+#./;?&]?)((?:[\w-]|%[\da-f]{2})+(?:\.(?:[\w-]|%[\da-f]{2})+)*(?::[1-9]\d{0,3}|\*)?(?:,|$))+$/i;
const variablePattern = /^(.*?)(?::(\d+)|(\*))?$/;

/** `undefined` for what is no template. */
export function parseUriTemplate(text: string): UriTemplate | undefined {
	const expressions = Array.from(text.matchAll(/\{([^{}]*)\}/g), it => it[1] ?? '');
	const literals = text.replace(/\{[^{}]*\}/g, '');
	// Halves of surrogate pairs cannot be encoded.
	if (/[{}]|\p{Cs}/u.test(literals) || expressions.some(it => !expressionPattern.test(it) || it.endsWith(','))) {
		return undefined;
	}
	const variables = new Map<string, ReadVariable>();
	for (const expression of expressions) {
		for (const it of variablesOf(expression)) {
			// Where it stands twice, the place that needs it more decides.
			const { name, isRequired } = it.variable;
			if (!variables.has(name) || (isRequired && variables.get(name)?.variable.isRequired === false)) {
				variables.set(name, it);
			}
		}
	}
	return {
		variables: Array.from(variables.values(), it => it.variable),
		check: (name, value) => problemOf(variables.get(name)?.variable, value),
		expand(values) {
			// Without a prototype: a variable may be called "constructor".
			const context = Object.create(null) as Record<string, string | string[]>;
			for (const {
				variable: { name, isList },
				separator,
			} of variables.values()) {
				const value = Object.hasOwn(values, name) ? values[name] : undefined;
				if (value !== undefined) {
					context[name] = isList ? value.split(separator).filter(it => it !== '') : value;
				}
			}
			return parseTemplate(text).expand(context);
		},
	};
}

interface ReadVariable {
	readonly variable: TemplateVariable;
	/** Between the values of a list, as people write them. */
	readonly separator: string;
}

function variablesOf(expression: string): ReadVariable[] {
	const operator = /^[+#./;?&]/.exec(expression)?.[0] ?? '';
	return expression
		.slice(operator.length)
		.split(',')
		.map(it => {
			const [, name = it, length, list] = variablePattern.exec(it) ?? [];
			const isList = list !== undefined;
			const isRequired = operator === '' || operator === '+';
			return {
				variable: { name, isRequired, isList, ...(length === undefined ? {} : { maxLength: Number(length) }) },
				separator: operator === '/' ? '/' : ',',
			};
		});
}

function problemOf(variable: TemplateVariable | undefined, value: string): TemplateValueProblem | undefined {
	if (value === '') {
		return variable?.isRequired === true ? { code: 'required' } : undefined;
	}
	if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(value)) {
		return { code: 'invisible' };
	}
	const limit = variable?.maxLength ?? maxValue;
	return value.length > limit ? { code: 'tooLong', limit } : undefined;
}

/**
 * URI templates (RFC 6570, all levels). The library expands them, but accepts any text between braces, so the syntax
 * is checked and the variables are read here.
 */
import { parseTemplate } from 'url-template';

export interface TemplateVariable {
	readonly name: string;
	/** Whether the URI would have a gap without the variable. The template omits the whole part of any other variable. */
	readonly isRequired: boolean;
	/** `{list*}`: several values, each with its own separator. */
	readonly isList: boolean;
	/** `{var:3}`: the number of characters of the value that are used. */
	readonly maxLength?: number;
}

export type TemplateValueProblem =
	| { readonly code: 'required' }
	/** A line break, or another invisible character. */
	| { readonly code: 'invisible' }
	| { readonly code: 'tooLong'; readonly limit: number };

export interface UriTemplate {
	/** In their order, each once. */
	readonly variables: readonly TemplateVariable[];
	/** The problem of a variable's value. The value of a list is the text that `expand` splits. */
	check(name: string, value: string): TemplateValueProblem | undefined;
	/**
	 * Expands the template. Variables without a value are undefined (RFC 6570). The values of a list are separated by
	 * commas.
	 */
	expand(values: Readonly<Record<string, string>>): string;
}

/** Longer values are mistakes. */
const maxValue = 2000;

/**
 * RFC 6570, section 2: literals, and expressions of an operator and variables. Hyphens in names are not in the RFC,
 * but common.
 */
const expressionPattern =
	/^([+#./;?&]?)((?:[\w-]|%[\da-f]{2})+(?:\.(?:[\w-]|%[\da-f]{2})+)*(?::[1-9]\d{0,3}|\*)?(?:,|$))+$/i;
const variablePattern = /^(.*?)(?::(\d+)|(\*))?$/;

/** `undefined` if the text is not a template. */
export function parseUriTemplate(text: string): UriTemplate | undefined {
	const expressions = Array.from(text.matchAll(/\{([^{}]*)\}/g), it => it[1] ?? '');
	const literals = text.replace(/\{[^{}]*\}/g, '');
	// Unpaired surrogates can't be encoded.
	if (/[{}]|\p{Cs}/u.test(literals) || expressions.some(it => !expressionPattern.test(it) || it.endsWith(','))) {
		return undefined;
	}
	const variables = new Map<string, ReadVariable>();
	for (const expression of expressions) {
		for (const it of variablesOf(expression)) {
			// A variable that occurs twice is required if either occurrence is.
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
			// Without a prototype, because a variable may be called "constructor".
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
	/** Separates the values of a list in the text that a person enters. */
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

/** Describes the fields of a form: the values that they accept, and why a value isn't valid. */
import * as vscode from 'vscode';
import type { Field, FieldKind, FieldProblem } from '../../mcp/index.js';
import { chooseText } from './chooseText.js';

const { t } = vscode.l10n;

/** "Required. Enter a number." */
export function describeField(field: Field): string {
	const what = describeKind(field);
	return field.required ? t('Required. {0}', what) : t('Optional. {0}', what);
}

/** "Enter a number from 1 to 5." */
export function describeKind(field: FieldKind): string {
	switch (field.kind) {
		case 'string':
			return formatTexts(field.format).prompt ?? t('Enter text.');
		case 'number':
		case 'integer':
			return describeRange(field);
		case 'boolean':
			return t('Select Yes or No.');
		case 'choice':
			return t('Select one.');
		case 'choices':
			return howMany(field);
		case 'json':
			return t('Enter JSON.');
	}
}

const [sampleDate, sampleTime] = ['2026-11-24', '2026-11-24T09:00:00Z'];

/** The hint for a field with a format, and the message for a value that doesn't have the format. */
function formatTexts(format: string | undefined): { readonly prompt?: string; readonly problem?: string } {
	switch (format) {
		case 'date':
			return {
				prompt: t('Enter a date such as {0}.', sampleDate),
				problem: t('Value must be a date such as {0}', sampleDate),
			};
		case 'date-time':
			return {
				prompt: t('Enter a date and time such as {0}.', sampleTime),
				problem: t('Value must be a date and time such as {0}', sampleTime),
			};
		case 'email':
			return { prompt: t('Enter an email address.'), problem: t('Value must be an email address') };
		case 'uri':
			return { prompt: t('Enter a URI.'), problem: t('Value must be a URI') };
		default:
			return {};
	}
}

function describeRange({ kind, minimum, maximum }: Extract<FieldKind, { kind: 'number' | 'integer' }>): string {
	const isWhole = kind === 'integer';
	if (minimum !== undefined && maximum !== undefined) {
		return isWhole
			? t('Enter a whole number from {0} to {1}.', minimum, maximum)
			: t('Enter a number from {0} to {1}.', minimum, maximum);
	}
	if (minimum !== undefined) {
		return isWhole ? t('Enter a whole number, {0} or higher.', minimum) : t('Enter a number, {0} or higher.', minimum);
	}
	if (maximum !== undefined) {
		return isWhole ? t('Enter a whole number, {0} or lower.', maximum) : t('Enter a number, {0} or lower.', maximum);
	}
	return isWhole ? t('Enter a whole number.') : t('Enter a number.');
}

function howMany({ minItems = 0, maxItems }: Extract<FieldKind, { kind: 'choices' }>): string {
	if (maxItems === undefined) {
		return minItems > 0 ? t('Select at least {0}.', minItems) : t('Select any number.');
	}
	if (minItems === maxItems) {
		return t('Select {0}.', minItems);
	}
	return minItems > 0 ? t('Select {0} to {1}.', minItems, maxItems) : t('Select up to {0}.', maxItems);
}

/** Why a value isn't valid for its field: a text without a period, shown while the person types. */
export function describeFieldProblem(problem: FieldProblem): string {
	return chooseText(problem, {
		required: () => t('Required'),
		notANumber: ({ text }) => (text === '' ? t('Enter a number') : t('"{0}" isn\'t a number', text)),
		notAnInteger: ({ text }) => t('"{0}" isn\'t a whole number', text),
		notJson: () => t('Value must be valid JSON'),
		notAString: () => t('Value must be text'),
		notABoolean: () => t('Value must be Yes or No'),
		notAnObject: () => t('Value must be a JSON object'),
		notAList: () => t('Value must be a list'),
		notAVariant: () => t('Value must have one of the allowed types'),
		notAnOption: () => t('Value must be one of the choices'),
		format: ({ format }) => formatTexts(format).problem ?? t('Value must have the format "{0}"', format),
		tooShort: ({ limit }) => (limit === 1 ? t('Enter a value') : t('Value must have at least {0} characters', limit)),
		tooLong: ({ limit }) => t('Value must have at most {0} characters', limit),
		tooSmall: ({ limit }) => t('Value must be at least {0}', limit),
		tooLarge: ({ limit }) => t('Value must be at most {0}', limit),
		tooFew: ({ limit }) => t('Select at least {0}', limit),
		tooMany: ({ limit }) => t('Select at most {0}', limit),
		notAbove: ({ limit }) => t('Value must be greater than {0}', limit),
		notBelow: ({ limit }) => t('Value must be less than {0}', limit),
		duplicate: () => t('Values must be unique'),
		inexact: ({ text }) => t('"{0}" has too many digits to be sent exactly', text),
	});
}

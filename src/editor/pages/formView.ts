/** Shows the form of a schema in a page: the nodes with cleaned and translated texts, and the problems of a value. */
import * as vscode from 'vscode';
import { escapeStep } from '../../base/jsonPointer.js';
import { isArgumentSecret } from '../../base/secretWords.js';
import { describeFieldProblem, describeKind } from '../l10n/fieldWords.js';
import { describeSchemaProblem } from '../l10n/schemaWords.js';
import { jsonText, oneLine, webviewText } from '../ui/plainText.js';
import {
	checkForm,
	type FormModel,
	formModel,
	type FormNode,
	type JsonObject,
	type SchemaProblem,
	type SchemaValidator,
} from '../../mcp/index.js';
import type { FormProblem, ShownForm, ShownNode, Strings } from '../../webviews/page/form/protocol.js';

const { t } = vscode.l10n;

const maxDescription = 2000;
const maxDefault = 60;

/** The format of single-line texts in our own schemas. */
export const lineFormat = 'line';

/** Translates a form into the data that the page shows. @param isCompleted whether the server completes its texts */
export function shownForm({ root, nodes, json }: FormModel, isCompleted = false): ShownForm {
	return { root, json, isCompleted, nodes: nodes.map(it => shownNode(it, nodes)) };
}

function shownNode(node: FormNode, nodes: readonly FormNode[]): ShownNode {
	return {
		kind: kindOf(node),
		description: webviewText(node.description ?? '', maxDescription),
		hint: hintOf(node),
		default: node.default,
		defaultText: node.default === undefined ? '' : defaultText(node),
		isNullable: node.nullable,
		isSecret: node.isSecret,
		isNonEmpty: node.kind === 'string' && (node.minLength ?? 0) > 0,
		isLine: node.kind === 'string' && ['email', 'uri', lineFormat].includes(node.format ?? ''),
		options: optionsOf(node),
		members:
			node.kind === 'object'
				? node.members.map(({ name, node: index, required }) => {
						const title = nodes[index]?.title ?? '';
						const label = oneLine(title) || oneLine(name);
						return {
							name,
							label,
							note: isSameName(label, name) ? '' : oneLine(name),
							node: index,
							isRequired: required,
							isSecret: nodes[index]?.isSecret === true || isArgumentSecret(name),
						};
					})
				: [],
		additional: node.kind === 'object' ? node.additional : undefined,
		item: node.kind === 'list' ? node.item : undefined,
		variants: node.kind === 'variants' ? shownVariants(node.variants, nodes) : [],
	};
}

/** Variants by their titles, descriptions or types. Equal ones get numbers. */
function shownVariants(
	variants: Extract<FormNode, { kind: 'variants' }>['variants'],
	nodes: readonly FormNode[],
): ShownNode['variants'] {
	const titles = variants.map(({ title, node }) => {
		const [own, description] = [title, nodes[node]?.description].map(it => oneLine(it ?? '', maxDefault));
		return own || description || kindTitle(nodes[node]);
	});
	return variants.map(({ node }, index) => {
		const [title = ''] = titles.slice(index);
		const isUnique = titles.indexOf(title) === titles.lastIndexOf(title);
		const number = titles.slice(0, index + 1).filter(it => it === title).length;
		return { title: isUnique ? title : `${title} ${number}`, node };
	});
}

/** Generators make titles of names: "Max Results" of `max_results`. */
function isSameName(label: string, name: string): boolean {
	return lettersOf(label) === lettersOf(name);
}

function lettersOf(text: string): string {
	return text.toLowerCase().replace(/[\s_-]+/g, '');
}

function kindOf(node: FormNode): ShownNode['kind'] {
	switch (node.kind) {
		case 'string':
			return node.format === 'date' ? 'date' : node.format === 'date-time' ? 'dateTime' : 'text';
		case 'integer':
			return 'number';
		case 'boolean':
			return 'choice';
		default:
			return node.kind;
	}
}

function optionsOf(node: FormNode): ShownNode['options'] {
	switch (node.kind) {
		case 'boolean':
			return [
				{ title: t('Yes'), value: true },
				{ title: t('No'), value: false },
			];
		case 'choice':
		case 'choices':
			return node.options.map(it => ({ title: oneLine(it.title), value: it.value }));
		default:
			return [];
	}
}

/** Describes the valid values, if the control doesn't show them. */
function hintOf(node: FormNode): string {
	switch (node.kind) {
		case 'string':
			return ['email', 'uri'].includes(node.format ?? '') ? describeKind(node) : '';
		case 'number':
			return node.minimum === undefined && node.maximum === undefined ? '' : describeKind(node);
		case 'integer':
			return describeKind(node);
		case 'choices':
			return node.minItems === undefined && node.maxItems === undefined ? '' : describeKind(node);
		case 'list':
			return describeCount(node);
		case 'json':
			return describeKind(node);
		default:
			return '';
	}
}

function describeCount({ minItems = 0, maxItems }: Extract<FormNode, { kind: 'list' }>): string {
	if (maxItems === undefined) {
		return minItems > 0 ? t('Items: {0} or more.', minItems) : '';
	}
	return minItems > 0 ? t('Items: {0} to {1}.', minItems, maxItems) : t('Items: {0} or fewer.', maxItems);
}

function defaultText(node: FormNode): string {
	const { default: value } = node;
	if (node.isSecret) {
		return '••••';
	}
	const option = optionsOf(node).find(it => it.value === value)?.title;
	return oneLine(option ?? (typeof value === 'string' ? value : jsonText(value)), maxDefault);
}

/** The name of a variant whose schema has no title. */
function kindTitle(node: FormNode | undefined): string {
	switch (node?.kind) {
		case 'string':
			return node.format === undefined ? t('Text') : t('Text ({0})', oneLine(node.format, maxDefault));
		case 'number':
		case 'integer':
			return t('Number');
		case 'boolean':
			return t('Yes or No');
		case 'choice':
			return oneLine(
				node.options
					.slice(0, 3)
					.map(it => it.title)
					.join(', '),
			);
		case 'object':
			return oneLine(node.members.map(it => it.name).join(', '), maxDefault) || t('Object');
		case 'list':
		case 'choices':
			return t('List');
		default:
			return t('JSON');
	}
}

/** The form's own texts. */
export function formStrings(): Strings {
	return {
		add: t('Add'),
		addEntry: t('Add Entry'),
		addItem: t('Add Item'),
		defaultValue: t('Not set. Default: {0}', '{0}'),
		emptyList: t('Empty list'),
		emptyText: t('Empty text'),
		enterNumber: t('Enter a number'),
		entryName: t('Name'),
		entryValue: t('Value'),
		filter: t('Search choices'),
		fixFields: t('Fix these values first'),
		incomplete: t('Enter a complete date'),
		json: t('JSON'),
		moveDown: t('Move Down'),
		moveUp: t('Move Up'),
		named: t('{0}: {1}', '{0}', '{1}'),
		noFields: t('No arguments'),
		notJson: t('Value must be valid JSON'),
		notSet: t('Not set'),
		otherJson: t('This value has another type than expected, so it is shown as JSON.'),
		remove: t('Remove'),
		showMore: t('Show {0} More', '{0}'),
		uniqueName: t('Another entry has this name'),
		variant: t('Type'),
	};
}

/**
 * Why a value isn't valid by its schema, one problem for each part of it.
 * @param chosen indexes of the variants that the person has chosen, by the pointers of their values
 */
export async function findProblems(
	validator: SchemaValidator,
	schema: JsonObject,
	value: JsonObject,
	chosen: Readonly<Record<string, number>>,
): Promise<readonly FormProblem[]> {
	const check = await validator.check(schema, value);
	if (check.kind === 'valid') {
		return [];
	}
	const own = checkForm(formModel(schema), value, chosen).map(({ pointer, problem }) => ({
		pointer,
		text: describeFieldProblem(problem),
	}));
	const others = check.kind === 'invalid' ? problemsElsewhere(check.problems, own) : [];
	const all = [...own, ...others];
	return all.filter((it, index) => all.findIndex(({ pointer }) => pointer === it.pointer) === index);
}

/** Problems of the validator for parts of the value where the form itself finds none. */
function problemsElsewhere(problems: readonly SchemaProblem[], own: readonly FormProblem[]): readonly FormProblem[] {
	// The validator lists the problems of all variants, also of those that weren't meant.
	const unions = problems.filter(isUnion).map(it => it.path);
	const others = problems.filter(it =>
		isUnion(it)
			? own.length === 0
			: !unions.some(path => isWithin(it.path, path)) &&
				!own.some(({ pointer }) => isWithin(it.path + memberOf(it), pointer)),
	);
	return others.map(it => ({
		pointer: it.path + memberOf(it),
		text: webviewText(describeSchemaProblem(it), maxDescription),
	}));
}

function isUnion({ code }: SchemaProblem): boolean {
	return code === 'anyOf' || code === 'oneOf';
}

function isWithin(pointer: string, outer: string): boolean {
	return pointer === outer || pointer.startsWith(`${outer}/`);
}

/** The step to a member that is missing or not allowed. */
function memberOf({ code, data }: SchemaProblem): string {
	const name =
		code === 'required'
			? data['missingProperty']
			: code === 'additionalProperties'
				? data['additionalProperty']
				: undefined;
	return name === undefined ? '' : `/${escapeStep(String(name))}`;
}

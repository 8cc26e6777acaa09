/** The full view of a server that needs consent: a document with all of its parts, nothing cut. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { boundedDocument, exactJson } from '../../editor/ui/exactText.js';
import { jsonText, sectionsText } from '../../editor/ui/plainText.js';
import type { ConsentQuestion } from '../../core/launch/consents.js';
import type { LaunchPart } from '../../core/launch/launchParts.js';
import type { Program } from '../../core/launch/launchSnapshot.js';
import { describeChange, partsOfChange } from './changes.js';
import { describeReason, type FactDeps, sharedFolders } from './facts.js';
import { describeSent, groupParts } from './parts.js';

type Section = readonly [title: string, text: string];

/** Begins with what has changed. Undefined if it is too large to be shown. */
export function fullText(question: ConsentQuestion, { roots }: FactDeps): string | undefined {
	const { t } = vscode.l10n;
	const { definition } = question;
	const reason = describeReason(question);
	const folders = sharedFolders(definition, roots).map(it => jsonText(it));
	return boundedDocument(
		sectionsText([
			...changeSections(question),
			[t('Server'), jsonText(definition.name)],
			...(reason === undefined ? [] : [[t('Reason'), reason] as const]),
			...groupParts(question.parts).map(({ title, parts }) => [title, parts.map(partText).join('\n')] as const),
			[t('Shared folders'), folders.join('\n') || t('None')],
			[t('Configuration file'), jsonText(definition.source.uri)],
		]),
	);
}

function changeSections({ changes = [], parts }: ConsentQuestion): Section[] {
	const { t } = vscode.l10n;
	if (changes.length === 0) {
		return [];
	}
	const lines = changes.flatMap(it => [
		describeChange(it),
		...partsOfChange(it, parts).map(part => indented(valueText(part))),
	]);
	const note = t("Earlier values aren't stored, so only the current ones are shown.");
	return [[t('Changed since your consent'), [...lines, '', note].join('\n')]];
}

/** A value, under its name if the part has one. Names are JSON, so that none can pass for words of ours. */
function partText(part: LaunchPart): string {
	const value = valueText(part);
	switch (part.part) {
		case 'sent':
			return value;
		case 'input':
			return `${jsonText(part.name)}\n${indented(value)}`;
		default:
			return part.name === undefined ? value : vscode.l10n.t('{0}: {1}', jsonText(part.name), value);
	}
}

/** Values are JSON, so that no value can pass for a section or for words of ours. */
function valueText(part: LaunchPart): string {
	const { t } = vscode.l10n;
	const { shown } = part;
	if (shown === undefined) {
		return t('Not shown');
	}
	switch (part.part) {
		case 'program':
		case 'debugProgram':
			return programText(shown as Program);
		case 'sent':
			return describeSent(part);
		case 'debug':
			return fieldsText(shown as object, { type: t('Type'), debugpyPath: t('Program') });
		case 'oauth':
			return fieldsText(shown as object, { clientId: t('Client ID'), scopes: t('Scopes') });
		case 'input':
			return shown === null ? t('Not defined') : inputText(shown);
		case 'env':
			return shown === null ? t('Removed') : exactJson(shown);
		case 'config':
		case 'folder':
			return shown === null ? t('No value') : exactJson(shown);
		default:
			return Array.isArray(shown) && shown.length === 0 ? t('None') : exactJson(shown);
	}
}

function programText(program: Program): string {
	const { t } = vscode.l10n;
	switch (program.kind) {
		case 'found': {
			const { path, lastingPath } = program;
			return lastingPath === path
				? jsonText(path)
				: `${jsonText(path)}\n${t('Compared at the next start as {0}', jsonText(lastingPath))}`;
		}
		case 'missing':
			return t('Not found ({0})', program.errno);
		case 'unresolved':
			return t('Found when the server starts');
		default:
			return assertNever(program);
	}
}

function inputText(input: object): string {
	const { t } = vscode.l10n;
	// The input's id is the name of the part.
	return fieldsText(
		{ ...input, id: undefined },
		{
			kind: t('Type'),
			description: t('Description'),
			default: t('Default'),
			password: t('Password'),
			options: t('Options'),
			command: t('Editor command'),
			args: t('Arguments'),
		},
	);
}

/** All fields of a value, each on lines of its own. One without a label has its name as JSON. */
function fieldsText(value: object, labels: Readonly<Record<string, string>>): string {
	return Object.entries(value)
		.filter(([, it]) => it !== undefined)
		.map(([name, it]) => vscode.l10n.t('{0}: {1}', labels[name] ?? jsonText(name), exactJson(it)))
		.join('\n');
}

function indented(text: string): string {
	return `  ${text.replaceAll('\n', '\n  ')}`;
}

/** The full view of a server that needs consent: a page with all parts of its launch, nothing cut. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { boundedDocument, exactJson, titleName } from '../../editor/ui/exactText.js';
import { jsonText } from '../../editor/ui/plainText.js';
import type { ConsentQuestion } from '../../core/launch/consents.js';
import type { LaunchPart } from '../../core/launch/launchParts.js';
import type { Program } from '../../core/launch/launchSnapshot.js';
import type { PageBlock, PageContent, PageSection } from '../../webviews/page/protocol.js';
import {
	describeConsentChange,
	describeConsentReason,
	describeSent,
	type FactDeps,
	groupParts,
	sharedFolders,
} from './parts.js';

const { t } = vscode.l10n;

/** The full view of a server that needs consent, changes first. @throws Error if it is too large to be shown */
export function fullView(question: ConsentQuestion, { roots }: FactDeps): PageContent {
	const { definition } = question;
	const folders = sharedFolders(definition, roots).map(it => jsonText(it));
	return {
		title: t('Allow "{0}" to start?', titleName(definition.name, maxTitle)),
		summary: describeConsentReason(question) ?? '',
		tone: 'plain',
		facts: [],
		sections: [
			...changeSections(question),
			codeSection(t('Server'), jsonText(definition.name)),
			...groupParts(question.parts).map(({ title, parts }) => codeSection(title, parts.map(partText).join('\n'))),
			codeSection(t('Exposed folders'), folders.join('\n') || t('None')),
			codeSection(t('Configuration file'), jsonText(definition.source.uri)),
		],
	};
}

/** Longest name that the title has room for. */
const maxTitle = 60;

function codeSection(title: string, text: string): PageSection {
	return { title, blocks: [exactBlock('code', text)] };
}

/** A block that spells out every character that a screen doesn't show. */
function exactBlock(kind: 'text' | 'code', text: string): PageBlock {
	const shown = boundedDocument(text);
	if (shown === undefined) {
		throw new Error(t('The configuration is too large to be shown.'));
	}
	return { kind, text: shown };
}

function changeSections({ changes = [], parts }: ConsentQuestion): PageSection[] {
	if (changes.length === 0) {
		return [];
	}
	const blocks = changes.flatMap(it => {
		const values = parts.filter(({ part, name }) => part === it.part && name === it.name).map(valueText);
		return [exactBlock('text', describeConsentChange(it)), ...values.map(text => exactBlock('code', text))];
	});
	const note = t("Earlier values aren't stored, so only the current ones are shown.");
	return [{ title: t('Changed since your consent'), blocks: [...blocks, { kind: 'text', text: note }] }];
}

/** A value, under its name if the part has one. Names are JSON, so that they can't imitate our own text. */
function partText(part: LaunchPart): string {
	const value = valueText(part);
	switch (part.part) {
		case 'sent':
			return value;
		case 'input':
			return `${jsonText(part.name)}\n${indented(value)}`;
		default:
			return part.name === undefined ? value : t('{0}: {1}', jsonText(part.name), value);
	}
}

/** Values are JSON, so that they can't imitate a heading or our own text. */
function valueText(part: LaunchPart): string {
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
			return t('Located when the server starts');
		default:
			return assertNever(program);
	}
}

function inputText(input: object): string {
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

/** All fields of a value, each on its own lines. A field without a label has its name as JSON. */
function fieldsText(value: object, labels: Readonly<Record<string, string>>): string {
	return Object.entries(value)
		.filter(([, it]) => it !== undefined)
		.map(([name, it]) => t('{0}: {1}', labels[name] ?? jsonText(name), exactJson(it)))
		.join('\n');
}

function indented(text: string): string {
	return `  ${text.replaceAll('\n', '\n  ')}`;
}

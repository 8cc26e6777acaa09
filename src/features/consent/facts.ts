/** The rows of the consent sheet, and the changes since the last consent in words. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { describeSource } from '../../editor/l10n/configWords.js';
import { describeList } from '../../editor/l10n/messages.js';
import { listNames } from '../../editor/ui/exactText.js';
import type { ConsentChange } from '../../core/launch/consentFacts.js';
import type { ConsentQuestion } from '../../core/launch/consents.js';
import type { LaunchPart, PartKind } from '../../core/launch/launchParts.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { Roots } from '../../core/servers/serverPorts.js';
import { type ConsentFact, describeLaunchPart, describeParts } from './parts.js';

const { t } = vscode.l10n;

/** Parts that share the row of another part. The row counts as changed if either part has changed. */
const shownWith: Partial<Record<PartKind, PartKind>> = { program: 'command', debugProgram: 'debug' };

export interface FactDeps {
	readonly roots: Roots;
}

/**
 * The rows of the sheet, the most important first. Values that may be secret are shown by name only.
 * @returns `changed` is empty if nothing has changed since the last consent, or there was none
 */
export function describeQuestion(
	question: ConsentQuestion,
	{ roots }: FactDeps,
): Readonly<Record<'changed' | 'others', readonly ConsentFact[]>> {
	const { definition, changes = [], parts } = question;
	const { changed, others } = splitParts(question);
	const reason = describeConsentReason(question);
	const rows = (wanted: readonly LaunchPart[]): ConsentFact[] => describeParts(wanted, parts, wanted === changed);
	return {
		changed:
			changes.length === 0
				? []
				: [{ label: t('Summary'), text: describeList(changes.map(describeConsentChange)) }, ...rows(changed)],
		others: [
			...(reason === undefined ? [] : [{ label: t('Reason'), text: reason }]),
			...rows(others),
			{ label: t('Exposed folders'), text: listNames(sharedFolders(definition, roots), t('None')) || t('None') },
			{ label: t('Configured in'), text: describeSource(definition.source), isPlace: true },
		],
	};
}

/** Divides the parts of a question into changed and unchanged ones. */
function splitParts({ parts, changes = [] }: ConsentQuestion): Record<'changed' | 'others', LaunchPart[]> {
	const keys = new Set(changes.map(partKey));
	const isChanged = (it: LaunchPart): boolean => {
		const holder = shownWith[it.part];
		return keys.has(partKey(it)) || (holder !== undefined && keys.has(holder));
	};
	return { changed: parts.filter(isChanged), others: parts.filter(it => !isChanged(it)) };
}

function partKey({ part, name }: Pick<LaunchPart, 'part' | 'name'>): string {
	return name === undefined ? part : `${part}:${name}`;
}

/** "Environment variable B (new)" */
export function describeConsentChange(change: ConsentChange): string {
	const part = describeLaunchPart(change);
	switch (change.how) {
		case 'added':
			return t('{0} (new)', part);
		case 'removed':
			return t('{0} (removed)', part);
		case 'changed':
			return part;
		default:
			return assertNever(change.how);
	}
}

/** Why the server needs consent; `undefined` if the changes are the reason. */
export function describeConsentReason({ changes, isOlder }: ConsentQuestion): string | undefined {
	if (isOlder) {
		return t('Allowed in an earlier version that showed fewer details');
	}
	return changes === undefined ? t('New server') : undefined;
}

/** The names of the folders that the server gets as roots. */
export function sharedFolders(definition: ServerDefinition, roots: Roots): string[] {
	return roots.list(definition).flatMap(it => (it.uri.startsWith('file:') ? [it.name ?? it.uri] : []));
}

/** The rows of the consent sheet. */
import * as vscode from 'vscode';
import { describeSource } from '../../editor/l10n/configWords.js';
import { listNames } from '../../editor/ui/exactText.js';
import type { ConsentQuestion } from '../../core/launch/consents.js';
import type { LaunchPart } from '../../core/launch/launchParts.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { Roots } from '../../core/servers/serverPorts.js';
import { describeChanges, splitParts } from './changes.js';
import { describeParts, type Fact } from './parts.js';

export interface FactDeps {
	readonly roots: Roots;
}

/** The rows of the sheet. */
export interface Facts {
	/** What has changed since the last consent; empty if nothing has, or there was none. */
	readonly changed: readonly Fact[];
	readonly others: readonly Fact[];
}

/** The rows of the sheet, the most important first. Values that may be secret are shown by name only. */
export function describeQuestion(question: ConsentQuestion, { roots }: FactDeps): Facts {
	const { t } = vscode.l10n;
	const { definition, changes = [], parts } = question;
	const { changed, others } = splitParts(question);
	const reason = describeReason(question);
	const rows = (wanted: readonly LaunchPart[]): Fact[] => describeParts(wanted, parts, wanted === changed);
	return {
		changed: changes.length === 0 ? [] : [{ label: t('Summary'), text: describeChanges(changes) }, ...rows(changed)],
		others: [
			...(reason === undefined ? [] : [{ label: t('Reason'), text: reason }]),
			...rows(others),
			{ label: t('Shared folders'), text: listNames(sharedFolders(definition, roots), t('None')) || t('None') },
			{ label: t('Configured in'), text: describeSource(definition.source), isPlace: true },
		],
	};
}

/** Why the server needs consent; `undefined` if only what has changed says so. */
export function describeReason({ changes, isOlder }: ConsentQuestion): string | undefined {
	const { t } = vscode.l10n;
	if (isOlder) {
		return t('Approved in an earlier version, which showed less');
	}
	return changes === undefined ? t('New server') : undefined;
}

/** The names of the folders that the server is told of. */
export function sharedFolders(definition: ServerDefinition, roots: Roots): string[] {
	return roots.list(definition).flatMap(it => (it.uri.startsWith('file:') ? [it.name ?? it.uri] : []));
}

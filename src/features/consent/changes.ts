/** What has changed since the last consent, in words. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { describeList } from '../../editor/l10n/messages.js';
import type { ConsentChange } from '../../core/launch/consent.js';
import type { ConsentQuestion } from '../../core/launch/consents.js';
import type { LaunchPart, PartKind } from '../../core/launch/launchParts.js';
import { describePart } from './parts.js';

/** Parts that are shown in the row of another one: the row has changed if either has. */
const shownWith: Partial<Record<PartKind, PartKind>> = { program: 'command', debugProgram: 'debug' };

/** The parts of a question: those that have changed since the last consent, and the others. */
export function splitParts({ parts, changes = [] }: ConsentQuestion): Record<'changed' | 'others', LaunchPart[]> {
	const keys = new Set(changes.map(keyOf));
	const isChanged = (it: LaunchPart): boolean => {
		const holder = shownWith[it.part];
		return keys.has(keyOf(it)) || (holder !== undefined && keys.has(holder));
	};
	return { changed: parts.filter(isChanged), others: parts.filter(it => !isChanged(it)) };
}

/** The parts that a change is about, as they are now: none if nothing is in the place of a removed part. */
export function partsOfChange(change: ConsentChange, parts: readonly LaunchPart[]): LaunchPart[] {
	return parts.filter(it => it.part === change.part && it.name === change.name);
}

function keyOf({ part, name }: Pick<LaunchPart, 'part' | 'name'>): string {
	return name === undefined ? part : `${part}:${name}`;
}

/** "arguments, environment variable B (new)" */
export function describeChanges(changes: readonly ConsentChange[]): string {
	return describeList(changes.map(describeChange));
}

/** "environment variable B (new)" */
export function describeChange(change: ConsentChange): string {
	const { t } = vscode.l10n;
	const part = describePart(change);
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

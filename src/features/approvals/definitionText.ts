/** A tool's definition as text for the diff view. Invisible characters are spelled out. */
import * as vscode from 'vscode';
import type { Documents } from '../../editor/documents/documents.js';
import { boundedDocument, exactJson } from '../../editor/ui/exactText.js';
import { sectionsText, titleText } from '../../editor/ui/plainText.js';
import { toolName } from '../../editor/ui/shownNames.js';
import { canonicalJson } from '../../mcp/index.js';
import type { ApprovalQuestion } from '../../core/approvals/approver.js';
import { type LockedDefinition, lockedParts } from '../../core/approvals/toolLock.js';

/**
 * Shows the locked and the current definition in the diff view. Resolves with the URI of the current one; rejects if they
 * can't be shown.
 */
export async function showChange(
	question: ApprovalQuestion,
	serverLabel: string,
	documents: Documents,
): Promise<vscode.Uri> {
	const { comparison, request } = question;
	const { locked } = comparison;
	const { tool, instructions } = request;
	const before = locked ? definitionText(locked) : '';
	const after = definitionText({ tool: lockedParts(tool), instructions });
	const title = titleText(vscode.l10n.t('{0} (before ↔ now)', toolName(tool.name, 40)), serverLabel);
	return documents.showDiff(title, before, after, true);
}

/** The parts of a definition under headings. @throws Error in the person's language if the definition is too large to be shown */
export function definitionText(definition: LockedDefinition): string {
	return shownText(sectionsOf(definition));
}

/** The definitions of several tools, each under its name. Skips tools without one. @throws as `definitionText` */
export function definitionsText(names: readonly string[], all: ReadonlyMap<string, LockedDefinition>): string {
	const found = names.flatMap(name => {
		const definition = all.get(name);
		return definition ? [[toolName(name), sectionsOf(definition)] as const] : [];
	});
	return shownText(sectionsText(found));
}

function shownText(whole: string): string {
	const text = boundedDocument(whole);
	if (text === undefined) {
		throw new Error(vscode.l10n.t('The tool definition is too large to be shown.'));
	}
	return text;
}

function sectionsOf({ tool, instructions }: LockedDefinition): string {
	const { t } = vscode.l10n;
	const { title, description, inputSchema, outputSchema, annotations } = tool;
	const parts = [
		[t('Title'), title],
		[t('Description'), description],
		[t('Hints (unverified)'), annotations ? json(annotations) : undefined],
		[t('Arguments (JSON Schema)'), json(inputSchema)],
		[t('Structured result (JSON Schema)'), outputSchema ? json(outputSchema) : undefined],
		[t('Server instructions'), instructions],
	] as const;
	return sectionsText(parts);
}

/** JSON with sorted keys, so that another order of keys shows no difference. */
function json(value: object): string {
	return exactJson(JSON.parse(canonicalJson(value)));
}

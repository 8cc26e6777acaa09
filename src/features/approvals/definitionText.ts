/** A tool's definition as text for the diff view. Invisible characters are spelled out. */
import * as vscode from 'vscode';
import type { Documents } from '../../editor/documents/documents.js';
import { boundedDocument, exactJson } from '../../editor/ui/exactText.js';
import { sectionsText, titleText } from '../../editor/ui/plainText.js';
import { canonicalJson } from '../../mcp/index.js';
import type { ApprovalQuestion } from '../../core/approvals/approver.js';
import { type PinnedDefinition, pinOf } from '../../core/approvals/pins.js';

/**
 * Shows the pinned and the current definition in the diff view. Resolves with the URI of the current one; rejects if they
 * can't be shown.
 */
export async function showChange(question: ApprovalQuestion, whose: string, documents: Documents): Promise<vscode.Uri> {
	const { pinned, request } = question;
	const { tool, instructions } = request;
	const before = pinned ? definitionText(pinned) : '';
	const after = definitionText({ tool: pinOf(tool), instructions });
	const title = titleText(vscode.l10n.t('{0} (before ↔ now)', tool.name), whose);
	return documents.showDiff(title, before, after, true);
}

/** @throws Error in the person's language if the definition is too large to be shown */
export function definitionText({ tool, instructions }: PinnedDefinition): string {
	const { t } = vscode.l10n;
	const { title, description, inputSchema, outputSchema, annotations } = tool;
	const none = t('none');
	const parts = [
		[t('Title'), indented(title) ?? none],
		[t('Description'), indented(description) ?? none],
		[t('Hints (unverified)'), annotations ? json(annotations) : none],
		[t('Arguments (JSON Schema)'), json(inputSchema)],
		[t('Structured result (JSON Schema)'), outputSchema ? json(outputSchema) : none],
		[t('Instructions of the server'), indented(instructions) ?? none],
	] as const;
	const text = boundedDocument(sectionsText(parts));
	if (text === undefined) {
		throw new Error(t('Too large to be shown'));
	}
	return text;
}

/** Text of a server, indented so that it can't imitate a heading or `none`. */
function indented(text: string | undefined): string | undefined {
	return text?.replaceAll(/^|\n/g, '$&  ');
}

/** With sorted keys, so that a new order of keys is no difference. */
function json(value: object): string {
	return exactJson(JSON.parse(canonicalJson(value)));
}

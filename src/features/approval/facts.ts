/** What a person is to know of a call before they allow it, as lines of the sheet. */
import * as vscode from 'vscode';
import {
	describeCaller,
	describeChange,
	describeHints,
	describeReason,
	describeWarning,
} from '../../host/approvalWords.js';
import { describeNumber, describeSize } from '../../host/messages.js';
import { jsonText, quickPickLines, quickPickText } from '../../host/plainText.js';
import type { JsonObject } from '../../mcp/index.js';
import type { ApprovalQuestion } from '../../model/approver.js';
import type { Reach } from '../../model/policy.js';
import type { ToolWarning } from '../../model/toolWarnings.js';

/** Lines without a choice are there to be read. */
export interface FactItem extends vscode.QuickPickItem {
	readonly choice?: 'showDiff' | 'showArguments' | 'openPolicy';
}

/** Letters that the quick pick shows beside a label. */
const width = 64;
/** Of one argument; the document has the rest. */
const maxLines = 3;
const maxArguments = 12;

export function factItems(question: ApprovalQuestion, warnings: readonly ToolWarning[]): FactItem[] {
	const { t } = vscode.l10n;
	const { request, input, decision, changes, pinned } = question;
	const hints = describeHints(request.tool.annotations);
	const { reason } = decision;
	return [
		...(input.pin === 'changed'
			? [
					{
						label: t('definition changed'),
						description: describeChange(pinned?.pinned, changes),
						iconPath: new vscode.ThemeIcon('diff'),
						choice: 'showDiff' as const,
					},
				]
			: []),
		...argumentItems(request.arguments),
		{ label: t('asked by'), description: quickPickText(describeCaller(request.caller)) },
		{ label: t('reaches'), description: describeReach(input.facts.reach) },
		...(hints.length > 0
			? [{ label: t('server says'), description: t('{0} (unverified)', hints.join(' · ')) }]
			: [{ label: t('server says'), description: t('nothing of what it may do') }]),
		{
			label: t('why asked'),
			description: describeReason(reason),
			...((reason.kind === 'rule' || reason.kind === 'otherwise' || reason.kind === 'broken') && {
				iconPath: new vscode.ThemeIcon('go-to-file'),
				choice: 'openPolicy' as const,
			}),
		},
		...warnings.map(it => ({
			label: t('beware (a guess)'),
			description: describeWarning(it),
			iconPath: new vscode.ThemeIcon('warning'),
		})),
	];
}

function argumentItems(args: JsonObject): FactItem[] {
	const { t } = vscode.l10n;
	const all = Object.entries(args);
	if (all.length === 0) {
		return [{ label: t('arguments'), description: t('none') }];
	}
	const shown = all.slice(0, maxArguments).flatMap(([name, value]) => argumentLines(name, value));
	const left = all.length - maxArguments;
	return left > 0 ? [...shown, more(t('{0} more arguments', describeNumber(left)))] : shown;
}

/** As many lines as a person looks at; what is not among them is said. */
function argumentLines(name: string, value: unknown): FactItem[] {
	const json = jsonText(value) ?? '';
	// Lines of a long text take their time, and nobody sees them.
	const lines = quickPickLines(json.slice(0, width * (maxLines + 1)), width);
	const shown = lines.slice(0, maxLines).map((description, index): FactItem => {
		return { label: index === 0 ? quickPickText(name, 60) : '…', description };
	});
	return lines.length > maxLines ? [...shown, more(describeSize(new TextEncoder().encode(json).length))] : shown;
}

function more(what: string): FactItem {
	return {
		label: '…',
		description: vscode.l10n.t('{0} in all, shown in full only', what),
		iconPath: new vscode.ThemeIcon('warning'),
		choice: 'showArguments',
	};
}

function describeReach({ roots, outside }: Reach): string {
	const { t } = vscode.l10n;
	const parts = [
		...(roots.length > 0 ? [roots.map(it => quickPickText(it, 40)).join(', ')] : []),
		...(outside.length > 0
			? [t('outside of all folders: {0}', outside.map(it => quickPickText(it, 80)).join(', '))]
			: []),
	];
	return parts.join(' · ') || t('no path, as far as its arguments say');
}

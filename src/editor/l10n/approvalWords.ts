/** Describes the facts of an approval: callers, reasons, changed definitions, and the server's hints about a tool. */
import * as vscode from 'vscode';
import type { ToolAnnotations } from '../../mcp/index.js';
import type { ApprovalReason, Caller, Grant, PolicySource } from '../../core/approvals/approval.js';
import type { ChangedPart } from '../../core/approvals/toolLock.js';
import { Settings } from '../contributions.js';
import { quickInputText } from '../ui/plainText.js';
import { describeDateTime } from './timeText.js';
import { chooseText } from './chooseText.js';

const { t } = vscode.l10n;

/** The caller of a tool. The id of an extension is cleaned for quick inputs, which suits all sinks but documents. */
export function describeCaller(caller: Caller): string {
	return chooseText(caller, {
		person: () => t('You'),
		command: () => t('Extension or keybinding'),
		extension: ({ id }) => t('Extension "{0}" (unverified)', quickInputText(id, 60)),
		history: () => t('Repeated call from the history'),
		model: () => t('Model'),
	});
}

/** The name of the policy's file or setting. */
function describePolicySource(source: PolicySource): string {
	return source === 'definition' ? 'mcp-policy.json' : Settings.policy;
}

/** The reason for a decision: a sentence without a period. */
export function describeReason(reason: ApprovalReason): string {
	return chooseText(reason, {
		rule: ({ number, source }) => t('Rule {0} of {1}', number, describePolicySource(source)),
		otherwise: ({ source }) => t('{0} denies calls without a matching rule', describePolicySource(source)),
		broken: ({ source }) => t('{0} has errors, so every call needs approval', describePolicySource(source)),
		grant: ({ grant }) => (grant.decision === 'allow' ? t('Allowed by you earlier') : t('Always denied by you')),
		changedPin: () => t("The tool's definition has changed"),
		unreadablePin: () => t("The locked tool definitions can't be read, so changes can't be detected"),
		notPinned: () => t("The tool's definition can't be stored, so changes can't be detected"),
		ownConsent: () => t('Started by you'),
		resumed: () => t('Allowed before the window was reloaded'),
		byDefault: () => t("No rule allows this call, so you're asked"),
	});
}

/** A part of a tool's definition that has changed. */
function describeChangedPart(part: ChangedPart): string {
	return {
		title: t('Title'),
		description: t('Description'),
		inputSchema: t('Arguments'),
		outputSchema: t('Structured result'),
		annotations: t('Hints'),
		instructions: t('Server instructions'),
	}[part];
}

/** Lists the changed parts of a definition. */
export function describeChange(changes: readonly ChangedPart[]): string {
	return changes.map(describeChangedPart).join(t(', '));
}

/** Since when a grant counts, and whether only until the window closes. Also for grants of sampling. */
export function describeGrantTime({ lasts, time }: Pick<Grant, 'lasts' | 'time'>): string {
	const when = describeDateTime(time);
	return lasts === 'session' ? t('Since {0}, for this session', when) : t('Since {0}', when);
}

/**
 * The claims of a server about its tool, in words that are short enough for an approval sheet. By the specification, a
 * missing hint has a default, but a tool without annotations makes no claims.
 */
export function describeHints(annotations: ToolAnnotations | undefined): string[] {
	if (!annotations) {
		return [];
	}
	const { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true } = annotations;
	const hints = readOnlyHint
		? [t('Read-only')]
		: [
				destructiveHint ? t('May delete or overwrite data') : t('Only adds data'),
				...(idempotentHint ? [t('Safe to repeat')] : []),
			];
	return [...hints, openWorldHint ? t('Uses external services') : t('Uses no external services')];
}

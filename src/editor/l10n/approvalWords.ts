/** Words for callers, reasons, changes, hints, warnings, and policy mistakes, in sheets, documents, and diagnostics. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import type { ToolAnnotations } from '../../mcp/index.js';
import type { ApprovalReason, Caller, Grant, PolicySource } from '../../core/approvals/approval.js';
import type { ChangedPart } from '../../core/approvals/pins.js';
import type { PolicyProblem, PolicyType } from '../../core/approvals/policyFile.js';
import type { ToolWarning } from '../../core/approvals/toolWarnings.js';
import { describeList } from './messages.js';
import { oneLine, quickInputText, quickPickText } from '../ui/plainText.js';
import { describeDateTime } from './timeText.js';

const { t } = vscode.l10n;

/** The caller of a tool. The id that an extension gives is cleaned for every sink but a document. */
export function describeCaller(caller: Caller): string {
	switch (caller.kind) {
		case 'person':
			return t('you');
		case 'command':
			return t('another extension or a keybinding');
		case 'extension':
			return t('the extension "{0}", as it says', quickInputText(caller.id, 60));
		case 'document':
			return t('an arguments document');
		case 'history':
			return t('a call from the history');
		case 'model':
			return caller.through === 'participant' ? t('@mcp (a model)') : t('a model');
		default:
			return assertNever(caller);
	}
}

/** "mcp-policy.json" */
export function describePolicySource(source: PolicySource): string {
	return source === 'definition' ? 'mcp-policy.json' : t('your setting mcpWorkbench.policy');
}

/** The reason for a decision: a clause without a period. */
export function describeReason(reason: ApprovalReason): string {
	switch (reason.kind) {
		case 'rule':
			return t('rule {0} of {1}', reason.number, describePolicySource(reason.source));
		case 'otherwise':
			return t('{0} denies calls without a matching rule', describePolicySource(reason.source));
		case 'broken':
			return t('{0} has a mistake, so every call needs approval', describePolicySource(reason.source));
		case 'grant':
			return reason.grant.decision === 'allow' ? t('you have allowed it before') : t('you have denied it for good');
		case 'changedPin':
			return t('the definition of the tool has changed');
		case 'unreadablePin':
			return t("the pinned tool definitions can't be read, so a change would not be noticed");
		case 'notPinned':
			return t("the definition of the tool can't be stored, so a change would not be noticed");
		case 'ownConsent':
			return t('you asked for it yourself');
		case 'resumed':
			return t('it was allowed before the window was reloaded');
		case 'byDefault':
			return t('no rule allows it, so you are asked');
		default:
			return assertNever(reason);
	}
}

/** A part of a tool's definition that has changed. */
function describeChangedPart(part: ChangedPart): string {
	switch (part) {
		case 'title':
			return t('title');
		case 'description':
			return t('description');
		case 'inputSchema':
			return t('arguments');
		case 'outputSchema':
			return t('structured result');
		case 'annotations':
			return t('hints');
		case 'instructions':
			return t("the server's instructions");
		default:
			return assertNever(part);
	}
}

/**
 * The parts of a definition that have changed, and since when.
 * @param day on which it was pinned, if that is known
 */
export function describeChange(day: string | undefined, changes: readonly ChangedPart[]): string {
	const parts = describeList(changes.map(describeChangedPart));
	return day === undefined ? parts : t('{0} (since {1})', parts, describeDay(day));
}

/** A day as written in a lock file. Formatted as UTC, so that it is the same day in every time zone. */
export function describeDay(day: string): string {
	return new Date(day).toLocaleDateString(vscode.env.language, { dateStyle: 'medium', timeZone: 'UTC' });
}

/** Since when a grant counts, and whether only until the window closes. Also for grants of sampling. */
export function describeGrantTime({ lasts, time }: Pick<Grant, 'lasts' | 'time'>): string {
	const when = describeDateTime(time);
	return lasts === 'session' ? t('since {0}, until the window closes', when) : t('since {0}', when);
}

/** A warning about a call: a clause without a period. */
export function describeWarning(warning: ToolWarning): string {
	switch (warning.kind) {
		case 'hiddenText':
			return t('the definition has invisible characters or changes the text direction');
		case 'instructions':
			return t('the definition instructs models: "{0}"', quickPickText(warning.quote, 100));
		case 'imitates': {
			const server = quickPickText(warning.server, 40);
			return warning.isSame
				? t('same tool name on {0}', server)
				: t('similar tool name on {0}: {1}', server, quickPickText(warning.tool, 60));
		}
		case 'secret':
			return t('{0} contains a secret stored for a server', quickPickText(warning.argument, 60));
		default:
			return assertNever(warning);
	}
}

/**
 * What the server claims of its tool, in words so short that an approval sheet has room for all of them. The defaults
 * apply only to tools that carry annotations at all.
 */
export function describeHints(annotations: ToolAnnotations | undefined): string[] {
	if (!annotations) {
		return [];
	}
	const { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true } = annotations;
	const hints = readOnlyHint
		? [t('changes nothing')]
		: [
				destructiveHint ? t('may delete or overwrite') : t('only adds'),
				...(idempotentHint ? [t('safe to repeat')] : []),
			];
	return [...hints, openWorldHint ? t('uses outside services') : t('uses no outside services')];
}

/** A mistake in a policy, for a diagnostic. */
export function describePolicyProblem(problem: PolicyProblem): string {
	return t('{0} Every call needs approval until you fix the file.', describeMistake(problem));
}

function describeMistake(problem: PolicyProblem): string {
	switch (problem.code) {
		case 'syntax':
			return t('Not valid JSON ({0}).', problem.error);
		case 'wrongType':
			return t('"{0}" must be {1}.', oneLine(problem.key), describePolicyType(problem.expected));
		case 'unknownKey':
			return t('Unknown key "{0}": must be one of {1}.', oneLine(problem.key), problem.known.join(', '));
		case 'unknownValue':
			return t(
				'"{0}" cannot be "{1}": must be one of {2}.',
				oneLine(problem.key),
				oneLine(problem.value),
				problem.known.join(', '),
			);
		case 'tooLong':
			return t('The file is too large.');
		case 'tooDeep':
			return t('Nested too deeply.');
		case 'missing':
			return t('This rule has no "{0}".', problem.key);
		case 'duplicate':
			return t('Duplicate key "{0}".', oneLine(problem.key));
		default:
			return assertNever(problem);
	}
}

function describePolicyType(type: PolicyType): string {
	switch (type) {
		case 'object':
			return t('an object');
		case 'array':
			return t('a list');
		case 'boolean':
			return t('true or false');
		case 'text':
			return t('text');
		case 'textOrTexts':
			return t('text or a list of texts');
		case 'pattern':
			return t('a pattern or a list of patterns');
		default:
			return assertNever(type);
	}
}

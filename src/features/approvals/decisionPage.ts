/**
 * The page of Explain Decision. Its numbered steps are those of `decideApproval` (`core/approvals/approval.ts`), in the
 * same order: change both together.
 */
import * as vscode from 'vscode';
import {
	describeCaller,
	describeChange,
	describeDay,
	describePolicySource,
	describeReason,
} from '../../editor/l10n/approvalWords.js';
import { listedName, listNames } from '../../editor/ui/exactText.js';
import { visibleJson } from '../../editor/ui/plainText.js';
import { describeList } from '../../editor/l10n/messages.js';
import { assertNever } from '../../base/errors.js';
import {
	covers,
	decideApproval,
	type ApprovalDecision,
	type ApprovalInput,
	type ApprovalReason,
	type Caller,
	type PolicySource,
} from '../../core/approvals/approval.js';
import type { PageContent, PageRow, PageStep } from '../../webviews/page/protocol.js';
import type { ApprovalQuestion } from '../../core/approvals/approver.js';
import { certainlyOutside, matchingRules, type PolicyDecision, type PolicyRule } from '../../core/approvals/policy.js';

/** The callers that a decision without a call is explained for. */
const callers: readonly Caller[] = [{ kind: 'person' }, { kind: 'command' }, { kind: 'model' }];

interface Outcome extends ApprovalDecision {
	readonly caller: Caller;
}

/**
 * @param serverLabel the server's label
 * @param hasArguments false to explain the tool alone, for several callers and without arguments
 */
export function decisionPage(question: ApprovalQuestion, serverLabel: string, hasArguments: boolean): PageContent {
	const { t } = vscode.l10n;
	const { input, request } = question;
	const { pathScope } = input.facts;
	const outcomes = outcomesOf(question, hasArguments);
	const kinds = new Set(outcomes.map(it => it.kind));
	const [kind = 'ask'] = kinds;
	const none = t('None');
	return {
		title: t('Decision for {0} on {1}', listedName(request.tool.name), serverLabel),
		summary: kinds.size > 1 ? describeDifferent() : hasArguments ? describeCall(kind) : describeCalls(kind),
		tone: kinds.size > 1 ? 'warning' : ({ allow: 'good', ask: 'warning', deny: 'error' } as const)[kind],
		facts: hasArguments
			? [{ label: t('Caller'), value: describeCaller(request.caller) }, ...outcomes.flatMap(callRows)]
			: outcomes.map(callerRow),
		sections: [
			{ title: t('Steps of the decision'), blocks: [{ kind: 'steps', steps: stepsOf(question, outcomes) }] },
			{
				title: t('Call details that rules can match'),
				blocks: [
					{
						kind: 'rows',
						rows: [
							{ label: t('Folders'), value: listNames(pathScope.roots, none) || none },
							{ label: t('Outside the workspace'), value: listNames(certainlyOutside(pathScope), none) || none },
							{ label: t('Possibly outside the workspace'), value: listNames(pathScope.unclear, none) || none },
						],
					},
				],
			},
			{
				title: t('Arguments'),
				blocks: [
					hasArguments
						? { kind: 'code', text: visibleJson(request.arguments) }
						: {
								kind: 'text',
								text: t('Evaluated without arguments. Rules about folders may change the result.'),
							},
				],
			},
		],
	};
}

/** The reason that names a policy, if a policy has decided or would decide. */
export function policyReason(question: ApprovalQuestion, hasArguments: boolean): ApprovalReason | undefined {
	return outcomesOf(question, hasArguments)
		.flatMap(({ reason, asked }) => [reason, asked])
		.find(it => it !== undefined && 'source' in it);
}

function outcomesOf({ input }: ApprovalQuestion, hasArguments: boolean): Outcome[] {
	return (hasArguments ? [input.caller] : callers).map(caller => ({
		caller,
		...decideApproval({ ...input, caller }),
	}));
}

function describeCall(kind: PolicyDecision): string {
	const { t } = vscode.l10n;
	return {
		allow: t('This call is allowed.'),
		ask: t('This call needs your approval.'),
		deny: t('This call is denied.'),
	}[kind];
}

function describeCalls(kind: PolicyDecision): string {
	const { t } = vscode.l10n;
	return {
		allow: t('Every call of this tool is allowed.'),
		ask: t('Every call of this tool needs your approval.'),
		deny: t('Every call of this tool is denied.'),
	}[kind];
}

/** Only a person's own calls are decided in another way than those of others. */
function describeDifferent(): string {
	return vscode.l10n.t('Your own calls are allowed. Calls by models and extensions need your approval.');
}

function callRows({ reason, asked }: Outcome): PageRow[] {
	const { t } = vscode.l10n;
	return [
		{ label: t('Reason'), value: describeReason(reason) },
		...(asked ? [{ label: t('Without this'), value: describeReason(asked) }] : []),
	];
}

function callerRow({ caller, kind, reason, asked }: Outcome): PageRow {
	const { t } = vscode.l10n;
	const otherwise = asked ? [t('Without this: {0}', describeReason(asked))] : [];
	return {
		label: describeCaller(caller),
		value: { allow: t('Allowed'), ask: t('Needs approval'), deny: t('Denied') }[kind],
		note: [describeReason(reason), ...otherwise].join('\n'),
	};
}

/** The steps of `decideApproval`, each with what it found and whether it decided. */
function stepsOf(question: ApprovalQuestion, outcomes: readonly Outcome[]): PageStep[] {
	const { t } = vscode.l10n;
	const { input } = question;
	const steps: readonly (readonly [string, readonly string[]])[] = [
		[
			t('Deny rules and your saved denials'),
			[...grantLines(input, 'deny'), ...ruleLines(input, 'definition', 'deny'), ...ruleLines(input, 'user', 'deny')],
		],
		[
			t('Policies'),
			[
				t('{0}: {1}', 'mcp-policy.json', readable(input.definitionPolicy.kind === 'read')),
				t('{0}: {1}', describePolicySource('user'), readable(input.userPolicy.kind === 'read')),
			],
		],
		[t('Tool definition'), [describeLock(question)]],
		[
			t('First matching rule of each policy (the stricter counts)'),
			[
				...(input.isTrusted ? [] : [t("This workspace isn't trusted, so the allow rules of its policy are ignored.")]),
				...ruleLines(input, 'definition'),
				...ruleLines(input, 'user'),
			],
		],
		[
			t('Your saved approvals, for calls that need approval'),
			[
				...grantLines(input, 'allow'),
				...(outcomes.some(it => it.reason.kind === 'ownConsent')
					? [t('Tools that you run yourself are allowed.')]
					: []),
			],
		],
	];
	return steps.map(([title, lines], index) => {
		const deciding = outcomes.filter(it => stepOf(it) === index);
		const isForAll = deciding.length === outcomes.length;
		const names = describeList(deciding.map(it => describeCaller(it.caller)));
		return {
			title,
			decides: deciding.length > 0,
			state: deciding.length === 0 ? t('No decision') : isForAll ? t('Decides') : t('Decides for: {0}', names),
			lines: lines.length > 0 ? lines : [t('None')],
		};
	});
}

/** Which step gave a decision, from 0. */
function stepOf({ kind, reason }: ApprovalDecision): number {
	switch (reason.kind) {
		case 'rule':
			return kind === 'deny' ? 0 : 3;
		case 'grant':
			return kind === 'deny' ? 0 : 4;
		case 'broken':
			return 1;
		case 'changedPin':
		case 'unreadablePin':
		case 'notPinned':
			return 2;
		case 'otherwise':
		case 'byDefault':
			return 3;
		case 'ownConsent':
		case 'resumed':
			return 4;
		default:
			return assertNever(reason);
	}
}

function ruleLines(input: ApprovalInput, source: PolicySource, only?: PolicyDecision): string[] {
	const { t } = vscode.l10n;
	const state = source === 'definition' ? input.definitionPolicy : input.userPolicy;
	if (state.kind === 'broken') {
		return [];
	}
	const name = describePolicySource(source);
	const rules = matchingRules(state.policy, input.facts)
		.filter(it => only === undefined || it.rule.decision === only)
		.map(({ rule, number }) => t('{0}, rule {1}: {2}', name, number, describeRule(rule)));
	if (only !== undefined || rules.length > 0) {
		return rules;
	}
	// The default "ask" decides nothing: it also applies without a policy.
	return [
		state.policy.otherwise === 'deny'
			? t('{0}: No rule matches, so calls are denied', name)
			: t('{0}: No rule matches', name),
	];
}

function describeRule({ decision, ...conditions }: PolicyRule): string {
	return `${describeDecision(decision)} ${JSON.stringify(conditions)}`;
}

function grantLines(input: ApprovalInput, decision: 'allow' | 'deny'): string[] {
	return input.grants
		.filter(it => it.decision === decision && covers(it, input))
		.map(({ lasts, time, argumentsKey }) => {
			const { t } = vscode.l10n;
			const when = new Date(time).toLocaleString(vscode.env.language);
			const what = argumentsKey === undefined ? t('Any arguments') : t('These arguments');
			return lasts === 'session'
				? t('{0} (since {1}, until the window closes)', what, when)
				: t('{0} (since {1}, until revoked)', what, when);
		});
}

function describeLock({ input, changes, locked, locks }: ApprovalQuestion): string {
	const { t } = vscode.l10n;
	const day = locked?.lockedOn;
	switch (input.lock) {
		case 'new':
			return t("The tool hasn't run in this workspace before and isn't locked in mcp-lock.json.");
		case 'same':
			return day === undefined
				? t("The definition hasn't changed.")
				: t("The definition hasn't changed since {0}.", describeDay(day));
		case 'changed':
			return t('The definition has changed: {0}', describeChange(day, changes));
		case 'unreadable':
			return locks.states.lock === 'unreadable'
				? t("mcp-lock.json can't be read, so every call needs approval.")
				: t("The stored definitions of this server's tools can't be read, so every call needs approval.");
		case 'notLocked':
			return t("The definition can't be stored for comparison, so every call needs approval.");
	}
}

function describeDecision(decision: PolicyDecision): string {
	const { t } = vscode.l10n;
	return { allow: t('Allow'), ask: t('Ask'), deny: t('Deny') }[decision];
}

function readable(isRead: boolean): string {
	return isRead ? vscode.l10n.t('No errors') : vscode.l10n.t('Has errors, so every call needs approval');
}

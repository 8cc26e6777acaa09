/**
 * The text of Explain Decision. Its numbered sections are the steps of `decideApproval` (`core/approvals/approval.ts`), in the
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
import { listNames } from '../../editor/ui/exactText.js';
import { documentText, sectionsText, visibleJson } from '../../editor/ui/plainText.js';
import {
	covers,
	decideApproval,
	type ApprovalInput,
	type Caller,
	type PolicySource,
} from '../../core/approvals/approval.js';
import type { ApprovalQuestion } from '../../core/approvals/approver.js';
import { certainlyOutside, matchingRules, type PolicyDecision, type PolicyRule } from '../../core/approvals/policy.js';

const callers: readonly Caller[] = [{ kind: 'person' }, { kind: 'command' }, { kind: 'model', through: 'tool' }];

/**
 * @param whose the server's label
 * @param hasArguments false to explain the tool alone, for several callers and without arguments
 */
export function explainDecision(question: ApprovalQuestion, whose: string, hasArguments: boolean): string {
	const { t } = vscode.l10n;
	const { input, request } = question;
	const { reach } = input.facts;
	const sections: readonly (readonly [string, readonly string[]])[] = [
		[
			t('{0} on {1}', request.tool.name, whose),
			[
				...(hasArguments
					? [t('Caller: {0}', describeCaller(request.caller)), ...outcome(input)]
					: callers.flatMap(caller => [describeCaller(caller), ...outcome({ ...input, caller }).map(it => `  ${it}`)])),
				...(hasArguments
					? []
					: ['', t('Evaluated without arguments. Rules about arguments or folders may change the result.')]),
			],
		],
		[
			t('1. Deny rules and your denials'),
			[...grantLines(input, 'deny'), ...ruleLines(input, 'definition', 'deny'), ...ruleLines(input, 'user', 'deny')],
		],
		[
			t('2. Policies'),
			[
				t('{0}: {1}', 'mcp-policy.json', readable(input.definitionPolicy.kind === 'read')),
				t('{0}: {1}', describePolicySource('user'), readable(input.userPolicy.kind === 'read')),
			],
		],
		[t('3. Tool definition'), [describePin(question)]],
		[
			t('4. First matching rule of each policy; the stricter decides'),
			[
				...(input.isTrusted ? [] : [t("This workspace isn't trusted, so the allow rules of its policy don't count.")]),
				...ruleLines(input, 'definition'),
				...ruleLines(input, 'user'),
			],
		],
		[t('5. Your earlier approvals, for calls that would be asked about'), grantLines(input, 'allow')],
		[
			t('Facts that rules check'),
			[
				t('Folders: {0}', listNames(reach.roots, t('none')) || t('none')),
				t('Outside the workspace: {0}', listNames(certainlyOutside(reach), t('none')) || t('none')),
				t('May be outside the workspace: {0}', listNames(reach.unclear, t('none')) || t('none')),
				t('Arguments: {0}', visibleJson(input.facts.arguments)),
			],
		],
	];
	return sectionsText(
		sections.map(([title, lines]) => [
			documentText(title),
			lines.length > 0 ? lines.map(documentText).join('\n') : t('nothing'),
		]),
	);
}

/** The decision, its reason, and what would be asked without that reason. */
function outcome(input: ApprovalInput): string[] {
	const { t } = vscode.l10n;
	const { kind, reason, asked } = decideApproval(input);
	return [
		`→ ${t('{0}: {1}', describeDecision(kind), describeReason(reason))}`,
		...(asked ? [t('  otherwise it would be asked: {0}', describeReason(asked))] : []),
	];
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
			? t('{0}: no rule matches, so it is denied', name)
			: t('{0}: no rule matches', name),
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
			const what = argumentsKey === undefined ? t('the tool with any arguments') : t('these arguments');
			return lasts === 'session'
				? t('{0}, since {1}, until the window closes', what, when)
				: t('{0}, since {1}, until revoked', what, when);
		});
}

function describePin({ input, changes, pinned, pins }: ApprovalQuestion): string {
	const { t } = vscode.l10n;
	const day = pinned?.pinned;
	switch (input.pin) {
		case 'new':
			return t("The tool has not run here before and isn't pinned in mcp-lock.json.");
		case 'same':
			return day === undefined
				? t('The definition has not changed.')
				: t('The definition has not changed since {0}.', describeDay(day));
		case 'changed':
			return t('The definition has changed: {0}', describeChange(day, changes));
		case 'unreadable':
			return pins.states.lock === 'unreadable'
				? t("mcp-lock.json can't be read, so every call needs approval.")
				: t("The stored definitions of this server's tools can't be read, so every call needs approval.");
		case 'notPinned':
			return t("The definition can't be stored for comparison, so every call needs approval.");
	}
}

function describeDecision(decision: PolicyDecision): string {
	const { t } = vscode.l10n;
	return { allow: t('allowed'), ask: t('asked'), deny: t('denied') }[decision];
}

function readable(isRead: boolean): string {
	return isRead ? vscode.l10n.t('read') : vscode.l10n.t('has a mistake, so every call needs approval');
}

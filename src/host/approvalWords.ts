/** Why a call is allowed, asked about or denied, in words. */
import * as vscode from 'vscode';
import { assertNever } from '../base/errors.js';
import type { ApprovalReason, Caller, PolicySource } from '../model/approval.js';
import { quickInputText } from './plainText.js';

const { t } = vscode.l10n;

/** Who wants a tool to run. What an extension says of itself is cleaned for every sink but a document. */
export function describeCaller(caller: Caller): string {
	switch (caller.kind) {
		case 'person':
			return t('you');
		case 'command':
			return t('another extension or a keybinding');
		case 'extension':
			return t('the extension "{0}", as it says', quickInputText(caller.id, 60));
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

/** The rule that decided: a clause without a full stop. */
export function describeReason(reason: ApprovalReason): string {
	switch (reason.kind) {
		case 'rule':
			return t('rule {0} of {1}', reason.number, describePolicySource(reason.source));
		case 'otherwise':
			return t('{0} denies what no rule of it allows', describePolicySource(reason.source));
		case 'broken':
			return t('{0} has a mistake, so everything is asked', describePolicySource(reason.source));
		case 'grant':
			return reason.grant.decision === 'allow' ? t('you have allowed it before') : t('you have denied it for good');
		case 'changedPin':
			return t('its definition has changed since it was approved');
		case 'unreadablePin':
			return t('mcp-lock.json cannot be read, and would say whether this is what was approved');
		case 'ownConsent':
			return t('you run it yourself');
		case 'byDefault':
			return t('no rule allows it, so you are asked');
		default:
			return assertNever(reason);
	}
}

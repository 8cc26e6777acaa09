/** Manage Approvals: lists the answers for later calls, and revokes those that the person selects. */
import * as vscode from 'vscode';
import { describeGrantTime } from '../../editor/l10n/approvalWords.js';
import type { WorkspaceGrants } from '../../editor/storage/grants.js';
import { describeNumber } from '../../editor/l10n/messages.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { askForMany, back } from '../../editor/ui/quickInput.js';
import type { Grant } from '../../core/approvals/approval.js';

/**
 * Returns the grants that were revoked.
 * @param labelOf the label of a server, by the id of its definition
 */
export async function manageApprovals(
	grants: WorkspaceGrants<Grant>,
	labelOf: (serverId: string) => string,
): Promise<readonly Grant[]> {
	const { t } = vscode.l10n;
	const all = grants.list().toReversed();
	if (all.length === 0) {
		void vscode.window.showInformationMessage(t('No approvals or denials are saved in this workspace.'));
		return [];
	}
	const items = all.map(grant => ({
		label: t('{0}: {1}', grant.decision === 'allow' ? t('Allowed') : t('Denied'), describeTools(grant)),
		description: `${quickPickText(labelOf(grant.serverId), 60)} · ${describeGrantTime(grant)}`,
		...(grant.argumentsKey !== undefined && { detail: quickPickText(grant.argumentsKey) }),
		grant,
	}));
	const placeholder = t('Select decisions to revoke');
	const chosen = await askForMany({ title: t('Manage Approvals'), placeholder }, items, () => false);
	if (!chosen || chosen === back || chosen.length === 0) {
		return [];
	}
	const revoked = chosen.map(it => it.grant);
	await grants.revoke(revoked.map(it => it.id));
	void vscode.window.showInformationMessage(
		revoked.length === 1
			? t("Decision revoked. You'll be asked next time.")
			: t("{0} decisions revoked. You'll be asked next time.", describeNumber(revoked.length)),
	);
	return revoked;
}

function describeTools({ tools, argumentsKey }: Grant): string {
	const { t } = vscode.l10n;
	const names = Object.keys(tools ?? {});
	if (tools === undefined) {
		return t('Every tool with any arguments');
	}
	if (names.length > 1) {
		return t('{0} tools with any arguments: {1}', describeNumber(names.length), quickPickText(names.join(', '), 100));
	}
	const name = quickPickText(names[0] ?? '', 60);
	return argumentsKey === undefined ? t('{0} with any arguments', name) : t('{0} with these arguments', name);
}

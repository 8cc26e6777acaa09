/** Manage Approvals: lists the permissions that all features keep, and revokes those that the person selects. */
import * as vscode from 'vscode';
import { describeGrantTime } from '../../editor/l10n/approvalWords.js';
import type { WorkspaceGrants } from '../../editor/storage/grants.js';
import { describeList, describeNumber } from '../../editor/l10n/messages.js';
import type { KeptPermission, PermissionGroup, Permissions } from '../../editor/permissions.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { toolName } from '../../editor/ui/shownNames.js';
import { askForMany, back } from '../../editor/ui/quickInput.js';
import type { Grant } from '../../core/approvals/approval.js';

export async function manageApprovals({ groups }: Pick<Permissions, 'groups'>): Promise<void> {
	const { t } = vscode.l10n;
	const items = groups.flatMap(group => {
		const listed: readonly (vscode.QuickPickItem & Partial<KeptPermission>)[] = group.list();
		return listed.length > 0 ? [{ label: group.title, kind: vscode.QuickPickItemKind.Separator }, ...listed] : [];
	});
	if (items.length === 0) {
		void vscode.window.showInformationMessage(t('No approvals, denials, or consents are saved in this workspace.'));
		return;
	}
	const question = { title: t('Manage Approvals'), placeholder: t('Select decisions to revoke') };
	const chosen = await askForMany(question, items, () => false);
	if (!chosen || chosen === back || chosen.length === 0) {
		return;
	}
	for (const { revoke } of chosen) {
		await revoke?.();
	}
	void vscode.window.showInformationMessage(
		chosen.length === 1
			? t("Decision revoked. You'll be asked next time.")
			: t("{0} decisions revoked. You'll be asked next time.", describeNumber(chosen.length)),
	);
}

/** The answers about calls. @param labelOf the label of a server, by the id of its definition */
export function approvedCalls(grants: WorkspaceGrants<Grant>, labelOf: (serverId: string) => string): PermissionGroup {
	const { t } = vscode.l10n;
	return {
		title: t('Tool calls'),
		list: () =>
			grants
				.list()
				.toReversed()
				.map(grant => ({
					label: t('{0}: {1}', grant.decision === 'allow' ? t('Allowed') : t('Denied'), describeTools(grant)),
					description: `${labelOf(grant.serverId)} · ${describeGrantTime(grant)}`,
					...(grant.argumentsKey !== undefined && { detail: quickPickText(grant.argumentsKey) }),
					revoke: () => grants.revoke(grant.id),
				})),
	};
}

function describeTools({ tools, argumentsKey }: Grant): string {
	const { t } = vscode.l10n;
	const names = Object.keys(tools ?? {});
	if (tools === undefined) {
		return t('Every tool with any arguments');
	}
	if (names.length > 1) {
		const quoted = names.map(it => `"${toolName(it, 60)}"`);
		return t('{0} tools with any arguments: {1}', describeNumber(names.length), describeList(quoted));
	}
	const name = toolName(names[0] ?? '', 60);
	return argumentsKey === undefined ? t('"{0}" with any arguments', name) : t('"{0}" with these arguments', name);
}

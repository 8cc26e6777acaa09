/** Grants that let a server ask models without a review: making one, listing them, revoking them. */
import * as vscode from 'vscode';
import { describeGrantTime } from '../../editor/l10n/approvalWords.js';
import type { WorkspaceGrants } from '../../editor/storage/grants.js';
import { describeNumber } from '../../editor/l10n/messages.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { askForMany, back } from '../../editor/ui/quickInput.js';
import { modelKey } from '../../core/requests/modelChoice.js';
import type { SamplingRequest } from '../../core/requests/sampling.js';
import { isSamplingGrant, type SamplingGrant } from '../../core/requests/samplingGrants.js';

/** How these grants are stored. */
export const samplingGrants = {
	key: 'samplingGrants' as const,
	isGrant: isSamplingGrant,
	isForgettable: (): boolean => true,
};

/** A grant for this model, at most the tokens of this request, and tools only if this request has any. */
export function grantOf(
	lasts: SamplingGrant['lasts'],
	serverId: string,
	request: SamplingRequest,
	model: vscode.LanguageModelChat,
): SamplingGrant {
	return {
		id: crypto.randomUUID(),
		serverId,
		model: modelKey(model),
		maxTokens: request.maxTokens,
		allowsTools: request.tools.length > 0,
		lasts,
		time: Date.now(),
	};
}

/** @param labelOf the label of a server, by the id of its definition */
export async function manageSampling(
	grants: WorkspaceGrants<SamplingGrant>,
	labelOf: (serverId: string) => string,
): Promise<void> {
	const { t } = vscode.l10n;
	const all = grants.list().toReversed();
	if (all.length === 0) {
		void vscode.window.showInformationMessage(t('No server may ask models without you in this workspace.'));
		return;
	}
	const items = all.map(grant => ({
		label: quickPickText(labelOf(grant.serverId), 60),
		description: describeGrantTime(grant),
		detail: describeLimits(grant).join(' · '),
		grant,
	}));
	const question = { title: t('Servers That May Ask Models'), placeholder: t('Select what to revoke') };
	const chosen = await askForMany(question, items, () => false);
	if (chosen && chosen !== back && chosen.length > 0) {
		await grants.revoke(chosen.map(it => it.grant.id));
		void vscode.window.showInformationMessage(t("Permission revoked. You'll be asked next time."));
	}
}

function describeLimits({ model, maxTokens, allowsTools }: SamplingGrant): string[] {
	const { t } = vscode.l10n;
	return [
		model === undefined ? t('any model') : quickPickText(model, 60),
		...(maxTokens === undefined ? [] : [t('at most {0} tokens', describeNumber(maxTokens))]),
		allowsTools ? t('tools too') : t('no tools'),
	];
}

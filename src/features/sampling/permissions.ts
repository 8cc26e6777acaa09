/** Grants that let a server ask models without a review: making one, and listing them for Manage Approvals. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { describeGrantTime } from '../../editor/l10n/approvalWords.js';
import type { WorkspaceGrants } from '../../editor/storage/grants.js';
import { describeNumber } from '../../editor/l10n/messages.js';
import type { PermissionGroup } from '../../editor/permissions.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { modelKey } from '../../core/requests/modelChoice.js';
import { type SamplingRequest, usesTools } from '../../core/requests/samplingRequest.js';
import type { SamplingGrant } from '../../core/requests/samplingGrants.js';

/** A grant for this model, at most the tokens of this request, and tools only if this request lets the model use them. */
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
		allowsTools: usesTools(request),
		lasts,
		time: clock.now(),
	};
}

/** @param labelOf the label of a server, by the id of its definition */
export function samplingPermissions(
	grants: WorkspaceGrants<SamplingGrant>,
	labelOf: (serverId: string) => string,
): PermissionGroup {
	return {
		title: vscode.l10n.t('Sampling without a review'),
		list: () =>
			grants
				.list()
				.toReversed()
				.map(grant => ({
					label: labelOf(grant.serverId),
					description: describeGrantTime(grant),
					detail: describeLimits(grant).join(' · '),
					revoke: () => grants.revoke(grant.id),
				})),
	};
}

function describeLimits({ model, maxTokens, allowsTools }: SamplingGrant): string[] {
	const { t } = vscode.l10n;
	return [
		quickPickText(model, 60),
		t('Up to {0} tokens', describeNumber(maxTokens)),
		allowsTools ? t('With tools') : t('Without tools'),
	];
}

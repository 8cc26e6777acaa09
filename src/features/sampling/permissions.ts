/** Grants that let a server ask models without a review: asking for one with its limits, listing them, revoking them. */
import * as vscode from 'vscode';
import { describeGrantTime } from '../../editor/l10n/approvalWords.js';
import type { WorkspaceGrants } from '../../editor/storage/grants.js';
import { describeNumber } from '../../editor/l10n/messages.js';
import { quickInputText, quickPickText } from '../../editor/ui/plainText.js';
import { askForMany, back } from '../../editor/ui/quickInput.js';
import type { Draft } from './drafts.js';
import { modelKey } from '../../core/requests/modelChoice.js';
import type { SamplingRequest } from '../../core/requests/sampling.js';
import { isSamplingGrant, type SamplingGrant } from '../../core/requests/samplingGrants.js';

/** How these grants are stored. */
export const samplingGrants = {
	key: 'samplingGrants' as const,
	isGrant: isSamplingGrant,
	isForgettable: (): boolean => true,
};

/** A grant until the window closes: for this model, at most the tokens of this request, and tools only if it has any. */
export function grantOfSession(
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
		reviewsAnswer: false,
		lasts: 'session',
		time: Date.now(),
	};
}

type Limit = 'model' | 'maxTokens' | 'noTools' | 'review';

interface LimitItem extends vscode.QuickPickItem {
	readonly limit: Limit;
}

/** Asks for the limits of a lasting grant. `undefined` if the person goes back. */
export async function askForGrant(
	whose: string,
	serverId: string,
	request: SamplingRequest,
	model: vscode.LanguageModelChat,
	draft: Pick<Draft, 'limits'>,
	signal: AbortSignal,
): Promise<SamplingGrant | undefined> {
	const { t } = vscode.l10n;
	const items = [
		limitItem('model', t('Only {0}', quickPickText(model.name, 40)), t('or whatever model it leads to')),
		limitItem('maxTokens', t('At Most {0} Tokens', describeNumber(request.maxTokens)), t('in one answer')),
		...(request.tools.length > 0 ? [] : [limitItem('noTools', t('No Tools'), t('none is offered to the model'))]),
		limitItem('review', t('Show Me Each Answer'), t('before the server gets it')),
	];
	const question = {
		title: t('Always allow {0} to ask a model', quickInputText(whose, 40)),
		placeholder: t('Requests within these limits need no review in this workspace'),
		canGoBack: true,
		signal,
		onLeave: (left: readonly LimitItem[]) => (draft.limits = left.map(it => it.limit)),
	};
	const isPicked = ({ limit }: LimitItem): boolean => draft.limits?.includes(limit) ?? limit !== 'review';
	const chosen = await askForMany(question, items, isPicked);
	if (!chosen || chosen === back) {
		return undefined;
	}
	const has = (limit: Limit): boolean => chosen.some(it => it.limit === limit);
	return {
		id: crypto.randomUUID(),
		serverId,
		...(has('model') && { model: modelKey(model) }),
		...(has('maxTokens') && { maxTokens: request.maxTokens }),
		allowsTools: !has('noTools'),
		reviewsAnswer: has('review'),
		lasts: 'workspace',
		time: Date.now(),
	};
}

function limitItem(limit: Limit, label: string, description: string): LimitItem {
	return { limit, label, description };
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

function describeLimits({ model, maxTokens, allowsTools, reviewsAnswer }: SamplingGrant): string[] {
	const { t } = vscode.l10n;
	return [
		model === undefined ? t('any model') : quickPickText(model, 60),
		...(maxTokens === undefined ? [] : [t('at most {0} tokens', describeNumber(maxTokens))]),
		allowsTools ? t('tools too') : t('no tools'),
		...(reviewsAnswer ? [t('you see each answer')] : []),
	];
}

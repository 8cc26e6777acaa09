/** The model that the person has chosen for each server, and the list to choose it from. */
import * as vscode from 'vscode';
import { isObject } from '../../mcp/index.js';
import { modelKey } from '../../core/requests/modelChoice.js';
import type { Sampling } from '../../core/requests/samplings.js';
import type { KeptState } from '../../editor/storage/keptState.js';
import { quickInputText, quickPickText } from '../../editor/ui/plainText.js';
import { askForOne, back } from '../../editor/ui/quickInput.js';
import { describeChoice } from '../../editor/l10n/samplingWords.js';
import type { Draft } from './drafts.js';
import { modelsFor } from './modelRun.js';

/** Key of the state: model keys by the id of the server's definition. */
const chosenModelsKey = 'samplingModels';

export class ChosenModels {
	constructor(private readonly state: KeptState) {}

	/** The available models, best first. A model that was chosen for the server comes before all others. */
	for(serverId: string, request: Draft['request']): ReturnType<typeof modelsFor> {
		return modelsFor(request, this.all[serverId]);
	}

	/**
	 * Lets the person choose a model for this request and all later ones of the server.
	 * @param whose the server's label
	 * @param signal closes the list
	 */
	async choose({ definition: { id } }: Sampling, draft: Draft, whose: string, signal: AbortSignal): Promise<void> {
		const { t } = vscode.l10n;
		const choices = await this.for(id, draft.request);
		const items = choices.map(({ model, reason }) => ({
			label: quickPickText(model.name, 60),
			description: `${quickPickText(model.vendor, 40)} · ${describeChoice(reason)}`,
			model,
		}));
		const title = t('Model for {0}', quickInputText(whose, 40));
		const placeholder = t('Select the model for all requests of this server');
		const chosen = await askForOne({ title, placeholder, canGoBack: true, signal }, items);
		if (chosen && chosen !== back) {
			draft.model = chosen.model;
			draft.reason = { kind: 'person' };
			draft.problem = undefined;
			const kept = this.state.get(chosenModelsKey) ?? {};
			if (isObject(kept)) {
				await this.state.update(chosenModelsKey, { ...kept, [id]: modelKey(chosen.model) });
			} else {
				this.state.tellUnknown(chosenModelsKey);
			}
		}
	}

	private get all(): Readonly<Record<string, string | undefined>> {
		const kept = this.state.get(chosenModelsKey);
		const entries = Object.entries(isObject(kept) ? kept : {});
		return Object.fromEntries(entries.filter((it): it is [string, string] => typeof it[1] === 'string'));
	}
}

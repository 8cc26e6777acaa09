/** The model that the person has chosen for each server, and the list to choose it from. */
import * as vscode from 'vscode';
import { isObject } from '../../mcp/index.js';
import { modelKey } from '../../core/requests/modelChoice.js';
import type { VersionedState } from '../../editor/storage/versionedState.js';
import { quickInputText, quickPickText } from '../../editor/ui/plainText.js';
import { askForOne, back } from '../../editor/ui/quickInput.js';
import { describeChoice } from '../../editor/l10n/samplingWords.js';
import type { Draft } from './drafts.js';
import { modelsFor } from './samplingModel.js';

/** Key of the state: model keys by the id of the server's definition. */
const chosenModelsKey = 'samplingModels';

export class ChosenModels {
	constructor(private readonly state: VersionedState) {}

	/** The available models, best first. A model that was chosen for the server comes before all others. */
	for(serverId: string, request: Draft['request']): ReturnType<typeof modelsFor> {
		const kept = this.state.get(chosenModelsKey);
		const chosen = isObject(kept) ? kept[serverId] : undefined;
		return modelsFor(request, typeof chosen === 'string' ? chosen : undefined);
	}

	/**
	 * Lets the person choose a model for this request and all later ones of the server.
	 * @param serverLabel the server's label
	 * @param signal closes the list
	 */
	async choose(draft: Draft, serverLabel: string, signal: AbortSignal): Promise<void> {
		const { t } = vscode.l10n;
		const { id } = draft.sampling.definition;
		const choices = await this.for(id, draft.request);
		const items = choices.map(({ model, reason }) => ({
			label: quickPickText(model.name, 60),
			description: `${quickPickText(model.vendor, 40)} · ${describeChoice(reason)}`,
			model,
		}));
		const title = t('Model for {0}', quickInputText(serverLabel, 40));
		const placeholder = t('Select the model for all requests of this server');
		const chosen = await askForOne({ title, placeholder, canGoBack: true, signal }, items);
		if (chosen && chosen !== back) {
			draft.model = chosen.model;
			draft.reason = { kind: 'person' };
			draft.problem = undefined;
			const kept = this.state.get(chosenModelsKey);
			await this.state.update(chosenModelsKey, { ...(isObject(kept) && kept), [id]: modelKey(chosen.model) });
		}
	}
}

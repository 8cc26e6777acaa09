/** In which order resources stand in their folders: chosen by a person, for the workspace. */
import * as vscode from 'vscode';
import { isResourceOrder, type ResourceOrder, resourceOrders } from './resourceOrder.js';
import type { KeptState } from '../../editor/storage/keptState.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import { resourceGroupId } from './groups.js';

const { t } = vscode.l10n;
const stateKey = 'resourceOrder';

export class ResourceOrderChoice {
	constructor(
		private readonly state: KeptState,
		private readonly tree: ServersTree,
	) {}

	get value(): ResourceOrder {
		const order = this.state.get(stateKey);
		return isResourceOrder(order) ? order : 'listed';
	}

	async choose(): Promise<void> {
		const words: Readonly<Record<ResourceOrder, string>> = {
			listed: t('As the server lists them'),
			name: t('By name'),
			priority: t('By priority, the highest first'),
			modified: t('By last change, the latest first'),
		};
		const items = resourceOrders.map(order => ({
			label: words[order],
			description: order === this.value ? t('now') : '',
			order,
		}));
		const chosen = await chooseLine(items, t('Sort the resources of each folder…'));
		if (chosen) {
			await this.state.update(stateKey, chosen.order);
			this.tree.redraw(resourceGroupId);
		}
	}
}

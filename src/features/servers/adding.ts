/** New servers: typed, pasted, or copied from another client. */
import { lazy } from '../../base/lazy.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import type { InputStore } from '../../editor/storage/inputStore.js';
import type { Consents } from '../../core/launch/consents.js';
import type { ClientFiles } from '../../core/addServer/otherClients.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { type Accept, keepAnswers } from './addSteps.js';
import { AddServer } from './addServer.js';
import { ImportServers } from './importServers.js';

export interface AddingDeps {
	readonly registry: ServerRegistry;
	readonly consents: Consents;
	readonly store: InputStore;
	readonly files: ClientFiles;
}

export function registerAdding({ registry, consents, store, files }: AddingDeps): Disposable {
	const owned = new DisposableStore();
	const accept: Accept = async (written, answers) => {
		await consents.allow(written.definitions);
		await keepAnswers(written, answers, store);
	};
	const adding = lazy(() => new AddServer(registry, accept));
	owned.add(registerCommand(Commands.addServer, () => adding().run()));
	owned.add(registerCommand(Commands.importServers, () => new ImportServers(registry, accept, files).run()));
	return owned;
}

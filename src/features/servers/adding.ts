/** New servers: typed, pasted, or copied from another client. */
import { lazy } from '../../base/lazy.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { registerCommand } from '../../host/commands.js';
import { Commands } from '../../host/contributions.js';
import type { InputStore } from '../../host/inputStore.js';
import type { Consents } from '../../model/consents.js';
import type { ClientFiles } from '../../model/otherClients.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
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

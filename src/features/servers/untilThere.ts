/** Waits for a server that was just written into a file or a setting: both are read a moment later. */
import { within } from '../../base/async.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';

/** How long the place may take to be read after it was written. */
const readMs = 5000;

/** The first server that is meant, as soon as it is there; `undefined` if it does not come. */
export async function untilThere(
	registry: ServerRegistry,
	isMeant: (server: Server) => boolean,
): Promise<Server | undefined> {
	let stop: (() => void) | undefined;
	const appeared = new Promise<Server>(resolve => {
		const look = (): void => {
			const server = registry.servers.find(isMeant);
			if (server) {
				resolve(server);
			}
		};
		const subscription = registry.onDidChange(look);
		stop = () => subscription.dispose();
		look();
	});
	return within(appeared, readMs).finally(() => stop?.());
}

/** Waits for a server that was just written into a file or a setting: both are read a moment later. */
import { firstFound } from '../../base/async.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';

/** How long the place may take to be read after it was written, in milliseconds. */
export const readMs = 5000;

/** The first server that is meant, as soon as it is there; `undefined` if it does not come. */
export function untilThere(
	registry: ServerRegistry,
	isMeant: (server: Server) => boolean,
): Promise<Server | undefined> {
	return firstFound(registry.onDidChange, () => registry.servers.find(isMeant), readMs);
}

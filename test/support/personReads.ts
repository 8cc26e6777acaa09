/** The dependencies of `LiveResources` for tests in which every read is one of the person, sent without `Interactions`. */
import type { LiveResourcesDeps } from '../../src/core/resources/liveResources.js';
import { NotRunningError } from '../../src/core/servers/serverState.js';

export const personReads: Pick<LiveResourcesDeps, 'interactions' | 'callerOf'> = {
	interactions: {
		read: async ({ server, uri }, signal) => {
			if (!server.client) {
				throw new NotRunningError(server.state);
			}
			return server.client.readResource(uri, { signal });
		},
	},
	callerOf: () => ({ kind: 'person' }),
};

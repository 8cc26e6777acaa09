/** For `LiveResources` in tests whose subject isn't who reads: everything is read for the person, without the door. */
import type { LiveResourcesDeps } from '../../src/core/resources/liveResources.js';
import { NotRunningError } from '../../src/core/servers/serverState.js';

export const personReads: Pick<LiveResourcesDeps, 'interactions' | 'callerOf'> = {
	interactions: {
		read: async ({ server, uri }, signal) => {
			if (!server.client) {
				throw new NotRunningError(server.state);
			}
			return server.client.readResource(uri, signal);
		},
	},
	callerOf: () => ({ kind: 'person' }),
};

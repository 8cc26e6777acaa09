import * as assert from 'node:assert/strict';
import { overviewOf } from '../../../../src/features/servers/statusBar.js';
import type { ServerState } from '../../../../src/core/servers/serverState.js';

/** A state with nothing but its kind. */
const inState = (kind: ServerState['kind']): ServerState => ({ kind }) as ServerState;

describe('all servers at a glance', () => {
	it('counts what runs, what waits for a person, and what is not as it should be', () => {
		const count = (...states: ServerState['kind'][]): number[] => Object.values(overviewOf(states.map(inState)));
		assert.deepEqual(count(), [0, 0, 0]);
		assert.deepEqual(count('running', 'running', 'stopped', 'starting'), [2, 0, 0]);
		assert.deepEqual(count('failed', 'untrusted', 'waiting', 'reconnecting', 'running'), [1, 2, 3]);
		assert.deepEqual(count('stopping'), [0, 0, 0]);
	});
});

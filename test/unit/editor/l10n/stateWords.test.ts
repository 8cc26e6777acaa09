// What a server's row says of its state: the diagnosis, where the failure alone says too little.
import * as assert from 'node:assert/strict';
import { describeServer } from '../../../../src/editor/l10n/stateWords.js';
import type { LaunchDefinition } from '../../../../src/core/config/serverDefinition.js';
import type { Server } from '../../../../src/core/servers/server.js';
import type { ServerFailure, ServerState } from '../../../../src/core/servers/serverState.js';

const npx: LaunchDefinition = { kind: 'stdio', command: 'npx', args: [], cwd: undefined, env: {}, envFile: undefined };
const web: LaunchDefinition = { kind: 'http', url: 'http://localhost:1/mcp', headers: {} };
const exited: ServerFailure = { kind: 'exited', exitCode: 1, signal: undefined };
const refused: ServerFailure = { kind: 'protocol', failure: { code: 'network', why: 'ECONNREFUSED' } };

function words(state: ServerState, launch: LaunchDefinition = npx): string {
	return describeServer({ state, definition: { launch } } as Pick<Server, 'state' | 'definition'>);
}

function failed(failure: ServerFailure, ...stderr: string[]): ServerState {
	return { kind: 'failed', failure, stderr };
}

describe('the state of a server in its row', () => {
	it('says what is missing rather than how the process ended', () => {
		assert.deepEqual(
			[
				words(failed(exited, 'Error: GITHUB_TOKEN is missing', '    at x', 'Node.js v20.20.2')),
				words(
					failed(exited, "npm error 404  'nope@*' is not in this registry.", 'npm error A complete log of this run'),
				),
				words(failed(exited, "Error: Cannot find module 'left-pad'")),
				words(failed(refused), web),
			],
			[
				'Failed: GITHUB_TOKEN is missing',
				'Failed: Package not found: nope@*',
				'Failed: Module not found: left-pad',
				'Failed: No server responds at http://localhost:1/mcp',
			],
		);
	});

	it('says how it ended where no more is known, and how often', () => {
		const times: ServerState = { kind: 'failed', failure: exited, stderr: [], times: 3 };
		assert.deepEqual(
			[words(failed(exited, 'It is Tuesday')), words(times)],
			['Failed: Exit code 1', 'Failed 3 times in a row: Exit code 1'],
		);
	});

	it('says the same of one that is started again', () => {
		const state: ServerState = { kind: 'reconnecting', failure: exited, stderr: ['API_KEY is not set'], retryAt: 0 };
		assert.equal(words(state), 'API_KEY is missing, reconnecting');
	});

	it('has no words but those of the state for all others', () => {
		assert.deepEqual([words({ kind: 'stopped' }), words({ kind: 'starting' })], ['Stopped', 'Starting']);
		assert.equal(words({ kind: 'stopped', hasChanged: true }), 'Stopped: configuration changed');
	});
});

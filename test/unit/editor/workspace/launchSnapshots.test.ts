/** An environment file that can only be read once its input is answered. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { resolveServer, type ResolveDeps, takeSnapshot } from '../../../../src/editor/workspace/launchSnapshots.js';
import { parseServerConfig } from '../../../../src/core/config/serverConfig.js';
import { ConsentNeededError } from '../../../../src/core/launch/consentFacts.js';
import type { LaunchSnapshot } from '../../../../src/core/launch/launchSnapshot.js';
import { setManifestDefaults } from '../../../support/manifestDefaults.js';
import { makeFolder, settings, Uri } from '../../../support/vscodeDouble.js';

describe('an environment file whose path has an input', () => {
	let folder: string;
	before(setManifestDefaults);
	after(() => settings.clear());
	beforeEach(() => {
		folder = makeFolder();
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	const deps = {
		environment: { home: '/home/me', hostName: '', ignoresCase: false, get: () => undefined, inherited: () => ({}) },
		machine: {
			platform: 'linux',
			resolveProgram: async () => ({ kind: 'found', path: '/bin/go', lastingPath: '/bin/go' }),
		},
		trust: { isTrusted: () => true },
		inputs: {
			answered: async () => new Set(['stage']),
			resolve: async () => ({ values: new Map([['stage', 'dev']]), secrets: [] }),
		},
	} as unknown as ResolveDeps;
	const request = { signal: new AbortController().signal, mayAsk: true, onAsk: () => undefined };

	it('is read once, shown before the server starts, and used as shown', async () => {
		const folderUri = Uri.file(folder).toString();
		const source = { kind: 'vscodeFolder', uri: `${folderUri}/mcp.json`, folderUri, folderName: 'w' } as const;
		const inputs = [{ id: 'stage', type: 'pickString', options: ['dev'] }];
		const config = { servers: { docs: { command: 'go', envFile: '${input:stage}.env' } }, inputs };
		const [definition = assert.fail()] = parseServerConfig(JSON.stringify(config), source).servers;
		fs.writeFileSync(path.join(folder, 'dev.env'), 'GOCACHEPROG=sh go.cfg\n');
		const asked: LaunchSnapshot['envFile'][] = [];
		const snapshot = await takeSnapshot(definition, deps);
		const resolve = (isAllowed: boolean): ReturnType<typeof resolveServer> =>
			resolveServer(definition, request, snapshot, deps, async ({ envFile }) => {
				asked.push(envFile);
				fs.writeFileSync(path.join(folder, 'dev.env'), 'GOCACHEPROG=sh evil\n');
				if (!isAllowed) {
					throw new ConsentNeededError();
				}
			});
		const { launch } = await resolve(true);
		assert.equal(launch.kind === 'stdio' && launch.env['GOCACHEPROG'], 'sh go.cfg');
		await assert.rejects(resolve(false), ConsentNeededError);
		assert.deepEqual(
			[snapshot.envFile, ...asked],
			[
				{ kind: 'later' },
				{ kind: 'read', values: { GOCACHEPROG: 'sh go.cfg' } },
				{ kind: 'read', values: { GOCACHEPROG: 'sh evil' } },
			],
		);
	});
});

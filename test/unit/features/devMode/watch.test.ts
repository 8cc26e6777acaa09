/** What a person sees where a saved file restarts a server that then needs them: a message, and nothing that opens by itself. */
import * as assert from 'node:assert/strict';
import type { Debugging } from '../../../../src/editor/workspace/debugging.js';
import type { Server } from '../../../../src/core/servers/server.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import type { ServerState } from '../../../../src/core/servers/serverState.js';
import type { EditorState } from '../../../../src/editor/storage/editorState.js';
import { registerDevMode } from '../../../../src/features/devMode/register.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { answerMessages } from '../../../support/messages.js';
import { definition } from '../../../support/modelFixture.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';
import { Uri, workspace } from '../../../support/vscodeDouble.js';
import { settled } from '../../../support/waiting.js';

describe('a file that is saved', () => {
	const { own } = leakCheck();
	const nothing = { dispose: () => undefined };
	const original = { ...workspace };
	let changed: ((uri: Uri) => void) | undefined;
	let update: (() => void) | undefined;
	let done: string[];

	beforeEach(() => {
		stopTime();
		done = [];
		const onDidChange = (listener: (uri: Uri) => void): typeof nothing => {
			changed = listener;
			return nothing;
		};
		const none = (): typeof nothing => nothing;
		Object.assign(workspace, {
			createFileSystemWatcher: () => ({ onDidChange, onDidCreate: none, onDidDelete: none, dispose: none }),
			asRelativePath: ({ path }: Uri) => path,
		});
	});
	afterEach(() => {
		releaseTime();
		Object.assign(workspace, original);
	});

	async function save(after: ServerState, ...answers: string[]): Promise<string[]> {
		own(answerMessages(answers, it => done.push(it)));
		const server = {
			definition: { ...definition('tiny'), watch: ['server.mjs'] },
			state: { kind: 'running' },
			log: { info: (it: string) => done.push(it) },
			restart: async (isByPerson: boolean) => {
				done.push(`restarts, by the person: ${isByPerson}`);
				return after;
			},
			start: async () => done.push('started'),
		} as unknown as Server;
		const registry = {
			servers: [server],
			label: () => 'tiny',
			onDidChange: (listener: () => void) => {
				update = listener;
				return nothing;
			},
		} as unknown as ServerRegistry;
		const debugging = { onDidFail: () => nothing } as unknown as Debugging;
		own(registerDevMode({ registry, debugging, state: { get: () => true } as unknown as EditorState }));
		update?.();
		changed?.(Uri.file('/w/server.mjs'));
		passTime(300);
		await settled();
		return done;
	}

	const restarts = ['Restarting: /w/server.mjs changed.', 'restarts, by the person: false'];

	it('restarts a server without a question', async () => {
		assert.deepEqual(await save({ kind: 'starting' }), restarts);
	});

	it('says that an input is needed, and asks for it after a click', async () => {
		const message = 'tiny needs input values before it can restart. [Start]';
		assert.deepEqual(await save({ kind: 'waiting', what: 'input' }), [...restarts, message]);
		done = [];
		assert.deepEqual(await save({ kind: 'waiting', what: 'input' }, 'Start'), [...restarts, message, 'started']);
	});

	it('shows no message of its own if consent is needed', async () => {
		assert.deepEqual(await save({ kind: 'waiting', what: 'consent' }), restarts);
	});
});

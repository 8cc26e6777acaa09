import * as assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/errors.js';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { type OpenTask, OpenTasks } from '../../../../src/features/tools/openTasks.js';
import { EditorState } from '../../../../src/editor/storage/editorState.js';
import { McpError, RpcError } from '../../../../src/mcp/index.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { settled } from '../../../support/waiting.js';

const tool = { name: 'dig', inputSchema: {} };
const caller = { kind: 'model' } as const;

describe('calls that became tasks', () => {
	const { own } = leakCheck();

	/** One session of the editor over the state that sessions share. */
	function session(kept: Map<string, unknown>) {
		const server = { client: undefined as object | undefined, definition: { id: 's' } };
		const asServer = server as unknown as Server;
		const changed = own(new Emitter<Server | undefined>());
		const followed: OpenTask[] = [];
		const ends: { resolve: () => void; reject: (error: unknown) => void }[] = [];
		const state = {
			keys: () => [...kept.keys()],
			get: (key: string) => kept.get(key),
			update: async (key: string, value: unknown) => void kept.set(key, value),
		};
		const tasks = own(
			new OpenTasks({ servers: [asServer], onDidChange: changed.event }, new EditorState(state as never), (_, task) => {
				followed.push(task);
				return new Promise((resolve, reject) => ends.push({ resolve, reject }));
			}),
		);
		const run = (): void => {
			server.client = {};
			changed.fire(asServer);
		};
		return { tasks, server: asServer, followed, ends, run };
	}

	it('are followed by the next session once their server runs, and once only', async () => {
		const kept = new Map<string, unknown>();
		const first = session(kept);
		await first.tasks.opened(first.server, tool, 't1', { bed: 'south', password: 'x' }, caller);
		await first.tasks.opened(first.server, tool, 't1', { bed: 'south' }, caller);
		first.run();
		assert.deepEqual(first.followed, [], 'this session waits already');

		const second = session(kept);
		assert.deepEqual(second.followed, [], 'Server "does not run yet"');
		second.run();
		second.run();
		assert.deepEqual(
			second.followed.map(({ tool: name, taskId, arguments: args, caller: by }) => ({ name, taskId, args, by })),
			[{ name: 'dig', taskId: 't1', args: { bed: 'south' }, by: caller }],
		);
		second.ends[0]?.resolve();
		await settled();
		const third = session(kept);
		third.run();
		assert.deepEqual(third.followed, []);
	});

	const ends: readonly (readonly [what: string, error: unknown, isKept: boolean])[] = [
		['it has a result', undefined, false],
		['Server "does not know it"', new RpcError(-32602, 'unknown', undefined), false],
		['the person cancels', new AbortError(), false],
		['Server "has cancelled"', new McpError({ code: 'taskCancelled', taskId: 't' }), false],
		['the connection is closed', new McpError({ code: 'closed' }), true],
		['the network is away', new McpError({ code: 'sessionLost' }), true],
	];
	for (const [what, error, isKept] of ends) {
		it(`are ${isKept ? 'kept' : 'forgotten'} when ${what}`, async () => {
			const kept = new Map<string, unknown>();
			const { tasks, server } = session(kept);
			await tasks.opened(server, tool, 't1', {}, caller);
			await tasks.ended(server, 't1', error);
			const next = session(kept);
			next.run();
			assert.equal(next.followed.length, isKept ? 1 : 0);
		});
	}

	it('are bounded, and what somebody else wrote into the state is none', async () => {
		const kept = new Map<string, unknown>([['openTasks', [null, 1, { server: 's' }]]]);
		const first = session(kept);
		for (let index = 0; index < 25; index++) {
			await first.tasks.opened(first.server, tool, `t${index}`, {}, caller);
		}
		const next = session(kept);
		next.run();
		assert.equal(next.followed.length, 20);
		assert.equal(next.followed[0]?.taskId, 't5');
	});
});

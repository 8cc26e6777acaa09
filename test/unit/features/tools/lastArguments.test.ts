import * as assert from 'node:assert/strict';
import { EditorState } from '../../../../src/editor/storage/editorState.js';
import { LastArguments } from '../../../../src/features/tools/lastArguments.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { definition } from '../../../support/modelFixture.js';
import { makeMemento } from '../../../support/vscodeDouble.js';

describe('arguments for the next run', () => {
	it('leave out what the schema, the name, or the form of a value marks as a secret', async () => {
		const last = new LastArguments(new EditorState(makeMemento()));
		const server = { definition: definition('vault') } as Server;
		const properties = { pin: { format: 'password' }, code: { writeOnly: true } };
		const tool = { name: 'open', inputSchema: { properties } };
		const args = { pin: 'hunter22', code: 7351, token: 'x', note: 'ghp_0123456789abcdef', door: 1 };
		await last.keep(server, tool, args);
		assert.deepEqual(last.get(server, tool), { door: 1 });
	});

	it('are not those of another server whose name continues in the name of its tool', async () => {
		const last = new LastArguments(new EditorState(makeMemento()));
		const serverOf = (name: string): Server => ({ definition: definition(name) }) as Server;
		await last.keep(serverOf('bank/main'), { name: 'pay', inputSchema: {} }, { to: 'Ada' });
		assert.equal(last.get(serverOf('bank'), { name: 'main/pay', inputSchema: {} }), undefined);
	});
});

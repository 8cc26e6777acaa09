import * as assert from 'node:assert/strict';
import type { ClientHandlers } from '../../../../src/mcp/client/handlers.js';
import { visitPages } from '../../../../src/mcp/client/urlElicitation.js';
import { RpcError } from '../../../../src/mcp/jsonrpc/errors.js';

const page = { mode: 'url', elicitationId: 'a', url: 'https://a', message: 'Go there.' };

// covers: elicitation.required
describe('URL elicitation by error', () => {
	let asked: unknown[];
	const handlers: ClientHandlers = {
		elicitation: {
			url: async ({ elicitationId }) => {
				asked.push(elicitationId);
				return { action: elicitationId === 'b' ? 'decline' : 'accept' };
			},
		},
	};
	const visit = async (refused: unknown, given = handlers): Promise<unknown> => {
		try {
			await visitPages(refused, given);
			return 'visited';
		} catch (thrown) {
			return thrown;
		}
	};
	beforeEach(() => {
		asked = [];
	});

	it('is recognised by its code and its data, and by nothing less', async () => {
		for (const error of [
			new Error('-32042'),
			new RpcError(-32041, 'x', { elicitations: [page] }),
			new RpcError(-32042, 'x'),
			new RpcError(-32042, 'x', { elicitations: [] }),
			new RpcError(-32042, 'x', { elicitations: 'a' }),
			new RpcError(-32042, 'x', { elicitations: [{ ...page, mode: 'form' }] }),
		]) {
			assert.equal(await visit(error), error);
		}
		assert.deepEqual(asked, []);
	});

	it('asks for one page after another, and no further than the first that is not accepted', async () => {
		const pages = ['a', 'b', 'c'].map(elicitationId => ({ ...page, elicitationId }));
		const error = new RpcError(-32042, 'x', { elicitations: pages });
		assert.equal(await visit(error, {}), error);
		assert.equal(await visit(error), error);
		assert.deepEqual(asked.splice(0), ['a', 'b']);
		assert.equal(await visit(new RpcError(-32042, 'x', { elicitations: [page] })), 'visited');
	});
});

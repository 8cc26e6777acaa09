import * as assert from 'node:assert/strict';
import { elicitAll, requiredElicitations } from '../../../../src/mcp/client/urlElicitation.js';
import { RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';

const page = { mode: 'url', elicitationId: 'a', url: 'https://a', message: 'Go there.' };

// covers: elicitation.required
describe('URL elicitation by error', () => {
	it('is recognised by its code and its data, and by nothing less', () => {
		assert.deepEqual(requiredElicitations(new RpcError(-32042, 'x', { elicitations: [page] })), [page]);
		const others: unknown[] = [
			new Error('-32042'),
			new RpcError(-32041, 'x', { elicitations: [page] }),
			new RpcError(-32042, 'x'),
			new RpcError(-32042, 'x', { elicitations: [] }),
			new RpcError(-32042, 'x', { elicitations: 'a' }),
			new RpcError(-32042, 'x', { elicitations: [{ ...page, mode: 'form' }] }),
		];
		assert.deepEqual(
			others.map(requiredElicitations),
			others.map(() => undefined),
		);
	});

	it('asks one after another, and no further than the first that is not accepted', async () => {
		const asked: string[] = [];
		const answers: Record<string, string> = { a: 'accept', b: 'decline', c: 'accept' };
		const ask = async ({ elicitationId }: JsonObject): Promise<JsonObject> => {
			asked.push(String(elicitationId));
			return { action: answers[String(elicitationId)] };
		};
		const pages = ['a', 'b', 'c'].map(elicitationId => ({ ...page, elicitationId }));
		assert.equal(await elicitAll(pages, ask), false);
		assert.deepEqual(asked.splice(0), ['a', 'b']);
		assert.equal(await elicitAll([page], ask), true);
	});
});

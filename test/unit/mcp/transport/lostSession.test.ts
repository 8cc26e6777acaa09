import * as assert from 'node:assert/strict';
import { readLostSession } from '../../../../src/mcp/transport/lostSession.js';

// covers: session.lostInBody
describe('readLostSession', () => {
	const table: readonly (readonly [error: unknown, verdict: 'repeat' | 'mayHaveRun' | undefined])[] = [
		[{ code: -32002, message: 'Server not initialized' }, 'repeat'],
		[{ code: -32000, message: 'Bad Request: Server not initialized' }, 'repeat'],
		[{ code: -32005, message: 'Session not found' }, 'repeat'],
		[{ code: -32005, message: 'Session not found: Invalid or expired session' }, 'repeat'],
		[{ code: -32600, message: 'Session not found' }, 'repeat'],
		[{ code: -32600, message: "Unknown session id 'x' for 'tools/call'; client should reinitialize" }, 'repeat'],
		['Session not found', 'repeat'],
		[{ code: -32602, message: 'Invalid or expired session' }, 'mayHaveRun'],
		[{ code: -32603, message: 'Error: Invalid or expired session' }, 'mayHaveRun'],
		// Causes of their own.
		[{ code: -32002, message: 'Resource not found' }, undefined],
		[{ code: -32602, message: 'Session not found: browser-1' }, undefined],
		[{ code: -32602, message: 'Invalid params: session' }, undefined],
		[{ code: -32600, message: 'Invalid Request' }, undefined],
		[{ code: -32601, message: 'Server not initialized' }, undefined],
		[{ code: -32002 }, undefined],
		['Tool failed', undefined],
		[undefined, undefined],
		[null, undefined],
	];
	for (const [error, verdict] of table) {
		it(JSON.stringify(error) ?? 'none', () => {
			const failure = readLostSession({ jsonrpc: '2.0', id: 1, error })?.failure;
			const expected = { code: 'sessionLost', ...(verdict === 'mayHaveRun' && { mayHaveRun: true }) };
			assert.deepEqual(failure, verdict && expected);
		});
	}

	it('is about errors only', () => {
		for (const message of [undefined, [], 'Session not found', { result: { error: 'Session not found' } }]) {
			assert.equal(readLostSession(message), undefined);
		}
	});
});

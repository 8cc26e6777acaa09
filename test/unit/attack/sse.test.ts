// Events of very many short lines.
import * as assert from 'node:assert/strict';
import { SseParser } from '../../../src/mcp/transport/sseStream.js';

describe('an attack by server-sent events', () => {
	it('of empty lines takes no more memory than the limit', () => {
		const told: string[] = [];
		const parser = new SseParser(
			{
				onEvent: () => told.push('event'),
				onOverlong: () => told.push('overlong'),
				onOversize: () => told.push('over'),
			},
			1_000_000,
		);
		for (let count = 0; count < 90; count++) {
			parser.push(Buffer.from('data:\n'.repeat(10_000)));
		}
		assert.deepEqual(told, ['overlong']);
	});
});

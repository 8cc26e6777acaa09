import * as assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { NodeResponse } from '../../../src/node/nodeResponse.js';
import { settled } from '../../support/waiting.js';

describe('NodeResponse', () => {
	it('takes so much of a body that nobody reads yet, and the rest when it is read', async () => {
		const chunk = Buffer.alloc(64 * 1024, 'x');
		const chunks = 100;
		let given = 0;
		const stream = new Readable({
			read() {
				this.push(given++ < chunks ? chunk : null);
			},
		});
		const message = Object.assign(stream, { statusCode: 200, headers: {} }) as unknown as IncomingMessage;
		const response = new NodeResponse(message, Infinity);
		await settled();
		// What waits in the stream itself comes on top.
		assert.ok(given <= 10, `${given} chunks taken`);
		let length = 0;
		await response.read(bytes => (length += bytes.length));
		assert.equal(length, chunks * chunk.length);
	});
});

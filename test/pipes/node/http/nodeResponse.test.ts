import * as assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { mock } from 'node:test';
import * as zlib from 'node:zlib';
import { NodeResponse } from '../../../../src/node/http/nodeResponse.js';
import { settled } from '../../../support/waiting.js';

const gzip = { 'content-encoding': 'gzip' };

/** A message with this body; `next` is asked for it piece by piece. */
function message(next: () => Buffer | null, headers: object = {}): IncomingMessage {
	const stream = new Readable({
		read() {
			this.push(next());
		},
	});
	return Object.assign(stream, { statusCode: 200, headers }) as unknown as IncomingMessage;
}

function once(body: Buffer, headers?: object): IncomingMessage {
	const rest: (Buffer | null)[] = [body, null];
	return message(() => rest.shift() ?? null, headers);
}

describe('NodeResponse', () => {
	it('buffers a limited part of an unread body, and takes the rest when it is read', async () => {
		const chunk = Buffer.alloc(64 * 1024, 'x');
		const chunks = 100;
		let given = 0;
		const response = new NodeResponse(message(() => (given++ < chunks ? chunk : null)));
		await settled();
		// The buffer of the stream itself is added to this.
		assert.ok(given <= 10, `${given} chunks taken`);
		let length = 0;
		await response.read(bytes => (length += bytes.length));
		assert.equal(length, chunks * chunk.length);
	});

	it('closes the connection if the body is discarded while it is read, even a short one', async () => {
		const silent = Object.assign(new Readable({ read() {} }), { statusCode: 200, headers: { 'content-length': '10' } });
		const response = new NodeResponse(silent as unknown as IncomingMessage);
		const reading = response.read(() => undefined);
		response.discard();
		await assert.rejects(reading, /nobody reads/);
		assert.ok(silent.destroyed);
	});

	it('stops decompressing when a complete body is discarded', async () => {
		const made = mock.method(process.getBuiltinModule('zlib'), 'createGunzip');
		const response = new NodeResponse(once(zlib.gzipSync(Buffer.alloc(5_000_000)), gzip));
		made.mock.restore();
		const reading = response.read(() => {
			throw new Error('enough');
		});
		await assert.rejects(reading, /enough/);
		await settled();
		assert.equal(made.mock.calls[0]?.result?.destroyed, true);
	});
});

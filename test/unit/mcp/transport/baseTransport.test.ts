// Which texts are messages. All other texts are noise, and must cost next to nothing.
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { BaseTransport } from '../../../../src/mcp/transport/baseTransport.js';
import { leakCheck } from '../../../support/leakCheck.js';

class TextTransport extends BaseTransport {
	override parse(text: string): unknown {
		return super.parse(text);
	}
}

describe('BaseTransport', () => {
	const { own } = leakCheck();
	afterEach(() => mock.reset());

	// covers: stdio.noise
	it('hands only texts to JSON.parse that begin like a message, and reports all others as noise', () => {
		const transport = own(new TextTransport());
		const noise: string[] = [];
		own(transport.onDidReceiveNoise(({ text }) => noise.push(text)));
		const parse = mock.method(JSON, 'parse');
		const messages = ['{}', ' { "id" : 1 }', '[{"id":1}]', '\t[ {} ]\r', '[]'];
		const expected = messages.map(it => JSON.parse(it) as unknown);
		assert.deepEqual(
			messages.map(it => transport.parse(it)),
			expected,
		);
		assert.equal(parse.mock.callCount(), 2 * messages.length);
		const lines = ['', ' ', 'x', '1', '"{}"', 'null', '[12:00:00] INFO', '[1]', '{name}', 'log {}', '{', '['];
		const broken = ['{"half":', '[{]'];
		assert.deepEqual(
			[...lines, ...broken].map(it => transport.parse(it)),
			[...lines, ...broken].map(() => undefined),
		);
		assert.deepEqual(noise, [...lines, ...broken]);
		assert.equal(parse.mock.callCount(), 2 * messages.length + broken.length);
	});
});

import * as assert from 'node:assert/strict';
import { readFromView } from '../../../../../src/webviews/page/reading/protocol.js';

describe('what the view of a page tells the editor', () => {
	it('is taken', () => {
		for (const message of [{ type: 'ready' }, { type: 'copy', id: 1 }, { type: 'press', id: 1, action: 2 }]) {
			assert.deepEqual(readFromView(message), message);
		}
	});

	it('is not taken if it is anything else', () => {
		const wrong: readonly unknown[] = [
			undefined,
			null,
			'ready',
			[],
			{},
			{ type: 'copy' },
			{ type: 'copy', id: '1' },
			{ type: 'press', id: 1 },
			{ type: 'press', id: 1, action: -1 },
			{ type: 'press', id: 1, action: 0.5 },
			{ type: 'press', id: 1, action: '__proto__' },
			{ type: 'run', id: 1, action: 0 },
		];
		assert.deepEqual(
			wrong.map(it => readFromView(it)),
			wrong.map(() => undefined),
		);
		assert.deepEqual(readFromView({ type: 'copy', id: 1, action: 0, more: 'x' }), { type: 'copy', id: 1 });
	});
});

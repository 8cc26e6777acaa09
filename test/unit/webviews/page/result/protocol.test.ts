import * as assert from 'node:assert/strict';
import { readFromView } from '../../../../../src/webviews/page/result/protocol.js';

const place = { tree: 'structured', path: [0, 1], from: 0 };

describe('what the view of a result tells the editor', () => {
	const fromView: readonly unknown[] = [
		{ type: 'use', id: 1, index: 0 },
		{ type: 'press', id: 1, action: 'copy' },
		{ type: 'pressBlock', id: 1, action: 'open', block: 0 },
		{ type: 'expand', id: 1, place },
		{ type: 'expand', id: 1, place: { tree: 3, path: [], from: 100 } },
	];
	for (const message of fromView) {
		it(`the editor takes ${JSON.stringify(message)}`, () => assert.deepEqual(readFromView(message), message));
	}

	const notFromView: readonly unknown[] = [
		undefined,
		null,
		'ready',
		[],
		{},
		{ type: 'press', action: 'copy' },
		{ type: 'use', id: 1, index: -1 },
		{ type: 'press', id: 1, action: 'format' },
		{ type: 'press', id: 1, action: 'toString' },
		{ type: 'press', id: '1', action: 'copy' },
		{ type: 'pressBlock', id: 1, action: 'copy', block: 0 },
		{ type: 'pressBlock', id: 1, action: 'open', block: -1 },
		{ type: 'pressBlock', id: 1, action: 'open', block: '__proto__' },
		{ type: 'expand', id: 1, place: { ...place, tree: 'constructor' } },
		{ type: 'expand', id: 1, place: { ...place, path: ['__proto__'] } },
		{ type: 'expand', id: 1, place: { ...place, from: 0.5 } },
		{ type: 'expand', id: 1, place: null },
	];
	for (const message of notFromView) {
		it(`the editor does not take ${JSON.stringify(message)}`, () => assert.equal(readFromView(message), undefined));
	}

	it('the editor takes nothing that was not asked for', () => {
		assert.deepEqual(readFromView({ type: 'use', id: 1, index: 0, more: 1 }), { type: 'use', id: 1, index: 0 });
	});
});

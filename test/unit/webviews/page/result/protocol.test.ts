import * as assert from 'node:assert/strict';
import { readFromView, readToView, stringKeys } from '../../../../../src/webviews/page/result/protocol.js';

const entry = { key: '', kind: 'object', value: '{0}', count: 0, problem: undefined };
const block = {
	kind: 'text',
	role: '',
	title: '',
	text: 'x',
	more: '',
	media: undefined,
	root: undefined,
	actions: ['copyBlock'],
};
const page = {
	id: 1,
	title: 't',
	outcome: 'done',
	facts: 'f',
	failure: undefined,
	warnings: ['w'],
	description: 'd',
	blocks: [block],
	structured: entry,
	check: { kind: 'valid', text: 'x' },
	arguments: entry,
	actions: ['copy'],
	uses: [{ label: 'Open', icon: 'file' }],
};
const strings = Object.fromEntries(stringKeys.map(it => [it, it]));
const place = { tree: 'structured', path: [0, 1], from: 0 };

describe('messages between the editor and the view of a result', () => {
	const fromView: readonly unknown[] = [
		{ type: 'use', id: 1, index: 0 },
		{ type: 'press', id: 1, action: 'copy' },
		{ type: 'pressBlock', id: 1, action: 'open', block: 0 },
		{ type: 'expand', id: 1, place },
		{ type: 'expand', id: 1, place: { tree: 3, path: [], from: 100 } },
	];
	for (const message of fromView) {
		it(`the editor accepts ${JSON.stringify(message)}`, () => assert.deepEqual(readFromView(message), message));
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
		it(`the editor rejects ${JSON.stringify(message)}`, () => assert.equal(readFromView(message), undefined));
	}

	it('the editor drops unknown members', () => {
		assert.deepEqual(readFromView({ type: 'use', id: 1, index: 0, more: 1 }), { type: 'use', id: 1, index: 0 });
	});

	const toView: readonly unknown[] = [
		{ type: 'page', page, strings },
		{ type: 'page', page: { ...page, blocks: [], structured: undefined, check: undefined }, strings },
		{ type: 'media', id: 1, block: 0, mimeType: 'image/png', bytes: new Uint8Array(2) },
		{ type: 'children', id: 1, place, entries: [entry], left: 0 },
		{ type: 'announce', id: 1, text: 'Copied' },
	];
	for (const message of toView) {
		it(`the view takes ${JSON.stringify(message).slice(0, 60)}`, () => assert.deepEqual(readToView(message), message));
	}

	const notToView: readonly unknown[] = [
		undefined,
		{ type: 'page' },
		{ type: 'page', page, strings: {} },
		{ type: 'page', page: { ...page, title: 1 }, strings },
		{ type: 'page', page: { ...page, actions: undefined }, strings },
		{ type: 'page', page: { ...page, outcome: 'other' }, strings },
		{ type: 'page', page: { ...page, uses: [{ label: 'Open', icon: 'html' }] }, strings },
		{ type: 'page', page: { ...page, failure: {} }, strings },
		{ type: 'page', page: { ...page, check: { kind: 'valid' } }, strings },
		{ type: 'page', page: { ...page, arguments: undefined }, strings },
		{ type: 'page', page: { ...page, structured: { ...entry, kind: 'html' } }, strings },
		{ type: 'page', page: { ...page, blocks: [{ ...block, text: {} }] }, strings },
		{ type: 'page', page: { ...page, blocks: [{ ...block, kind: 'html' }] }, strings },
		{ type: 'page', page: { ...page, blocks: [{ ...block, actions: ['quit'] }] }, strings },
		{ type: 'page', page: { ...page, blocks: [{ ...block, media: 'video' }] }, strings },
		{ type: 'page', page: { ...page, blocks: [{ ...block, root: {} }] }, strings },
		{ type: 'media', id: 1, block: 0, mimeType: 'image/png', bytes: 'iVBORw0KGgo=' },
		{ type: 'children', id: 1, place, entries: [{}], left: 0 },
		{ type: 'children', id: 1, place, entries: [entry], left: -1 },
		{ type: 'announce', id: 1, text: {} },
	];
	for (const message of notToView) {
		it(`the view does not take ${JSON.stringify(message)?.slice(0, 300)}`, () =>
			assert.equal(readToView(message), undefined));
	}
});

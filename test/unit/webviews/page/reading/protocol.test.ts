import * as assert from 'node:assert/strict';
import { readFromView, readToView, stringKeys } from '../../../../../src/webviews/page/reading/protocol.js';

const row = { label: 'l', value: 'v' };
const blocks = [
	{ kind: 'text', text: 'x' },
	{ kind: 'code', text: 'x' },
	{ kind: 'rows', rows: [row, { ...row, note: 'n' }] },
	{ kind: 'list', items: ['x'] },
	{ kind: 'numbers', items: [] },
];
const section = { title: 's', isServers: true, blocks };
const page = { id: 1, title: 't', summary: 's', tone: 'good', facts: [row], actions: ['Run'], sections: [section] };
const strings = Object.fromEntries(stringKeys.map(it => [it, it]));

describe('messages between the editor and the view of a page', () => {
	it('the editor accepts messages of its view', () => {
		for (const message of [{ type: 'ready' }, { type: 'copy', id: 1 }, { type: 'press', id: 1, action: 2 }]) {
			assert.deepEqual(readFromView(message), message);
		}
	});

	it('the editor rejects other messages', () => {
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

	it('the view accepts pages and announcements', () => {
		for (const message of [
			{ type: 'page', page, strings },
			{ type: 'page', page: { ...page, sections: [{ title: 's', blocks: [] }] }, strings },
			{ type: 'announce', id: 1, text: 'Copied' },
		]) {
			assert.deepEqual(readToView(message), message);
		}
	});

	it('the view rejects other messages', () => {
		const withBlock = (block: unknown): unknown => ({ ...page, sections: [{ ...section, blocks: [block] }] });
		const pages: readonly unknown[] = [
			undefined,
			{ ...page, id: -1 },
			{ ...page, title: 1 },
			{ ...page, tone: 'constructor' },
			{ ...page, actions: [{}] },
			{ ...page, facts: [{ label: 'l' }] },
			{ ...page, facts: [{ ...row, note: {} }] },
			{ ...page, sections: {} },
			{ ...page, sections: [{ ...section, isServers: 'no' }] },
			withBlock(null),
			withBlock({ kind: 'html', text: 'x' }),
			withBlock({ kind: 'text' }),
			withBlock({ kind: 'list', items: [1] }),
			withBlock({ kind: 'rows', rows: 'x' }),
		];
		const wrong: readonly unknown[] = [
			undefined,
			[],
			{ type: 'page', page },
			{ type: 'page', page, strings: { ...strings, copy: undefined } },
			{ type: 'announce', id: 1, text: {} },
			{ type: 'announce', text: 'x' },
			...pages.map(it => ({ type: 'page', page: it, strings })),
		];
		assert.deepEqual(
			wrong.map(it => readToView(it)),
			wrong.map(() => undefined),
		);
	});
});

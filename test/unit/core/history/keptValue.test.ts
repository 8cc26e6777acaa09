// Small values are kept unchanged, large ones are shortened.
import * as assert from 'node:assert/strict';
import { keepSmall } from '../../../../src/core/history/keptValue.js';

const same = <T>(it: T): T => it;

function nested(levels: number, bottom: unknown = {}): object {
	let value = bottom;
	for (let level = 0; level < levels; level++) {
		value = { a: value };
	}
	return value as object;
}

function lists(levels: number, bottom: unknown): unknown {
	return levels === 0 ? bottom : [lists(levels - 1, bottom)];
}

describe('as much of a value as is worth keeping', () => {
	it('is all of it, up to 100,000 characters of JSON', () => {
		const value = { a: 'x'.repeat(99_992) };
		// Not `deepEqual`: a failure would print the whole value.
		const kept = keepSmall(value, same);
		assert.ok(kept.value === value && !kept.isCut);
		assert.equal(keepSmall({ a: 'x'.repeat(99_993) }, same).isCut, true);
		assert.equal(keepSmall(nested(1_000_000, {}), same).isCut, true);
	});

	/** Makes the value that contains it too large. */
	const large = 'x'.repeat(100_000);
	const cut = `${'x'.repeat(500)}…`;
	const list = (length: number): number[] => Array.from({ length }, (_, index) => index);
	const record = (length: number): object => Object.fromEntries(list(length).map(it => [`k${it}`, it]));
	const table: readonly (readonly [name: string, value: object, kept: object])[] = [
		['the beginning of a text', { large }, { large: cut }],
		['the beginning of a name', { [large]: 1 }, { [cut]: 1 }],
		['all of a text of 500', { large, a: 'y'.repeat(500) }, { large: cut, a: 'y'.repeat(500) }],
		['the beginning of a text of 501', { large, a: 'y'.repeat(501) }, { large: cut, a: `${'y'.repeat(500)}…` }],
		['what is no text', { large, a: [1, null, true] }, { large: cut, a: [1, null, true] }],
		['all of a list of 50', { large, a: list(50) }, { large: cut, a: list(50) }],
		['the beginning of a list of 51', { large, a: list(51) }, { large: cut, a: [...list(50), '…'] }],
		['the texts of a list', [large, { a: large }], [cut, { a: cut }]],
		['all of an object of 50', { large, a: record(50) }, { large: cut, a: record(50) }],
		['the beginning of an object of 51', { large, a: record(51) }, { large: cut, a: { ...record(50), '…': '…' } }],
		['20 levels', { large, a: nested(18, { a: 1 }) }, { large: cut, a: nested(18, { a: 1 }) }],
		['nothing of level 21', { large, a: nested(19, { a: 1 }) }, { large: cut, a: nested(19, '…') }],
		['nothing of a list at level 21', { large, a: nested(19, [1]) }, { large: cut, a: nested(19, '…') }],
		['nothing of lists at level 21', { large, a: lists(20, '…') }, { large: cut, a: lists(19, '…') }],
		['texts at level 21', { large, a: nested(19, large) }, { large: cut, a: nested(19, cut) }],
	];
	for (const [name, value, kept] of table) {
		it(`is, of what is large, ${name}`, () => {
			assert.deepEqual(keepSmall(value, same), { value: kept, isCut: true });
		});
	}

	it('has no secret in it that begins where a text is cut', () => {
		const redact = <T>(it: T): T => JSON.parse(JSON.stringify(it).replaceAll(/<secret>.*?<\/secret>/g, '-')) as T;
		const text = `${'a'.repeat(495)}<secret>${'b'.repeat(9000)}</secret>${large}`;
		assert.deepEqual(keepSmall({ text }, redact).value, { text: `${'a'.repeat(495)}-${'x'.repeat(4)}…` });
	});
});

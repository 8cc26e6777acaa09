import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { argumentAt, argumentsText, readArguments } from '../../../../src/core/text/argumentsJson.js';

const names = ['city', 'country'];

describe('arguments as JSON', () => {
	it('has all of them, and reads those back that are something', () => {
		const text = argumentsText(names, new Map([['city', 'New "York"\n']]));
		assert.equal(text, '{\n\t"city": "New \\"York\\"\\n",\n\t"country": ""\n}\n');
		assert.deepEqual([...(readArguments(text, names) ?? [])], [['city', 'New "York"\n']]);
	});

	for (const [text, expected] of [
		['{"city": 5, "country": true}', { city: '5', country: 'true' }],
		['{"other": "x", "city": "a"}', { city: 'a' }],
		['{}', {}],
		['{"city": null}', undefined],
		['{"city": ["a"]}', undefined],
		['["a"]', undefined],
		['"a"', undefined],
		['{"city": "a"', undefined],
		['', undefined],
	] as const) {
		it(`reads ${text || 'nothing'}`, () => {
			const values = readArguments(text, names);
			assert.deepEqual(values && Object.fromEntries(values), expected);
		});
	}

	/** `|` is the cursor. */
	function at(marked: string): unknown {
		const offset = marked.indexOf('|');
		const text = marked.replace('|', '');
		const place = argumentAt(text, offset);
		return place && [place.argument, place.value, text.slice(place.start, place.end), place.others];
	}

	for (const [marked, expected] of [
		['{"city": "Pa|ris", "country": "F"}', ['city', 'Pa', '"Paris"', { country: 'F' }]],
		['{"city": "|"}', ['city', '', '""', {}]],
		['{"city": "a", "country": "|"}', ['country', '', '""', { city: 'a' }]],
		[String.raw`{"city": "a\"b|"}`, ['city', 'a"b', String.raw`"a\"b"`, {}]],
		['{"ci|ty": "a"}', undefined],
		['{"city":| "a"}', undefined],
		['{"city": {"a": "|"}}', undefined],
		['{"city": ["|"]}', undefined],
		['|', undefined],
		['"|"', undefined],
	] as const) {
		it(`knows where it is typed: ${marked}`, () => assert.deepEqual(at(marked), expected));
	}

	it('survives whatever is typed, wherever', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, offset) => {
				argumentAt(`{"city": "${text}`, offset);
				readArguments(text, names);
			}),
		);
	});
});

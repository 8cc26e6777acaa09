import * as assert from 'node:assert/strict';
import { hasOtherNumbers, indentSource, resultSource } from '../../../../src/core/text/jsonSource.js';

describe('the source of JSON', () => {
	const results: readonly (readonly [message: string, result: string | undefined])[] = [
		['{"jsonrpc":"2.0","id":1,"result":{"a":1.0,"b":{"result":{}}}}', '{"a":1.0,"b":{"result":{}}}'],
		['{"result": { "x" : "}" } ,"id":1}', '{ "x" : "}" }'],
		['{"meta":{"result":{"no":1}},"result":{}}', '{}'],
		['{"result":{"first":1},"result":{"second":2}}', '{"second":2}'],
		['{"error":{"result":{}}}', undefined],
		['{"result":[{"a":1}]}', undefined],
		['', undefined],
	];
	for (const [message, result] of results) {
		it(`has the result ${result} in ${message}`, () => assert.equal(resultSource(message), result));
	}

	it('has the result in the last state of a task', () => {
		const state = '{"id":2,"result":{"taskId":"t","status":"completed","result":{"a":1.0}}}';
		assert.equal(resultSource(resultSource(state) ?? ''), '{"a":1.0}');
	});

	it('is indented with its numbers and texts as they are', () => {
		const json = '{"n":[1.0,1e3,9007199254740993,-0],"t":"a\\u0041{[:,\\"]}","e":{},"l":[],"b":[true,null]}';
		assert.equal(
			indentSource(json),
			[
				'{',
				'  "n": [',
				'    1.0,',
				'    1e3,',
				'    9007199254740993,',
				'    -0',
				'  ],',
				'  "t": "a\\u0041{[:,\\"]}",',
				'  "e": {},',
				'  "l": [],',
				'  "b": [',
				'    true,',
				'    null',
				'  ]',
				'}',
			].join('\n'),
		);
	});

	it('is indented like JSON.stringify does', () => {
		const value = { a: [{ b: 1 }, [], {}], c: { d: 'x', e: null }, f: 'ä\n' };
		assert.equal(indentSource(JSON.stringify(value)), JSON.stringify(value, undefined, 2));
	});

	it('is indented however deeply a server nests it', () => {
		const json = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
		assert.equal(indentSource(json).replaceAll(/\s/g, ''), json);
	});

	it('has other numbers where parsing changes them', () => {
		const changed = ['1.0', '[1e3]', '{"a":9007199254740993}', '-0', '1E5'].map(hasOtherNumbers);
		assert.deepEqual(new Set(changed), new Set([true]));
		const same = ['1', '[-1.5]', '{"a":1e+21}', '"1.0"', '{"1.0":true}', 'null'].map(hasOtherNumbers);
		assert.deepEqual(new Set(same), new Set([false]));
	});
});

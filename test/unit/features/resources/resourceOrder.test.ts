import * as assert from 'node:assert/strict';
import type { Resource } from '../../../../src/mcp/index.js';
import { inOrder, marksOf, type ResourceOrder } from '../../../../src/features/resources/resourceOrder.js';

describe('the order of resources', () => {
	const list: readonly Resource[] = [
		{ uri: 'x:1', name: 'b10', annotations: { priority: 0.2 } },
		{ uri: 'x:2', name: 'b2', annotations: { lastModified: '2026-01-02T00:00:00Z' } },
		{ uri: 'x:3', name: 'zzz', title: 'A', annotations: { priority: 1, lastModified: 'yesterday' } },
		{ uri: 'x:4', name: 'b2', annotations: { priority: 7, lastModified: '2026-01-03' } },
	];
	const table: Readonly<Record<ResourceOrder, string>> = {
		listed: '1234',
		name: '3241',
		priority: '3124',
		modified: '4213',
	};
	for (const [order, uris] of Object.entries(table)) {
		it(`${order}: what says nothing of it comes last, else as listed`, () => {
			const sorted = inOrder(list, order as ResourceOrder);
			assert.equal(sorted.map(it => it.uri.slice(2)).join(''), uris);
		});
	}

	it('makes of annotations what can be made of them', () => {
		const wrong = { audience: ['user', 7, 'nobody'], priority: '1', lastModified: {} };
		assert.deepEqual(marksOf(wrong), { audience: ['user'], priority: undefined, lastModified: undefined });
		assert.deepEqual(marksOf({ audience: 'user' }).audience, []);
		assert.equal(marksOf({ lastModified: '1970-01-01T00:00:01Z' }).lastModified, 1000);
		assert.deepEqual(marksOf(undefined), marksOf({}));
	});
});

import * as assert from 'node:assert/strict';
import type { Demand } from '../../../../src/mcp/auth/challenges.js';
import { Demands } from '../../../../src/mcp/auth/demands.js';

const demand = (error?: string, ...scopes: string[]): Demand => ({
	isDpop: false,
	error,
	scopes: scopes.length === 0 ? undefined : scopes,
	resourceMetadata: undefined,
});

describe('demands of a server', () => {
	it('are counted by what they ask for, until it is satisfied', () => {
		const demands = new Demands();
		const more = 'insufficient_scope';
		const all = [demand(), demand('invalid_token', 'a'), demand(more), demand(more, 'a', 'b'), demand(more, 'ab')];
		const counts = (): number[] => all.map(it => demands.count(it));
		assert.deepEqual(counts(), [0, 0, 0, 0, 0]);
		demands.didMeet(demand(more, 'b', 'a'));
		demands.didMeet(demand(more, 'a', 'b'));
		demands.didMeet(demand('invalid_token'));
		assert.deepEqual(counts(), [1, 1, 0, 2, 0]);
		demands.didMeet(demand(more, 'c'));
		assert.deepEqual(counts(), [1, 1, 0, 2, 0]);
		demands.clear();
		assert.deepEqual(counts(), [0, 0, 0, 0, 0]);
	});
});

import * as assert from 'node:assert/strict';
import {
	type Demand,
	DemandCounter,
	parseChallenges,
	parseScopes,
	readDemand,
} from '../../../../src/mcp/auth/challenges.js';

describe('challenges', () => {
	const table: readonly (readonly [header: string, ...challenges: (readonly [string, object])[]])[] = [
		[''],
		['Bearer', ['bearer', {}]],
		['bearer realm="a, b"', ['bearer', { realm: 'a, b' }]],
		['Bearer a="1", b=2 , c = "3"', ['bearer', { a: '1', b: '2', c: '3' }]],
		['Bearer a="x\\"y\\\\z"', ['bearer', { a: 'x"y\\z' }]],
		['Bearer a="x\\\ny", b=2', ['bearer', { a: 'x\ny', b: '2' }]],
		['Basic realm="x", Bearer scope="a b"', ['basic', { realm: 'x' }], ['bearer', { scope: 'a b' }]],
		['Negotiate, Bearer A=1', ['negotiate', {}], ['bearer', { a: '1' }]],
		['Negotiate YWJj==, Bearer a=1', ['negotiate', {}], ['bearer', { a: '1' }]],
		['Negotiate \t YWJj==, Bearer a=1', ['negotiate', {}], ['bearer', { a: '1' }]],
		['Negotiate YWJj', ['negotiate', {}]],
		['Bearer a=1, Negotiate x', ['bearer', { a: '1' }], ['negotiate', {}]],
		['a=1, Bearer b=2'],
		['Bearer a=1, a=2', ['bearer', { a: '1' }]],
		['DPoP algs="ES256", error="use_dpop_nonce"', ['dpop', { algs: 'ES256', error: 'use_dpop_nonce' }]],
		['Bearer a="unclosed', ['bearer', {}]],
		['Bearer a="x" """', ['bearer', { a: 'x' }]],
		['"quoted"'],
		[`Bearer a="${'x'.repeat(16_384 - 11)}"`, ['bearer', { a: 'x'.repeat(16_384 - 11) }]],
		[`Bearer a="${'x'.repeat(16_384 - 10)}"`],
	];
	for (const [header, ...expected] of table) {
		it(header.slice(0, 60) || 'nothing', () => {
			const found = parseChallenges(header).map(it => [it.scheme, Object.fromEntries(it.parameters)]);
			assert.deepEqual(found, expected);
		});
	}

	// covers: auth.challenge
	it('what of them concerns us', () => {
		const none = { isDpop: false, error: undefined, scopes: undefined, resourceMetadata: undefined };
		assert.deepEqual(readDemand(undefined), none);
		assert.deepEqual(readDemand('Basic scope="a"'), none);
		assert.deepEqual(readDemand('Bearer scope="", error=""'), none);
		assert.deepEqual(
			readDemand('Basic realm="x", Bearer error="insufficient_scope", scope="a  b a", resource_metadata="u"'),
			{
				isDpop: false,
				error: 'insufficient_scope',
				scopes: ['a', 'b'],
				resourceMetadata: 'u',
			},
		);
		assert.equal(readDemand('DPoP algs="ES256"').isDpop, true);
		assert.equal(readDemand('Bearer, DPoP algs="ES256"').isDpop, false);
	});

	it('scopes are what scopes may be', () => {
		assert.deepEqual(parseScopes('a:b/c https://x/y "q" b\\d é a:b/c'), ['a:b/c', 'https://x/y']);
		assert.deepEqual([parseScopes(undefined), parseScopes(' '), parseScopes('"')], [undefined, undefined, undefined]);
	});
});

const demand = (error?: string, ...scopes: string[]): Demand => ({
	isDpop: false,
	error,
	scopes: scopes.length === 0 ? undefined : scopes,
	resourceMetadata: undefined,
});

describe('demands of a server', () => {
	it('are counted by what they ask for, until it is satisfied', () => {
		const demands = new DemandCounter();
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

import * as assert from 'node:assert/strict';
import {
	expiryOf,
	type TokenGrant,
	isDue,
	isRenewable,
	parseClient,
	parseGrant,
} from '../../../../src/mcp/auth/grant.js';

const grant: TokenGrant = {
	issuer: 'https://as.example',
	accessToken: 'a',
	tokenType: 'bearer',
	asked: ['read'],
	client: { way: 'registered', clientId: 'c' },
	by: 'code',
};

describe('grants', () => {
	it('come back as they were kept', () => {
		const full: TokenGrant = {
			...grant,
			resource: 'r',
			resourceMetadataUrl: 'm',
			tokenType: 'dpop',
			...expiryOf(60, 1000),
			refreshToken: 'b',
			scopes: ['read'],
			key: { kty: 'EC' },
		};
		assert.deepEqual([parseGrant(JSON.stringify(grant)), parseGrant(JSON.stringify(full))], [grant, full]);
	});

	it('that are none of ours are none', () => {
		const wrong = [
			{ accessToken: 1 },
			{ issuer: undefined },
			{ tokenType: 'mac' },
			{ tokenType: 'dpop' },
			{ asked: 'read' },
			{ client: {} },
			{ client: { way: 'registered', clientId: 7 } },
			{ by: 1 },
			{ tokenType: 'mac', key: {} },
		];
		const texts = [undefined, '', '{', 'null', '[]', ...wrong.map(it => JSON.stringify({ ...grant, ...it }))];
		assert.deepEqual(
			texts.filter(it => parseGrant(it) !== undefined),
			[],
		);
		assert.deepEqual(parseClient('{"way":"asked","clientId":"c"}'), { way: 'asked', clientId: 'c' });
		assert.equal(parseClient('{"way":"asked"}'), undefined);
	});

	it('can be renewed without a person by a refresh token, or where none was needed at first', () => {
		assert.deepEqual([grant, { ...grant, refreshToken: 'r' }, { ...grant, by: 'workload' as const }].map(isRenewable), [
			false,
			true,
			true,
		]);
		assert.deepEqual(expiryOf(undefined, 5), {});
		assert.deepEqual(expiryOf(1e308, 5), {}, 'what JSON could not keep');
	});

	it('are due half a minute before their end, or after half of a short life', () => {
		const due = (seconds: number | undefined, now: number): boolean =>
			isDue({ ...grant, ...expiryOf(seconds, 0) }, now);
		assert.deepEqual(
			[due(3600, 3_569_999), due(3600, 3_570_000), due(20, 9999), due(20, 10_000), due(0, 0), due(undefined, 1e15)],
			[false, true, false, true, true, false],
		);
	});
});

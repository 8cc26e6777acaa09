import * as assert from 'node:assert/strict';
import type { SamplingRequest, SamplingTool } from '../../../../src/core/requests/samplingRequest.js';
import {
	grantFor,
	isSamplingGrant,
	type SamplingFacts,
	type SamplingGrant,
} from '../../../../src/core/requests/samplingGrants.js';

const request: SamplingRequest = {
	messages: [],
	systemPrompt: undefined,
	hints: [],
	includeContext: 'none',
	temperature: undefined,
	maxTokens: 100,
	stopSequences: [],
	tools: [],
	toolChoice: 'auto',
};
const tool: SamplingTool = { name: 'search', description: undefined, inputSchema: {} };

const anything: SamplingGrant = {
	id: '1',
	serverId: 'a',
	model: 'm',
	maxTokens: 100,
	allowsTools: true,
	lasts: 'session',
	time: 1,
};
const maxPerOperation = 3;

function facts(
	it: Partial<Omit<SamplingFacts, 'request'>> & { readonly request?: Partial<SamplingRequest> },
): SamplingFacts {
	return { serverId: 'a', model: 'm', count: 1, ...it, request: { ...request, ...it.request } };
}

describe('a grant for sampling', () => {
	const table: readonly (readonly [string, Partial<SamplingGrant>, SamplingFacts, boolean])[] = [
		['of the server', {}, facts({}), true],
		['of another server', {}, facts({ serverId: 'b' }), false],
		['of the model', { model: 'm' }, facts({}), true],
		['of another model', { model: 'n' }, facts({}), false],
		['of fewer tokens', { maxTokens: 99 }, facts({}), false],
		['of more tokens', { maxTokens: 101 }, facts({}), true],
		['without tools, for none', { allowsTools: false }, facts({}), true],
		['without tools, for some', { allowsTools: false }, facts({ request: { tools: [tool] } }), false],
		[
			'without tools, for some that are not to be used',
			{ allowsTools: false },
			facts({ request: { tools: [tool], toolChoice: 'none' } }),
			true,
		],
		['for the last request of an operation', {}, facts({ count: maxPerOperation }), true],
		['for one request more', {}, facts({ count: maxPerOperation + 1 }), false],
	];
	for (const [name, grant, asked, covers] of table) {
		it(`${name} ${covers ? 'covers' : 'does not cover'} the request`, () => {
			const given = { ...anything, ...grant };
			assert.equal(grantFor([given], asked, maxPerOperation), covers ? given : undefined);
		});
	}

	it('of several, is the first that covers the request', () => {
		const again = { ...anything, id: '2' };
		const elsewhere = { ...anything, serverId: 'b' };
		const find = (...grants: SamplingGrant[]): string | undefined => grantFor(grants, facts({}), maxPerOperation)?.id;
		assert.deepEqual([find(), find(anything, again), find(again, anything)], [undefined, '1', '2']);
		assert.equal(find(elsewhere, again), '2');
	});
});

describe('a grant for sampling, read back', () => {
	const kept = { ...anything, lasts: 'workspace' };

	/** By member: invalid values, then valid ones. */
	const table: Readonly<Record<keyof typeof kept, readonly [bad: readonly unknown[], good: readonly unknown[]]>> = {
		id: [[undefined, null, 5, ['1']], ['2']],
		serverId: [[undefined, null, 5, {}], ['b']],
		model: [[undefined, null, 5, {}, ['m']], ['n']],
		maxTokens: [
			[undefined, null, '5', Number.NaN, Number.POSITIVE_INFINITY, [5]],
			[0, 6],
		],
		allowsTools: [[undefined, null, 'false', 0, 1, {}], [false]],
		lasts: [[undefined, null, 'session', 'forever', true], []],
		time: [[undefined, null, '1', Number.NaN, Number.NEGATIVE_INFINITY, {}], [0]],
	};

	it('is valid as it was written', () => {
		assert.ok(isSamplingGrant(kept));
		for (const other of [undefined, null, 5, 'grant', [], {}]) {
			assert.ok(!isSamplingGrant(other), JSON.stringify(other));
		}
	});

	for (const [member, [bad, good]] of Object.entries(table)) {
		it(`is invalid with a wrong ${member}`, () => {
			for (const value of bad) {
				assert.ok(!isSamplingGrant({ ...kept, [member]: value }), String(value));
			}
			for (const value of good) {
				assert.ok(isSamplingGrant({ ...kept, [member]: value }), String(value));
			}
		});
	}
});

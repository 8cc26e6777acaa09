import * as assert from 'node:assert/strict';
import type { SamplingRequest, SamplingTool } from '../../../../src/core/requests/samplingRequest.js';
import {
	grantFor,
	maxPerOperation,
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
			assert.equal(grantFor([given], asked), covers ? given : undefined);
		});
	}

	it('of several, is the first that covers the request', () => {
		const again = { ...anything, id: '2' };
		const elsewhere = { ...anything, serverId: 'b' };
		const find = (...grants: SamplingGrant[]): string | undefined => grantFor(grants, facts({}))?.id;
		assert.deepEqual([find(), find(anything, again), find(again, anything)], [undefined, '1', '2']);
		assert.equal(find(elsewhere, again), '2');
	});
});

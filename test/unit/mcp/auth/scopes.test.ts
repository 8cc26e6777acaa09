import * as assert from 'node:assert/strict';
import { chooseScopes, type ScopeSources } from '../../../../src/mcp/auth/scopes.js';

const nothing: ScopeSources = {
	before: undefined,
	configured: undefined,
	demanded: undefined,
	suggested: undefined,
	offered: undefined,
	isStepUp: false,
	isPerson: true,
};

const table: readonly (readonly [what: string, Partial<ScopeSources>, scopes: string, from: string])[] = [
	['nothing is known', {}, '', 'nothing'],
	['what the challenge says', { demanded: ['a'], suggested: ['b'] }, 'a', 'challenge'],
	['what the metadata suggest', { suggested: ['b', 'c'] }, 'b c', 'resource'],
	['what the person configured', { configured: ['x'], demanded: ['a'], suggested: ['b'] }, 'x', 'configuration'],
	['nothing, because the person configured that', { configured: [], suggested: ['b'] }, '', 'configuration'],
	['what there was is kept', { before: ['a'], demanded: ['b'] }, 'a b', 'challenge'],
	['more is a union', { before: ['a', 'b'], demanded: ['b', 'c'], isStepUp: true }, 'a b c', 'stepUp'],
	['more, whatever is configured', { configured: ['x'], demanded: ['c'], isStepUp: true }, 'x c', 'stepUp'],
	['more, the server does not say of what', { before: ['a'], isStepUp: true }, 'a', 'stepUp'],
];

describe('scopes', () => {
	for (const [what, sources, scopes, from] of table) {
		// covers: auth.scopes
		it(what, () => {
			const choice = chooseScopes({ ...nothing, ...sources });
			assert.deepEqual([choice.scopes.join(' '), choice.from], [scopes, from]);
		});
	}

	// covers: auth.offlineAccess
	it('offline_access where it is offered to a person who asks for something, and nowhere else', () => {
		const of = (sources: Partial<ScopeSources>): string => chooseScopes({ ...nothing, ...sources }).scopes.join(' ');
		const offered = ['a', 'offline_access'];
		assert.deepEqual(
			[
				of({ suggested: ['a'], offered }),
				of({ suggested: ['a'], offered: ['a'] }),
				of({ suggested: ['a'] }),
				of({ suggested: ['a', 'offline_access'], offered: ['a'] }),
				of({ before: ['a', 'offline_access'], demanded: ['b'], offered }),
				of({ suggested: ['a'], offered, isPerson: false }),
				of({ offered }),
			],
			['a offline_access', 'a', 'a', 'a', 'a b offline_access', 'a', ''],
		);
	});
});

import * as assert from 'node:assert/strict';
import { chooseScopes } from '../../../../src/mcp/auth/authEngine.js';

interface Sources {
	readonly before?: string[];
	readonly configured?: string[];
	readonly demanded?: string[];
	readonly suggested?: string[];
	readonly offered?: string[];
	readonly isStepUp?: boolean;
	readonly isPerson?: boolean;
}

function choose({ before, configured, demanded, suggested, offered, isStepUp, isPerson }: Sources) {
	return chooseScopes(
		{
			demand: { scopes: demanded, error: isStepUp === true ? 'insufficient_scope' : undefined },
			config: { kind: isPerson === false ? 'workload' : 'person', scopes: configured },
			found: { scopes: suggested, as: { ...(offered && { scopes_supported: offered }) } },
		},
		before,
	);
}

const table: readonly (readonly [what: string, Sources, scopes: string, from: string])[] = [
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
			const choice = choose(sources);
			assert.deepEqual([choice.scopes.join(' '), choice.from], [scopes, from]);
		});
	}

	// covers: auth.offlineAccess
	it('offline_access where it is offered to a person who asks for something, and nowhere else', () => {
		const of = (sources: Sources): string => choose(sources).scopes.join(' ');
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

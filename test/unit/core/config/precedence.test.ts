import * as assert from 'node:assert/strict';
import { chooseDefinitions } from '../../../../src/core/config/precedence.js';
import type { ConfigSource, ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import { definition } from '../../../support/modelFixture.js';

/** `v1` is `.vscode/mcp.json` of folder 1, `r2` is `.mcp.json` of folder 2, `w` the workspace file, `u` the settings. */
function source(place: string): ConfigSource {
	const folder = place.slice(1);
	switch (place[0]) {
		case 'v':
			return { kind: 'vscodeFolder', uri: place, folderUri: `file:///${folder}`, folderName: folder };
		case 'r':
			return { kind: 'projectRoot', uri: place, folderUri: `file:///${folder}`, folderName: folder };
		case 'w':
			return { kind: 'workspaceFile', uri: place, folderUri: undefined, folderName: undefined };
		default:
			return { kind: 'userSettings', uri: place, folderUri: undefined, folderName: undefined };
	}
}

/** `v1:a` is a server `a` in `v1`. */
function parse(text: string): ServerDefinition {
	const [place = '', name = ''] = text.split(':');
	return { ...definition(name), id: text, source: source(place) };
}

describe('chooseDefinitions', () => {
	const table: readonly (readonly [given: string, used: string, unused: string])[] = [
		['', '', ''],
		['v1:a r1:b w:c u:d', 'v1:a r1:b w:c u:d', ''],
		['v1:a r1:a', 'v1:a>r1', 'r1:a<v1'],
		['v1:a w:a', 'v1:a>w', 'w:a<v1'],
		['v1:a u:a', 'v1:a>u', 'u:a<v1'],
		['r1:a w:a', 'r1:a>w', 'w:a<r1'],
		['r1:a u:a', 'r1:a>u', 'u:a<r1'],
		['w:a u:a', 'w:a>u', 'u:a<w'],
		['v1:a r1:a w:a u:a', 'v1:a>r1,w,u', 'r1:a<v1 w:a<v1 u:a<v1'],
		// Folders do not compete, wherever they say it.
		['v1:a v2:a', 'v1:a v2:a', ''],
		['v1:a r2:a', 'v1:a r2:a', ''],
		['r1:a v2:a', 'r1:a v2:a', ''],
		['v1:a v2:a u:a', 'v1:a>u v2:a>u', 'u:a<v1'],
		['v1:a r1:a v2:a w:a', 'v1:a>r1,w v2:a>w', 'r1:a<v1 w:a<v1'],
		// The order in which they are given means nothing but the order of the answer.
		['u:a w:a r1:a v1:a', 'v1:a>u,w,r1', 'u:a<w w:a<r1 r1:a<v1'],
		// Names are taken as they are.
		['v1:a r1:A', 'v1:a r1:A', ''],
		['v1:__proto__ u:__proto__ u:constructor', 'v1:__proto__>u u:constructor', 'u:__proto__<v1'],
	];
	for (const [given, used, unused] of table) {
		it(`${given || 'nothing'} → ${used || 'nothing'}`, () => {
			const chosen = chooseDefinitions(given.split(' ').filter(Boolean).map(parse));
			const shown = chosen.used.map(({ id, shadows }) => (shadows ? `${id}>${shadows.map(it => it.uri).join()}` : id));
			assert.equal(shown.join(' '), used);
			assert.equal(chosen.unused.map(it => `${it.definition.id}<${it.by.source.uri}`).join(' '), unused);
		});
	}

	it('what counts is what was given: nothing of it changes but the places it stands before', () => {
		const [alone, first, last] = ['v1:b', 'v1:a', 'u:a'].map(parse);
		assert.ok(alone && first && last);
		const { used, unused } = chooseDefinitions([alone, first, last]);
		assert.equal(used[0], alone);
		assert.deepEqual(used[1], { ...first, shadows: [last.source] });
		assert.deepEqual(unused, [{ definition: last, by: first }]);
	});
});

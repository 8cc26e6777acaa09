import * as assert from 'node:assert/strict';
import { ToolNames } from '../../../../src/core/approvals/toolNames.js';

// covers: tools.collisions
describe('names of tools for a model', () => {
	const cases: readonly (readonly [names: readonly string[], forModel: readonly string[]])[] = [
		[
			['get-sum', 'get_sum', 'A1'],
			['get-sum', 'get_sum', 'A1'],
		],
		[
			['files/read', 'files.read', 'wetter für morgen'],
			['files_read', 'files_read_2', 'wetter_f_r_morgen'],
		],
		// Who can keep a name keeps it, wherever it stands.
		[
			['a.b', 'a_b'],
			['a_b_2', 'a_b'],
		],
		[
			['*', '天気'],
			['_', '__'],
		],
		[
			['x'.repeat(64), 'x'.repeat(65), 'x'.repeat(66)],
			['x'.repeat(64), 'x'.repeat(60), `${'x'.repeat(60)}_2`],
		],
	];
	for (const [names, forModel] of cases) {
		it(names.map(it => it.slice(0, 20)).join(', '), () => {
			const toolNames = new ToolNames(names.map(name => ({ name })));
			const given = names.map(it => toolNames.toModel(it));
			assert.deepEqual(given, forModel);
			assert.deepEqual(
				given.filter(it => !/^[\w-]{1,64}$/.test(it)),
				[],
			);
			assert.deepEqual(
				given.map(it => toolNames.fromModel(it)),
				names,
			);
		});
	}

	it('of tools that are offered no more are names too, and what nobody has named stays', () => {
		const names = new ToolNames([{ name: 'a' }]);
		assert.equal(names.toModel('was.here'), 'was_here');
		assert.equal(names.fromModel('never'), 'never');
	});
});

import * as assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { NodeEnvironment } from '../../../../src/node/machine/environment.js';

describe('NodeEnvironment', () => {
	const added = {
		ELECTRON_RUN_AS_NODE: '1',
		VSCODE_PID: '2',
		vscode_lower: '3',
		MCP_WORKBENCH_TEST_A: 'a',
		MY_VSCODE_X: 'b',
	};
	beforeEach(() => Object.assign(process.env, added));
	afterEach(() => {
		for (const name of Object.keys(added)) {
			delete process.env[name];
		}
	});

	it('passes on our environment without what the editor set for its own processes', () => {
		const environment = new NodeEnvironment();
		const inherited = environment.inherited();
		assert.deepEqual(
			Object.keys(added).map(it => inherited[it]),
			[undefined, undefined, undefined, 'a', 'b'],
		);
		assert.equal(inherited['PATH'], process.env['PATH']);
		// A copy: what is changed in it for one server changes nothing for us.
		delete inherited['MCP_WORKBENCH_TEST_A'];
		assert.equal(environment.get('MCP_WORKBENCH_TEST_A'), 'a');
		assert.deepEqual([environment.get('MCP_WORKBENCH_TEST_NONE'), environment.home], [undefined, homedir()]);
	});
});

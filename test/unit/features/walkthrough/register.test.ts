/** The steps of the walkthrough are completed by context keys, which these tests read as the editor does. */
import * as assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { registerWalkthrough, type WalkthroughDeps } from '../../../../src/features/walkthrough/register.js';
import { commands } from '../../../support/vscodeDouble.js';

describe('the steps of the walkthrough', () => {
	const original = { ...commands };
	let ran: string[];
	let calls: Emitter<{ end: { kind: string } }>;
	let walkthrough: { dispose(): void };

	beforeEach(() => {
		ran = [];
		calls = new Emitter();
		Object.assign(commands, {
			executeCommand: async (command: string, ...args: unknown[]) => void ran.push([command, ...args].join(' ')),
		});
		walkthrough = registerWalkthrough({
			calls: { onDidCall: calls.event },
		} as unknown as WalkthroughDeps);
	});
	afterEach(() => {
		walkthrough.dispose();
		Object.assign(commands, original);
	});

	it('a call completes the step of a tool, but a denied call does not', () => {
		calls.fire({ end: { kind: 'denied' } });
		assert.deepEqual(ran, []);
		calls.fire({ end: { kind: 'failed' } });
		calls.fire({ end: { kind: 'answered' } });
		assert.deepEqual(ran, ['setContext mcpWorkbench.hasRunTool true']);
	});
});

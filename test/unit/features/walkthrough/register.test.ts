/** The steps of the walkthrough are completed by context keys, which these tests read as the editor does. */
import * as assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { Commands } from '../../../../src/editor/contributions.js';
import { registerWalkthrough, type WalkthroughDeps } from '../../../../src/features/walkthrough/register.js';
import { commands } from '../../../support/vscodeDouble.js';

describe('the steps of the walkthrough', () => {
	const original = { ...commands };
	let ran: string[];
	let open: () => Promise<unknown>;
	let calls: Emitter<{ end: { kind: string } }>;
	let questions: Emitter<{ end: object | undefined; isAutomatic: boolean }>;
	let isVisible: boolean;
	let servers: { state: { kind: string } }[];
	let walkthrough: { dispose(): void };

	beforeEach(() => {
		ran = [];
		calls = new Emitter();
		questions = new Emitter();
		isVisible = false;
		servers = [];
		Object.assign(commands, {
			executeCommand: async (command: string, ...args: unknown[]) => void ran.push([command, ...args].join(' ')),
			registerCommand: (id: string, handler: () => Promise<unknown>) => {
				open = id === Commands.openWalkthrough ? handler : open;
				return { dispose: () => undefined };
			},
		});
		walkthrough = registerWalkthrough({
			context: { extension: { id: 'mcp-workbench.mcp-workbench' } },
			registry: {
				get servers() {
					return servers;
				},
			},
			view: {
				get isVisible() {
					return isVisible;
				},
			},
			calls: { onDidCall: calls.event },
			questions: { onDidEnd: questions.event },
		} as unknown as WalkthroughDeps);
	});
	afterEach(() => {
		walkthrough.dispose();
		Object.assign(commands, original);
	});

	const opened = 'workbench.action.openWalkthrough mcp-workbench.mcp-workbench#firstSteps';

	it('a call completes the step of a tool, but a denied call does not', () => {
		calls.fire({ end: { kind: 'denied' } });
		assert.deepEqual(ran, []);
		calls.fire({ end: { kind: 'failed' } });
		calls.fire({ end: { kind: 'result' } });
		assert.deepEqual(ran, ['setContext mcpWorkbench.hasRunTool true']);
	});

	it('an answer of the person completes the step of an answer', () => {
		questions.fire({ end: undefined, isAutomatic: false });
		questions.fire({ end: {}, isAutomatic: true });
		assert.deepEqual(ran, []);
		questions.fire({ end: {}, isAutomatic: false });
		assert.deepEqual(ran, ['setContext mcpWorkbench.hasAnswered true']);
	});

	it('opening it completes nothing before something is done', async () => {
		servers = [];
		await open();
		assert.deepEqual(ran, [opened]);
	});

	it('opening it completes the steps that were done before', async () => {
		isVisible = true;
		servers = [{ state: { kind: 'stopped' } }];
		await open();
		assert.deepEqual(ran.splice(0), [
			opened,
			'setContext mcpWorkbench.hasSeenServers true',
			'setContext mcpWorkbench.hasConfigured true',
		]);
		servers = [{ state: { kind: 'running' } }];
		calls.fire({ end: { kind: 'result' } });
		questions.fire({ end: {}, isAutomatic: false });
		ran.length = 0;
		await open();
		assert.deepEqual(ran, [
			opened,
			'setContext mcpWorkbench.hasSeenServers true',
			'setContext mcpWorkbench.hasConfigured true',
			'setContext mcpWorkbench.hasStarted true',
			'setContext mcpWorkbench.hasRunToolBefore true',
			'setContext mcpWorkbench.hasAnsweredBefore true',
		]);
	});
});

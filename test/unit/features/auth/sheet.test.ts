// The sign-in sheet: if the server may need a key instead, the sheet leads to its configuration.
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { askSignIn } from '../../../../src/features/auth/prompt.js';
import type { ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import { screen } from '../../../support/quickPickDouble.js';
import { commands } from '../../../support/vscodeDouble.js';
import { stopTime } from '../../../support/stoppedClock.js';

const definition = { name: 'tracker', source: { uri: 'file:///mcp.json' }, offset: 7 } as unknown as ServerDefinition;
const need = { server: 'https://a/mcp', issuer: 'https://a', scopes: [], why: 'first' } as const;

describe('the sign-in sheet', () => {
	beforeEach(() => stopTime());
	afterEach(() => {
		closeHeldInput();
		mock.reset();
	});

	it('opens the configuration, and stays open, where the authorization server is a guess', async () => {
		const execute = mock.method(commands, 'executeCommand', () => Promise.resolve());
		screen.onShow = pick => pick.accept('Edit Configuration');
		assert.equal(await askSignIn(definition, { ...need, isGuess: true }, new AbortController().signal), 'aside');
		assert.deepEqual(
			execute.mock.calls.map(it => it.arguments as unknown[]),
			[['mcpWorkbench.configuration.open', { uri: 'file:///mcp.json', offset: 7 }]],
		);
	});

	it('has no such line where the server names it', async () => {
		let lines: readonly string[] = [];
		screen.onShow = pick => {
			({ lines } = pick);
			pick.accept('Not Now');
		};
		assert.equal(await askSignIn(definition, { ...need, isGuess: false }, new AbortController().signal), false);
		assert.deepEqual(
			lines.filter(it => /Edit|Warning/.test(it)),
			[],
		);
	});
});

/** The message about a server that the editor's own MCP support starts, too. */
import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/lifecycle.js';
import type { ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { EditorState } from '../../../../src/editor/storage/editorState.js';
import { registerSecondCopies } from '../../../../src/features/devMode/register.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { answerMessages } from '../../../support/messages.js';
import { definition } from '../../../support/modelFixture.js';
import { settings } from '../../../support/vscodeDouble.js';
import { settled } from '../../../support/waiting.js';

const access = 'chat.mcp.access';
const watched: ServerDefinition = { ...definition('tiny'), watch: ['src/**'] };

describe('a server that the editor starts, too', () => {
	const { own } = leakCheck();
	let changes: Emitter<Server | undefined>;
	let kept: Map<string, unknown>;
	let told: string[];
	let answers: (string | undefined)[];

	beforeEach(() => {
		changes = own(new Emitter<Server | undefined>());
		[kept, told, answers] = [new Map<string, unknown>(), [], []];
		settings.set(access, { defaultValue: 'all' });
		own(answerMessages(answers, it => told.push(it)));
	});
	afterEach(() => settings.delete(access));

	/** The messages of a window in which these servers are in this state. */
	async function tell(servers: readonly ServerDefinition[], kind = 'running'): Promise<string[]> {
		const state = new EditorState({
			get: (key: string) => kept.get(key),
			update: async (key: string, value: unknown) => void kept.set(key, value),
		} as unknown as vscode.Memento);
		const registry = {
			servers: servers.map(it => ({ definition: it, state: { kind } }) as Server),
			label: (it: Pick<Server, 'definition'>) => it.definition.name,
			onDidChange: changes.event,
		};
		const registration = registerSecondCopies(registry, state);
		changes.fire(undefined);
		changes.fire(undefined);
		await settled();
		registration.dispose();
		return told.splice(0);
	}

	const message =
		'tiny runs twice: the MCP support of Visual Studio Code starts every server with "dev" in .vscode/mcp.json, too.' +
		" [Switch Off for This Workspace] [Don't Show Again]";

	it('is reported once in a window, when our copy runs', async () => {
		assert.deepEqual(await tell([watched], 'stopped'), []);
		assert.deepEqual(await tell([definition('other'), watched, { ...watched, name: 'b' }]), [message]);
		const debugged = definition('tiny', { debug: { type: 'node' } });
		assert.deepEqual(await tell([debugged]), [message]);
	});

	it('is reported only if the editor starts a copy', async () => {
		const uri = 'file:///w/.mcp.json';
		const source = { ...definition('tiny').source, kind: 'projectRoot', uri } as ServerDefinition['source'];
		assert.deepEqual(await tell([definition('tiny'), { ...watched, source }]), []);
		settings.set(access, { defaultValue: 'all', globalValue: 'none' });
		assert.deepEqual(await tell([watched]), []);
		// An older editor doesn't have the setting.
		settings.delete(access);
		assert.deepEqual(await tell([watched]), []);
	});

	it('is switched off in the settings of the workspace', async () => {
		answers.push('Switch Off for This Workspace');
		await tell([watched]);
		assert.equal(settings.get(access)?.workspaceValue, 'none');
		assert.deepEqual(await tell([watched]), []);
	});

	it('is not reported again in this workspace after Do Not Show Again', async () => {
		answers.push("Don't Show Again");
		await tell([watched]);
		assert.deepEqual(await tell([watched]), []);
	});
});

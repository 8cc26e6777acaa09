// A prompt that is run against a model of another extension, through the editor.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { QuickInputs } from '../quickInputs.js';
import {
	asked,
	goOn,
	hasScriptedModels,
	modelCancelled,
	script,
	scriptedModel,
	type Step,
	noScriptedModels,
} from '../scriptedModel.js';
import { activate, eventually, inState } from '../support.js';
import { skip } from '../../support/skip.js';

describe('prompts against a model', () => {
	let inputs: QuickInputs;

	before(async function () {
		if (!hasScriptedModels) {
			skip(this, noScriptedModels);
		}
		const api = await activate();
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'garden' });
		await inState(api, 'garden', 'running');
	});
	beforeEach(() => {
		inputs = new QuickInputs();
	});
	afterEach(async () => {
		inputs.dispose();
		await vscode.commands.executeCommand('notifications.clearAll');
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	/** Runs the prompt "talk" against a model that does this. */
	async function run(...steps: readonly Step[]): Promise<{ readonly end: Promise<unknown> }> {
		return runPrompt('talk', steps);
	}

	async function runPrompt(name: string, steps: readonly Step[]): Promise<{ readonly end: Promise<unknown> }> {
		await script(...steps);
		const end = Promise.resolve(vscode.commands.executeCommand('mcpWorkbench.prompt.run', { server: 'garden', name }));
		await inputs.pick(it => it.label === 'Run Against a Model');
		return { end };
	}

	function answer(text: string): Promise<vscode.TextDocument> {
		return eventually(text, () =>
			vscode.workspace.textDocuments.find(it => it.isUntitled && !it.isClosed && it.getText() === text),
		);
	}

	it('say who says what, and the answer grows in a document', async () => {
		const { end } = await run('A gar', { wait: true }, 'dener, ', 'still.');
		const document = await answer('A gar');
		assert.equal(document.languageId, 'markdown');
		await goOn();
		await end;
		assert.equal(document.getText(), 'A gardener, still.');
		assert.deepEqual((await asked()).asked, [
			['user', 'Who are you?'],
			['assistant', 'A gardener.'],
			['user', 'Prove it.'],
		]);
	});

	it('give images to a model that takes them, and name them to one that does not', async () => {
		const seen: unknown[] = [];
		for (const id of ['seeing-mini-2', 'scripted'] as const) {
			await scriptedModel(id);
			const { end } = await runPrompt('everything', [`Seen by ${id}.`]);
			await end;
			seen.push(...((await asked()).requests[0]?.messages[1]?.parts ?? []));
		}
		assert.deepEqual(seen, [{ data: { mimeType: 'image/png', bytes: 70 } }, { text: '[image · image/png · 70 B]' }]);
	});

	it('are given up when the document is closed', async () => {
		const { end } = await run('on', { wait: true });
		await vscode.window.showTextDocument(await answer('on'));
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		await end;
		await modelCancelled();
	});

	it('are given up even if the model goes on', async () => {
		const { end } = await run('on', { deaf: true });
		await vscode.window.showTextDocument(await answer('on'));
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		await end;
		await goOn();
	});

	it('have what came, and why no more did', async () => {
		const { end } = await run('So far', { wait: true }, { fail: 'quota' });
		const document = await answer('So far');
		await goOn();
		assert.match(await inputs.message(), /^Scripted did not answer: .*quota/);
		await end;
		assert.equal(document.getText(), 'So far');
	});
});

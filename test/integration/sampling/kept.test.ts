/** Sheets and documents of requests for a model: no key loses what was typed, and nothing is done for who does not wait. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ProtocolObject } from '../../../src/api.js';
import { answerNext, AskingServers, labelled } from '../askingServers.js';
import {
	asked,
	goOn,
	hasScriptedModels,
	haveModels,
	modelCancelled,
	script,
	noScriptedModels,
} from '../scriptedModel.js';
import { eventually } from '../support.js';
import { skip } from '../../support/skip.js';
import { listsAnswered, selectAction } from '../quickInputs.js';

describe('what was typed about a request for a model', () => {
	const asking = new AskingServers('asking', 'other', 'rounds');

	const user = (text: string): ProtocolObject => ({ role: 'user', content: { type: 'text', text } });
	const question = (rest: ProtocolObject = {}): ProtocolObject => ({
		messages: [user('What colour is grass?')],
		maxTokens: 100,
		...rest,
	});
	const weather = { name: 'weather', inputSchema: { type: 'object' } };
	const answerTxt = /Edit Answer · asking\.txt$/;
	const answerJson = /Edit Answer · asking\.json$/;
	const requestJson = /Edit Request · asking\.json$/;
	const begin = async (args: ProtocolObject = {}, tool = 'sample'): Promise<Promise<string>[]> => {
		const outcome = asking.call(tool, question(args));
		await eventually('the request', () => asking.messages[0]);
		answerNext();
		return [outcome];
	};
	/** It waits, and only this line tells the server anything. */
	const decline = async (outcome: Promise<string> | undefined): Promise<void> => {
		await asking.inputs.pick(labelled('Decline'));
		assert.deepEqual(JSON.parse((await outcome) ?? ''), { code: -1, message: 'User rejected sampling request' });
	};
	const run = (command: string, ...rest: unknown[]): Thenable<unknown> =>
		vscode.commands.executeCommand(`mcpWorkbench.sampling.${command}`, ...rest);

	before(async function () {
		if (!hasScriptedModels) {
			skip(this, noScriptedModels);
		}
		await haveModels('scripted');
	});

	it('the sheet of a request comes back after Escape', async () => {
		const [outcome] = await begin();
		await asking.inputs.look();
		await asking.escape();
		answerNext();
		await decline(outcome);
	});

	for (const key of ['Escape', 'Back']) {
		it(`the choice of a model comes to nothing by ${key}`, async () => {
			const [outcome] = await begin();
			await asking.inputs.pick(labelled('Model'));
			await asking.inputs.look();
			await (key === 'Back' ? asking.inputs.back() : asking.escape());
			await decline(outcome);
		});
	}

	it('the model goes on after Escape, and its answer waits after another', async () => {
		await script(['Gre', { wait: true }, 'en.']);
		const [outcome] = await begin();
		await asking.inputs.pick(labelled('Allow Once'));
		await asking.inputs.until(/the request from asking/);
		await asking.escape();
		await goOn();
		await eventually('the message', () => asking.messages.find(it => it.startsWith('A model has answered')));
		answerNext();
		await asking.inputs.look();
		await asking.escape();
		answerNext();
		const { lines } = await asking.inputs.pick(labelled('Send to Server'));
		assert.equal(lines[0], 'Answer | Green.');
		assert.match((await outcome) ?? '', /Green/);
	});

	it('a request that was edited, broken and mended is shown as what it is, in full as well', async () => {
		const [outcome] = await begin({ systemPrompt: 'Be brief.' });
		await asking.inputs.pick(labelled('Edit Request…'));
		const editor = await asking.document(requestJson);
		const before = editor.document.getText();
		const review = (line: string): ReturnType<typeof asking.inputs.pick> => {
			answerNext();
			return asking.inputs.pick(labelled(line));
		};
		await asking.write(editor, '{ "messages": [], "maxTokens": 1 }');
		const broken = (await review('Answer Later')).lines;
		assert.equal(broken[0], "Can't be sent | The edited request can't be sent: messages is empty.");
		assert.ok(!broken.some(it => it.startsWith('Allow')), broken.join('\n'));
		const messages = [user('What colour is the sky?')];
		await asking.write(await asking.document(requestJson), JSON.stringify({ messages, maxTokens: 100 }));
		const { lines } = await review('Show Request in Full');
		assert.equal(lines[0], 'Message (edited) | "What colour is the sky?"');
		const shown = await eventually('the whole', () =>
			vscode.window.visibleTextEditors.find(
				({ document: { uri } }) => uri.scheme === 'mcp-workbench-document' && uri.path.includes('Request · asking'),
			),
		);
		const whole = JSON.parse(shown.document.getText()) as ProtocolObject;
		assert.deepEqual(whole, {
			maxTokens: 100,
			messages: [{ role: 'user', content: [{ type: 'text', text: 'What colour is the sky?' }] }],
		});
		await asking.inputs.pick(labelled('Answer Later'));
		await asking.write(await vscode.window.showTextDocument(editor.document), before);
		const last = await review('Answer Later');
		assert.equal(last.lines[0], 'Message | "What colour is grass?"');
		answerNext();
		await decline(outcome);
	});

	it('an answer of several blocks is edited as JSON, and keeps what was not edited', async () => {
		const use = (callId: string): { toolCall: { callId: string; name: string; input: object } } => ({
			toolCall: { callId, name: 'weather', input: {} },
		});
		await script(['Let me look.', use('one'), use('two'), use('three')]);
		const [outcome] = await begin({ tools: [weather] });
		await asking.inputs.pickLocked('Allow Once');
		await asking.inputs.until(/^Answer for /);
		await asking.inputs.pick(labelled('Edit Answer…'));
		const editor = await asking.document(answerJson);
		const answer = JSON.parse(editor.document.getText()) as { content: { id?: string }[] };
		const content = answer.content.filter(it => it.id !== 'one');
		await asking.write(editor, JSON.stringify({ ...answer, content }));
		for (let times = 0; times < 3; times++) {
			answerNext();
			const seen = await asking.inputs.pick(labelled('Answer Later'));
			assert.equal(seen.lines[0], 'Answer (edited) | Let me look.');
		}
		await vscode.commands.executeCommand('mcpWorkbench.text.use', editor.document.uri);
		await asking.inputs.pickLocked('Send to Server');
		const sent = JSON.parse((await outcome) ?? '') as { content: { id?: string }[] };
		assert.deepEqual(
			sent.content.map(it => it.id),
			[undefined, 'two', 'three'],
		);
	});

	it('an answer by hand is kept while the request is looked at again', async () => {
		const [outcome] = await begin();
		await asking.inputs.pick(labelled('Answer by Hand…'));
		await asking.write(await asking.document(answerTxt), 'Green.');
		await vscode.commands.executeCommand('mcpWorkbench.text.use');
		await asking.inputs.pick(labelled('Return to Request'));
		await asking.inputs.pick(labelled('Answer by Hand…'));
		assert.equal((await asking.document(answerTxt)).document.getText(), 'Green.');
		answerNext();
		await asking.inputs.pick(labelled('Decline'));
		await outcome;
	});

	it('closes with the request, unless it has unsaved text', async () => {
		const [outcome] = await begin();
		await asking.inputs.pick(labelled('Edit Request…'));
		await asking.document(requestJson);
		answerNext();
		await asking.inputs.pick(labelled('Answer by Hand…'));
		await asking.write(await asking.document(answerTxt), 'Green.');
		answerNext();
		await asking.inputs.pick(labelled('Decline'));
		await outcome;
		const names = (): string[] => vscode.window.tabGroups.all.flatMap(it => it.tabs).map(it => it.label);
		await eventually('the clean tab to close', () => !names().some(it => it.startsWith('Edit Request')) || undefined);
		assert.ok(
			names().some(it => it.startsWith('Edit Answer')),
			names().join(),
		);
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
	});

	it('in a tab of an earlier window is no edit of a request of now', async () => {
		const [first] = await begin();
		await asking.inputs.pick(labelled('Edit Request…'));
		const { document } = await asking.document(requestJson);
		answerNext();
		await decline(first);
		await vscode.commands.executeCommand('mcpWorkbench.text.use', document.uri);
		assert.equal(asking.messages.at(-1), "MCP Workbench isn't waiting for text from this editor.");
		await assert.rejects(Promise.resolve(vscode.workspace.fs.readFile(document.uri.with({ query: '1' }))));
		const second = asking.call('sample', question());
		await eventually('the request', () => asking.messages.filter(it => it.startsWith('asking wants'))[1]);
		answerNext();
		const { lines } = await asking.inputs.pick(labelled('Decline'));
		assert.equal(lines[0], 'Message | "What colour is grass?"');
		await second;
	});

	it('closes with a server that does not wait any more, and leads nowhere', async () => {
		await script('Green.');
		const [outcome] = await begin();
		await asking.inputs.look();
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'asking' });
		await outcome;
		await eventually('the message', () => asking.messages.find(it => it === 'This request from asking has ended.'));
		asking.inputs.forget();
		assert.deepEqual((await asked()).requests, []);
		assert.equal(vscode.window.activeTextEditor, undefined);
		await run('manage');
		assert.equal(asking.messages.at(-1), 'No server in this workspace can ask models without a review.');
	});

	it('is nothing that a stopped server gets, whose model is stopped too', async () => {
		await script([{ wait: true }, 'Green.']);
		const [outcome] = await begin();
		await asking.inputs.pick(labelled('Allow Once'));
		await asking.inputs.until(/the request from asking/);
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'asking' });
		await outcome;
		await modelCancelled();
		asking.messages.length = 0;
		answerNext();
		await eventually('the message', () => asking.messages.find(it => it === 'No requests are waiting for you.'));
	});

	it('makes nothing of the words of a server but text, wherever they stand', async () => {
		const words = `$(zap) [free](command:x) <b>\u202Elive`;
		const [outcome] = await begin({
			messages: [user(words), { role: 'assistant', content: { type: 'text', text: words } }, user(words)],
			systemPrompt: words,
			modelPreferences: { hints: [{ name: words }, { name: '$(scripted)' }] },
			tools: [{ ...weather, name: words, description: words }],
			stopSequences: [words],
			metadata: { [words]: words },
		});
		const { lines } = await asking.inputs.pick(labelled('Decline'));
		assert.ok(
			lines.every(it => !/\$\(|\u202E/.test(it)) && lines.some(it => it.includes('Scripted · The server asks for')),
			lines.join('\n'),
		);
		assert.ok(!/\]\(|\u202E/.test(asking.messages[0] ?? ''), asking.messages[0]);
		await outcome;
	});

	it('of one server waits for nobody who asks five hundred times', async () => {
		asking.isUnseen = true;
		const flood = asking.call('sampleFlood', { count: 500, ...question() });
		await eventually('the request', () => asking.messages[0]);
		const other = asking.call('sample', question({ messages: [user('And mine?')] }), 'other');
		await eventually('that of the other', () => asking.messages.find(it => /^other wants|^\d+ requests are/.test(it)));
		assert.ok(asking.messages.length < 5, asking.messages.join('\n'));
		const choose = (items: readonly vscode.QuickPickItem[]): Promise<unknown> =>
			Promise.resolve(items.find(it => it.detail?.includes('"And mine?"') === true));
		const { createQuickPick } = vscode.window;
		Object.assign(vscode.window, { createQuickPick: listsAnswered(choose) });
		try {
			answerNext();
			const { lines } = await asking.inputs.pick(labelled('Decline'));
			assert.equal(lines[0], 'Message | "And mine?"');
			assert.match(await other, /rejected/);
			await selectAction(asking.inputs, 'asking', 'Mute');
			const answers = (await flood).split(' ');
			assert.equal(answers.length, 500);
			assert.deepEqual([...new Set(answers)], ['-1']);
		} finally {
			Object.assign(vscode.window, { createQuickPick });
			await selectAction(asking.inputs, 'asking', 'Unmute');
		}
	});

	it('and a form in the same round are both asked, and both answered', async () => {
		await script('A person.');
		const outcome = asking.call('askBoth', {}, 'rounds');
		await eventually('the first', () => asking.messages[0]);
		const { createQuickPick } = vscode.window;
		/** Chooses what to answer where both wait. */
		const answer = (words: string): void => {
			Object.assign(vscode.window, {
				createQuickPick: listsAnswered((items: readonly vscode.QuickPickItem[]) =>
					Promise.resolve(items.find(it => it.detail?.includes(words) === true)),
				),
			});
			answerNext();
		};
		try {
			answer('Who are you?');
			await asking.inputs.pick(labelled('Submit'));
			answer('Guess.');
			await asking.inputs.pick(labelled('Allow Once'));
			await asking.inputs.until(/^Answer for /);
			await asking.inputs.pick(labelled('Send to Server'));
			assert.match(await outcome, /accept.*A person\./);
		} finally {
			Object.assign(vscode.window, { createQuickPick });
		}
	});
});

/** What is done with a prompt's result, where the editor has more than a document for it: models and chat. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async.js';
import { runAgainstModel } from '../../../src/features/prompts/modelAnswer.js';
import { type UseContext, usesFor } from '../../../src/features/prompts/promptUses.js';
import type { PromptMessage } from '../../../src/mcp/index.js';
import { QuickInputs } from '../quickInputs.js';
import { eventually } from '../support.js';

const messages: readonly PromptMessage[] = [
	{ role: 'user', content: { type: 'text', text: 'Who are you,\u202Ereally?' } },
	{ role: 'assistant', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
];

function contextOf(messages: readonly PromptMessage[]): UseContext {
	const result = { description: undefined, messages };
	return { result, forModel: result, title: 't', editor: undefined };
}

describe('what is done with a prompt', () => {
	afterEach(async () => {
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	describe('against a model', () => {
		type Answer = (token: vscode.CancellationToken) => AsyncGenerator<string>;

		/** @param sent gets what it is asked */
		function model(
			name: string,
			answer: Answer,
			sent: vscode.LanguageModelChatMessage[] = [],
		): vscode.LanguageModelChat {
			return {
				name,
				vendor: 'test',
				sendRequest: async (asked: vscode.LanguageModelChatMessage[], _: object, token: vscode.CancellationToken) => {
					sent.push(...asked);
					return { text: answer(token) };
				},
			} as unknown as vscode.LanguageModelChat;
		}

		const answered = (): Promise<vscode.TextDocument> =>
			eventually('a document', () => vscode.workspace.textDocuments.find(it => it.isUntitled && !it.isClosed));

		it('is answered in a document, as the answer comes', async () => {
			const more = deferred<void>();
			const sent: vscode.LanguageModelChatMessage[] = [];
			const gardener = model(
				'Gardener',
				async function* () {
					yield 'A gar';
					await more.promise;
					yield 'dener.\n';
					yield 'Ask me.';
				},
				sent,
			);
			const run = runAgainstModel('/who · garden', messages, [gardener]);
			const document = await answered();
			await eventually('the beginning', () => document.getText() === 'A gar' || undefined);
			more.resolve();
			await run;
			assert.equal(document.getText(), 'A gardener.\nAsk me.');
			assert.deepEqual(
				sent.map(it => [it.role, (it.content as { value: string }[]).map(({ value }) => value).join('')]),
				[
					[vscode.LanguageModelChatMessageRole.User, 'Who are you,\\u{202e}really?'],
					[vscode.LanguageModelChatMessageRole.Assistant, '[image · image/png · 3 B]'],
				],
			);
		});

		it('ends when the document is closed', async () => {
			const ended = deferred<void>();
			const endless = model('Endless', async function* (token) {
				yield 'on';
				await new Promise<void>(resolve => {
					token.onCancellationRequested(() => resolve());
				});
				ended.resolve();
				yield ' and on';
			});
			const run = runAgainstModel('/who · garden', messages, [endless]);
			const document = await answered();
			await eventually('the beginning', () => document.getText() === 'on' || undefined);
			await vscode.window.showTextDocument(document);
			await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
			await ended.promise;
			await run;
		});

		it('says why there is no answer, in plain words', async () => {
			// oxlint-disable-next-line require-yield -- it refuses before it says anything
			const refusing = model('Refusing', async function* () {
				throw new Error('[click](command:x) quota');
			});
			await assert.rejects(runAgainstModel('/who · garden', messages, [refusing]), {
				message: 'Refusing did not answer: [click]\u200B(command:x) quota',
			});
		});

		it('asks which one', async () => {
			const inputs = new QuickInputs();
			try {
				const asked: string[] = [];
				const named = (name: string): vscode.LanguageModelChat =>
					model(name, async function* () {
						asked.push(name);
						yield name;
					});
				const run = runAgainstModel('/who · garden', messages, [named('One'), named('Two')]);
				await new Promise(resolve => {
					setTimeout(resolve, 100);
				});
				await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
				await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
				await run;
				assert.deepEqual(asked, ['Two']);
			} finally {
				inputs.dispose();
			}
		});
	});

	it('is only what this editor can do', async () => {
		assert.equal(vscode.workspace.getConfiguration('chat').get('disableAIFeatures'), true, 'there is no chat');
		const models = await vscode.lm.selectChatModels();
		const uses = await usesFor(contextOf(messages));
		assert.deepEqual(
			uses.map(it => it.id),
			['newDocument', 'copy', ...(models.length > 0 ? ['model'] : []), 'preview'],
		);
	});

	it('is sent to the chat, where the person can add to it first', async () => {
		const commands = vscode.commands as { executeCommand: unknown; getCommands: unknown };
		const { executeCommand, getCommands } = vscode.commands;
		const { createChatParticipant } = vscode.chat;
		const sent: unknown[] = [];
		// The oldest editor has no such setting to be changed.
		const { getConfiguration } = vscode.workspace;
		Object.assign(vscode.workspace, { getConfiguration: () => ({ inspect: () => undefined }) });
		commands.getCommands = async () => ['workbench.action.chat.open'];
		commands.executeCommand = async (...command: unknown[]) => void sent.push(command);
		try {
			const uses = await usesFor(contextOf(messages));
			await uses.find(it => it.id === 'chat')?.run();
			// Nothing can be put into this chat: then the text is there to be pasted, for the participant.
			commands.getCommands = async () => [];
			const without = await usesFor(contextOf(messages));
			await without.find(it => it.id === 'chat')?.run();
			assert.match(await vscode.env.clipboard.readText(), /^@mcp User:\nWho are you,/);
			Object.assign(vscode.chat, { createChatParticipant: undefined });
			const nowhere = await usesFor(contextOf(messages));
			assert.ok(!nowhere.some(it => it.id === 'chat'));
		} finally {
			Object.assign(commands, { executeCommand, getCommands });
			Object.assign(vscode.chat, { createChatParticipant });
			Object.assign(vscode.workspace, { getConfiguration });
		}
		const query = 'User:\nWho are you,\\u{202e}really?\n\nAssistant:\n[image · image/png · 3 B]';
		assert.deepEqual(sent, [['workbench.action.chat.open', { query, isPartialQuery: true }]]);
	});

	it('is offered without models, however these fail', async () => {
		const lm = vscode.lm as { selectChatModels: unknown };
		const { selectChatModels } = vscode.lm;
		lm.selectChatModels = async () => {
			throw new Error('no models today');
		};
		try {
			const uses = await usesFor(contextOf(messages));
			assert.ok(uses.some(it => it.id === 'copy') && !uses.some(it => it.id === 'model'));
		} finally {
			lm.selectChatModels = selectChatModels;
		}
	});
});

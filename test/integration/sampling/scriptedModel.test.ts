// What the models of the fixture tell is what they were asked: other tests build on it.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { asked, hasScriptedModels, haveModels, script, scriptedModel, noScriptedModels } from '../scriptedModel.js';
import { skip } from '../../support/skip.js';

describe('scripted models', () => {
	before(function () {
		if (!hasScriptedModels) {
			skip(this, noScriptedModels);
		}
	});
	after(async () => {
		if (hasScriptedModels) {
			await haveModels('scripted');
		}
	});

	it('are as many as a test asks for', async () => {
		const told = (models: readonly vscode.LanguageModelChat[]): string[] => models.map(it => it.id).toSorted();
		assert.deepEqual(told(await haveModels('scripted', 'seeing-mini-2')), ['scripted', 'seeing-mini-2']);
		assert.deepEqual(told(await haveModels('scripted')), ['scripted']);
	});

	it('take one turn after the other, and tell parts and options', async () => {
		const model = await scriptedModel('scripted');
		await script(['Let me look.', { toolCall: { callId: 'c1', name: 'look', input: { at: 1 } } }], ['Green.']);
		const message = vscode.LanguageModelChatMessage;
		const tools = [{ name: 'look', description: 'Looks', inputSchema: { type: 'object' } }];
		const messages = [message.User('What colour?')];
		const first = await model.sendRequest(messages, { tools, toolMode: vscode.LanguageModelChatToolMode.Required });
		const parts: unknown[] = [];
		for await (const part of first.stream) {
			parts.push(part);
		}
		assert.deepEqual(
			parts.map(it => (it instanceof vscode.LanguageModelToolCallPart ? it.callId : undefined)),
			[undefined, 'c1'],
		);
		const result = new vscode.LanguageModelToolResultPart('c1', [new vscode.LanguageModelTextPart('#0f0')]);
		const call = new vscode.LanguageModelToolCallPart('c1', 'look', { at: 1 });
		messages.push(message.Assistant([call]), message.User([result]));
		const second = await model.sendRequest(messages, { modelOptions: { max_tokens: 5 } });
		let text = '';
		for await (const part of second.text) {
			text += part;
		}
		assert.equal(text, 'Green.');
		const { requests } = await asked();
		assert.deepEqual(
			requests.map(it => [it.model, it.tools?.length ?? 0, it.toolMode, it.modelOptions]),
			[
				['scripted', 1, vscode.LanguageModelChatToolMode.Required, {}],
				['scripted', 0, vscode.LanguageModelChatToolMode.Auto, { max_tokens: 5 }],
			],
		);
		assert.deepEqual(requests[1]?.messages, [
			{ role: 'user', parts: [{ text: 'What colour?' }] },
			{ role: 'assistant', parts: [{ toolCall: { callId: 'c1', name: 'look', input: { at: 1 } } }] },
			{ role: 'user', parts: [{ toolResult: { callId: 'c1', content: [{ text: '#0f0' }] } }] },
		]);
	});
});

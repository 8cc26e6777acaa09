/** The models for a sampling request, in editors that are slow to list them or fail. */
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { modelsFor } from '../../../../src/features/sampling/modelRun.js';
import { readSampling } from '../../../../src/core/requests/samplingRequest.js';
import { releaseTime, stopTime } from '../../../support/mockTime.js';
import { settled } from '../../../support/waiting.js';

describe('models for a sampling request', () => {
	const { selectChatModels } = vscode.lm;
	const request = readSampling({
		messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
		maxTokens: 10,
	});
	const models = (answer: () => Promise<readonly object[]>): Promise<readonly unknown[]> => {
		Object.assign(vscode.lm, { selectChatModels: answer });
		return modelsFor(request, undefined);
	};
	afterEach(() => void Object.assign(vscode.lm, { selectChatModels }));
	afterEach(releaseTime);

	it('are none where the editor never says, so that the person is asked after all', async () => {
		stopTime();
		const found = models(() => new Promise(() => undefined));
		let isSettled = false;
		void found.then(() => (isSettled = true));
		mock.timers.tick(4999);
		await settled();
		assert.equal(isSettled, false);
		mock.timers.tick(1);
		assert.deepEqual(await found, []);
	});

	it('are those of an editor that takes its time', async () => {
		const model = { id: 'm', name: 'M', family: 'm', vendor: 'v', version: '1', maxInputTokens: 1000 };
		const late = await models(() => new Promise(resolve => setImmediate(resolve, [model])));
		assert.equal(late.length, 1);
	});

	it('are none where the editor fails', async () => {
		const fail = (): Promise<never> => Promise.reject(new Error('nothing behind it'));
		assert.deepEqual(await models(fail), []);
	});
});

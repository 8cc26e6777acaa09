/** The models for a sampling request, in editors that are slow to list them or fail. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { modelsFor } from '../../../../src/features/sampling/samplingModel.js';
import { readSampling } from '../../../../src/core/requests/samplingRequest.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

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

	it('are none where the editor never says, so that the person is asked after all', async () => {
		stopTime();
		try {
			const found = models(() => new Promise(() => undefined));
			passTime(5000);
			assert.deepEqual(await found, []);
		} finally {
			releaseTime();
		}
	});

	it('are those of an editor that takes its time', async () => {
		const model = { id: 'm', name: 'M', family: 'm', vendor: 'v', version: '1', maxInputTokens: 1000 };
		const late = await models(() => new Promise(resolve => setImmediate(() => resolve([model]))));
		assert.equal(late.length, 1);
	});

	it('are none where the editor fails', async () => {
		const fail = (): Promise<never> => Promise.reject(new Error('nothing behind it'));
		assert.deepEqual(await models(fail), []);
	});
});

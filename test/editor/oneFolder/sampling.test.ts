// Covers M10: a server that asks a model is reviewed before the model reads the request and before the server gets the answer.
import * as assert from 'node:assert/strict';
import type { ProtocolObject } from '../../../src/api.js';
import { AskingServers, labelled } from '../../integration/askingServers.js';
import { asked, haveModels, script } from '../../integration/scriptedModel.js';
import { removePolicy, run, writePolicy } from '../support.js';

describe('sampling', () => {
	before(async () => {
		writePolicy({ decision: 'allow' });
		await haveModels('scripted');
	});
	after(removePolicy);
	const asking = new AskingServers('asking');
	beforeEach(() => {
		asking.press = 'Review';
	});

	const question: ProtocolObject = {
		messages: [{ role: 'user', content: { type: 'text', text: 'What colour is grass?' } }],
		maxTokens: 100,
	};
	const pick = async (label: string): Promise<string[]> => (await asking.inputs.pick(labelled(label))).lines;
	/** Chooses a line of the sheet that has the answer. */
	const review = async (label: string): Promise<string[]> => {
		await asking.inputs.until(/^Answer for /);
		return pick(label);
	};
	const answerOf = (author: string, text: string): object => ({
		role: 'assistant',
		content: { type: 'text', text },
		model: author,
		stopReason: 'endTurn',
	});

	// covers: sampling.consent
	it('asks the model that is allowed and sends the reviewed answer', async () => {
		await script(['Gre', 'en.']);
		const outcome = asking.call('sample', {
			...question,
			systemPrompt: 'Be brief.',
			modelPreferences: { hints: [{ name: 'SCRIPT' }] },
		});
		const lines = await pick('Allow Once');
		for (const line of ['Message | "What colour is grass?"', 'Model | Scripted']) {
			assert.ok(lines.includes(line), lines.join('\n'));
		}
		const answer = await review('Send to Server');
		assert.deepEqual(answer.slice(0, 2), ['Answer | Green.', 'Author | scripted']);
		assert.deepEqual(JSON.parse(await outcome), answerOf('scripted', 'Green.'));
		assert.deepEqual((await asked()).asked, [
			['user', 'Be brief.'],
			['user', 'What colour is grass?'],
		]);
		assert.deepEqual(asking.messages, ['asking wants to ask a model: "What colour is grass?"']);
	});

	it('asks no model when the person declines', async () => {
		await script('Green.');
		const outcome = asking.call('sample', question);
		await pick('Decline');
		assert.deepEqual(JSON.parse(await outcome), { code: -1, message: 'User rejected sampling request' });
		assert.equal((await asked()).requests.length, 0);
	});

	it('sends no answer that the person declines', async () => {
		await script('Green.');
		const outcome = asking.call('sample', question);
		await pick('Allow Once');
		await review('Decline');
		assert.deepEqual(JSON.parse(await outcome), { code: -1, message: 'User rejected sampling request' });
	});

	it('sends an answer that the person writes, without a model', async () => {
		await script('Green.');
		const outcome = asking.call('sample', question);
		await pick('Answer by Hand…');
		await asking.write(await asking.document(/Edit Answer · asking\.txt$/), 'Green, mostly.');
		asking.inputs.forget();
		await run('text.use');
		await pick('Send to Server');
		assert.deepEqual(JSON.parse(await outcome), answerOf('human', 'Green, mostly.'));
		assert.equal((await asked()).requests.length, 0);
	});
});

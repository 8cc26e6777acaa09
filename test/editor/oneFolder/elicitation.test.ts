// Covers M7: servers ask the person with forms and pages, and accept, decline and cancel are told apart.
import * as assert from 'node:assert/strict';
import type { ProtocolObject } from '../../../src/api.js';
import { AskingServers, labelled } from '../../integration/askingServers.js';
import { eventually } from '../../integration/support.js';
import { removePolicy, writePolicy } from '../support.js';

describe('elicitation', () => {
	before(() => writePolicy({ decision: 'allow' }));
	after(removePolicy);
	const asking = new AskingServers('asking', 'rounds', 'everything');
	beforeEach(() => {
		asking.press = 'Answer';
	});

	const form = (properties: object, required: string[] = []): ProtocolObject => ({
		message: 'Who are you?',
		requestedSchema: { type: 'object', properties, required },
	});
	const { pick, type } = {
		pick: (label: string): ReturnType<typeof asking.inputs.pick> => asking.inputs.pick(labelled(label)),
		type: (text: string): ReturnType<typeof asking.inputs.type> => asking.inputs.type(text),
	};

	it('asks for required fields, then sends what was reviewed', async () => {
		const outcome = asking.call('ask', form({ age: { type: 'integer' }, name: { type: 'string' } }, ['name']));
		const { prompt } = await type('Ada');
		assert.match(prompt ?? '', /^asking asks: "Who are you\?"/);
		await pick('age');
		await type('36');
		const { lines, placeholder } = await pick('Submit');
		assert.equal(placeholder, 'Review your answer. Select a value to change it.');
		assert.ok(lines.includes('name * | "Ada"') && lines.includes('age | 36'), lines.join('\n'));
		assert.deepEqual(JSON.parse(await outcome), { action: 'accept', content: { name: 'Ada', age: 36 } });
		assert.deepEqual(asking.messages, ['asking asks you: "Who are you?"']);
	});

	for (const [line, action] of [
		['Decline', 'decline'],
		['Cancel Request', 'cancel'],
	] as const) {
		it(`tells the server of ${action} without the values`, async () => {
			const outcome = asking.call('ask', form({ name: { type: 'string', default: 'Ada' } }));
			await pick(line);
			assert.deepEqual(JSON.parse(await outcome), { action });
		});
	}

	it('checks the values against the whole schema', async () => {
		const params = form({ a: { type: 'string' }, b: { type: 'string' } });
		Object.assign(params['requestedSchema'] as object, { minProperties: 2 });
		const outcome = asking.call('ask', params);
		await pick('a');
		await type('one');
		await pick('Submit');
		await eventually('the warning', () => asking.messages.find(it => it.startsWith("The answer doesn't match")));
		await pick('b');
		await type('two');
		await pick('Submit');
		assert.deepEqual(JSON.parse(await outcome), { action: 'accept', content: { a: 'one', b: 'two' } });
	});

	it('shows a URL before it is opened', async () => {
		const url = 'https://example.com/sign-in?next=%2Fa%20b';
		const outcome = asking.call('ask', { mode: 'url', message: 'Sign in.', url, elicitationId: 'one' });
		const { lines } = await pick('Open in Browser');
		assert.deepEqual(lines.slice(0, 2), ['Host | example.com', `URL | ${url}`]);
		assert.equal(await outcome, '{"action":"accept"}');
		assert.deepEqual(asking.opened, [url]);
	});

	it('answers a server of the newest era', async () => {
		const outcome = asking.call('ask', {}, 'rounds');
		await pick('Decline');
		assert.equal(await outcome, 'You said decline.');
	});
});

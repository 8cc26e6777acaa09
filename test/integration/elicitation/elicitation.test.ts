/** What servers ask a person in the middle of a call: forms, pages, and every way to leave them. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ProtocolObject } from '../../../src/api.js';
import { AskingServers, labelled } from '../askingServers.js';
import { eventually } from '../support.js';
import { selectAction } from '../quickInputs.js';

describe('elicitation', () => {
	const asking = new AskingServers('asking', 'other', 'everything');
	beforeEach(() => {
		asking.press = 'Answer';
	});

	const form = (properties: object, required: string[] = []): ProtocolObject => ({
		message: 'Who are you?',
		requestedSchema: { type: 'object', properties, required },
	});

	it('limits the requests of a server, and mutes it', async () => {
		asking.press = 'Mute Server';
		const outcome = await asking.call('flood', { count: 100 });
		const answers = outcome.split(' ');
		assert.equal(answers.length, 100);
		assert.equal(answers.filter(it => it === 'decline').length + answers.filter(it => it === 'cancel').length, 100);
		// What is pressed at once here stands on the screen otherwise, and is one message.
		assert.ok(asking.messages.length < 5, JSON.stringify(asking.messages));
		assert.deepEqual(JSON.parse(await asking.call('ask', form({}))), { action: 'decline' });
		await selectAction(asking.inputs, 'asking', 'Unmute');
	});

	it('continues a call when its page is finished', async () => {
		const args = { url: 'https://example.com/', elicitationId: 'visit', finishes: true };
		const outcome = asking.call('visit', args, 'other');
		await asking.inputs.pick(labelled('Open in Browser'));
		assert.equal(await outcome, 'welcome');
	});

	it('or once the person says so, or not at all', async () => {
		const outcome = asking.call(
			'visit',
			{ url: 'https://example.com/', elicitationId: 'by hand', finishes: false },
			'other',
		);
		await asking.inputs.pick(labelled('Open in Browser'));
		await eventually('the open page', () => (asking.opened.length === 1 ? true : undefined));
		void vscode.commands.executeCommand('mcpWorkbench.question.answer');
		const { lines } = await asking.inputs.pick(labelled('Finish'));
		assert.ok(lines.includes('Open Again'));
		assert.equal(await outcome, 'welcome');
		const refused = asking.call('visit', { url: 'https://example.com/', elicitationId: 'refused' }, 'other');
		await asking.inputs.pick(labelled('Decline'));
		assert.match(await refused, /-32042|URL elicitation required/);
	});

	it('fills in every kind of field that server-everything knows', async () => {
		const outcome = asking.call('trigger-elicitation-request', {}, 'everything');
		await asking.inputs.type('Ada Lovelace');
		await asking.inputs.pick(labelled('Boolean'));
		await asking.inputs.pick(labelled('Yes'));
		await asking.inputs.pick(labelled('String with email format'));
		await asking.inputs.type('ada@example.com');
		await asking.inputs.pick(labelled('Number in range 1-1000'));
		await asking.inputs.type('1.5');
		await asking.inputs.pick(labelled('Submit'));
		const text = await outcome;
		assert.match(text, /Ada Lovelace/);
		assert.match(text, /"number": 1.5/);
		assert.match(text, /"integer": 42/);
	});

	it('answers what the reference server wants as a task, and the page that it wants first', async () => {
		for (const [line, told] of [
			['Submit', /COMPLETED.*Ada/s],
			['Decline', /DECLINED/],
		] as const) {
			const outcome = asking.call('trigger-elicitation-request-async', {}, 'everything');
			await asking.inputs.type('Ada');
			await asking.inputs.pick(labelled(line));
			assert.match(await outcome, told);
		}
		const page = { url: 'https://example.com/', elicitationId: 'page', errorPath: true };
		const outcome = asking.call('trigger-url-elicitation', page, 'everything');
		await asking.inputs.pick(labelled('Open in Browser'));
		await eventually('the open page', () => asking.opened[0]);
		void vscode.commands.executeCommand('mcpWorkbench.question.answer');
		await asking.inputs.pick(labelled('Finish'));
		await asking.inputs.pick(labelled('Open in Browser'));
		assert.match(await outcome, /Elicitation ID: page/);
	});
});

/** What servers ask a person in the middle of a call: forms, pages, and every way to leave them. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ProtocolObject } from '../../../src/api.js';
import { answerNext, AskingServers, labelled } from '../askingServers.js';
import { eventually } from '../support.js';
import { listsAnswered, selectAction } from '../quickInputs.js';

describe('elicitation', () => {
	const asking = new AskingServers('asking', 'other', 'everything');
	beforeEach(() => {
		asking.press = 'Answer';
	});

	const form = (properties: object, required: string[] = []): ProtocolObject => ({
		message: 'Who are you?',
		requestedSchema: { type: 'object', properties, required },
	});

	it('asks for what is required, shows all of it, and sends what was reviewed', async () => {
		const outcome = asking.call(
			'ask',
			form({ age: { type: 'integer' }, name: { type: 'string', title: 'Your name' } }, ['name']),
		);
		const { prompt } = await asking.inputs.type('Ada');
		assert.match(prompt ?? '', /^asking asks: "Who are you\?" · Your name \(name\)/);
		await asking.inputs.pick(labelled('age'));
		await asking.inputs.type('36');
		const { lines, placeholder } = await asking.inputs.pick(labelled('Submit'));
		assert.equal(placeholder, 'Review your answer. Select a value to change it.');
		assert.deepEqual(lines, [
			'asking asks: "Who are you?"',
			'',
			'Submit | Sends the values below',
			'Decline | Tells the server that you declined',
			'Cancel Request | Tells the server that you canceled',
			'',
			'Your name * | "Ada"',
			'age | 36',
			'',
			'Answer Later',
		]);
		assert.deepEqual(JSON.parse(await outcome), { action: 'accept', content: { name: 'Ada', age: 36 } });
		assert.deepEqual(asking.messages, ['asking asks you: "Who are you?"']);
		assert.deepEqual(asking.buttons, [['Answer', 'Mute Server']]);
	});

	it('keeps the question and what was typed whatever disappears', async () => {
		const outcome = asking.call('ask', form({ name: { type: 'string' }, age: { type: 'integer' } }, ['name', 'age']));
		const box = (await asking.inputs.look()) as vscode.InputBox;
		box.value = 'Ad';
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		asking.inputs.forget();
		// Still there: by the command, with what was typed.
		void vscode.commands.executeCommand('mcpWorkbench.question.answer');
		assert.equal((await asking.inputs.type('Ada')).value, 'Ad');
		await asking.inputs.look();
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		asking.inputs.forget();
		void vscode.commands.executeCommand('mcpWorkbench.question.answer');
		await asking.inputs.type('36');
		await asking.inputs.look();
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		asking.inputs.forget();
		void vscode.commands.executeCommand('mcpWorkbench.question.answer');
		await asking.inputs.pick(labelled('Answer Later'));
		void vscode.commands.executeCommand('mcpWorkbench.question.answer');
		const { lines } = await asking.inputs.pick(labelled('Submit'));
		assert.deepEqual(lines.slice(6, 8), ['name * | "Ada"', 'age * | 36']);
		assert.deepEqual(JSON.parse(await outcome), { action: 'accept', content: { name: 'Ada', age: 36 } });
		assert.equal(asking.messages.length, 1, 'it is told of once');
	});

	it('sends defaults, and leaves out what is left out', async () => {
		const properties = {
			a: { type: 'string', default: 'x' },
			b: { type: 'number' },
			c: { type: 'boolean', default: false },
		};
		const outcome = asking.call('ask', form(properties));
		await asking.inputs.pick(labelled('Submit'));
		assert.deepEqual(JSON.parse(await outcome), { action: 'accept', content: { a: 'x', c: false } });
	});

	it('warns where a field looks like a secret', async () => {
		const outcome = asking.call('ask', form({ password: { type: 'string' } }, ['password']));
		const box = (await asking.inputs.look()) as vscode.InputBox;
		const { validationMessage } = box;
		assert.ok(typeof validationMessage === 'object');
		assert.match(
			validationMessage.message,
			/^Servers must not ask for passwords or keys this way · asking asks: "Who are you\?" · password/,
		);
		assert.equal(validationMessage.severity, vscode.InputBoxValidationSeverity.Warning);
		await asking.inputs.type('x');
		await asking.inputs.pick(labelled('Decline'));
		assert.deepEqual(JSON.parse(await outcome), { action: 'decline' });
	});

	it('says when the server did not wait', async () => {
		asking.press = undefined;
		assert.equal(await asking.call('takeBack', form({ name: { type: 'string' } })), 'taken back');
		asking.press = 'Answer';
		await vscode.commands.executeCommand('mcpWorkbench.question.answer');
		assert.equal(asking.messages.at(-1), 'No requests are waiting for you.');
	});

	it('does not send what a server that was stopped has asked', async () => {
		const outcome = asking.call('ask', form({ name: { type: 'string' } }, ['name']));
		await asking.inputs.look();
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'asking' });
		await eventually('the message', () => asking.messages.find(it => it === 'This request from asking has ended.'));
		asking.inputs.forget();
		assert.match(await outcome, /^(?!.*accept)/);
	});

	it('asks for two servers, in one list', async () => {
		asking.press = undefined;
		const { createQuickPick } = vscode.window;
		const outcomes = [
			asking.call('ask', form({ x: { type: 'string', default: '1' } })),
			asking.call('ask', form({}), 'other'),
		];
		// Both may be told of together, or one after the other.
		await eventually('both requests', () =>
			asking.messages.length === 2 || asking.messages[0] === '2 requests are waiting for you.' ? true : undefined,
		);
		Object.assign(vscode.window, {
			createQuickPick: listsAnswered((items: readonly vscode.QuickPickItem[]) => {
				Object.assign(vscode.window, { createQuickPick });
				return Promise.resolve(items[1]);
			}),
		});
		answerNext();
		await asking.inputs.pick(labelled('Submit'));
		// With one request left, there is no list to choose from.
		await Promise.race(outcomes);
		answerNext();
		await asking.inputs.pick(labelled('Submit'));
		const actions = (await Promise.all(outcomes)).map(it => (JSON.parse(it) as { action: string }).action);
		assert.deepEqual(actions, ['accept', 'accept']);
	});

	it('lets nobody be flooded, and mutes', async () => {
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

	it('makes nothing of the words of a server but text', async () => {
		await vscode.commands.executeCommand('mcpWorkbench.server.restart', { server: 'other' });
		const words = `$(zap) [free](command:x) \u202Elive${'x'.repeat(10_000)}`;
		const outcome = asking.call(
			'ask',
			{ message: words, requestedSchema: { type: 'object', properties: { a: { type: 'string', title: words } } } },
			'other',
		);
		const { lines } = await asking.inputs.pick(labelled('Decline'));
		assert.equal(await outcome, '{"action":"decline"}');
		assert.ok(lines.every(it => it.length < 500));
		assert.ok(
			lines.every(it => !/\$\(zap\)|\u202E/.test(it)),
			lines.join('\n'),
		);
		assert.ok(!/\]\(/.test(asking.messages[0] ?? ''), asking.messages[0]);
		assert.ok((asking.messages[0]?.length ?? 0) < 400);
	});

	it('shows the whole of an address before it is opened, and opens nothing without consent', async () => {
		const url = 'https://xn--pple-43d.com/sign-in?next=%2Fa%20b';
		const outcome = asking.call('ask', { mode: 'url', message: 'Sign in.', url, elicitationId: 'one' }, 'other');
		const { lines } = await asking.inputs.pick(labelled('Open in Browser'));
		assert.deepEqual(lines, [
			'Host | xn--pple-43d.com',
			'Warning | The host name may contain look-alike characters: xn--pple-43d.com',
			'URL | https://xn--pple-43d.com/sign-in?next=%2Fa%20b',
			'Server says | "Sign in."',
			'',
			'Open in Browser',
			'Copy URL',
			'Decline | Tells the server that you declined',
			'Cancel Request | Tells the server that you canceled',
			'Answer Later',
		]);
		assert.equal(await outcome, '{"action":"accept"}');
		assert.deepEqual(asking.opened, [url]);
	});

	it('opens what it has shown, and nothing that means something to a shell', async () => {
		const url = 'https://example.com/$(x)?a=`b`';
		const outcome = asking.call('ask', { mode: 'url', message: 'Sign in.', url, elicitationId: 'shell' }, 'other');
		const { lines } = await asking.inputs.pick(labelled('Open in Browser'));
		assert.equal(await outcome, '{"action":"accept"}');
		const encoded = 'https://example.com/%24%28x%29?a=%60b%60';
		assert.ok(lines.includes(`URL | ${encoded}`), lines.join('\n'));
		assert.deepEqual(asking.opened, [encoded]);
	});

	it('asks for no page that is none of the web', async () => {
		for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'command:x', 'https://me@example.com/']) {
			assert.match(await asking.call('ask', { mode: 'url', message: 'x', url, elicitationId: 'x' }, 'other'), /-32602/);
		}
		assert.deepEqual([asking.messages, asking.opened], [[], []]);
	});

	it('goes on with a call once the page that it needs was finished', async () => {
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

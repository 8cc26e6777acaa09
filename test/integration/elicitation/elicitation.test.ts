/** What servers ask a person in the middle of a call: forms, pages, and every way to leave them. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ApiError, ExtensionApi, ProtocolObject } from '../../../src/api.js';
import { QuickInputs } from '../quickInputs.js';
import { activate, eventually, inState } from '../support.js';

type Message = { readonly text: string; readonly buttons: readonly string[] };

describe('elicitation', () => {
	let api: ExtensionApi;
	let inputs: QuickInputs;
	let messages: Message[];
	let opened: string[];
	/** What is pressed on messages; nothing leaves them as if nobody had seen them. */
	let press: string | undefined;
	const original = { window: { ...vscode.window }, openExternal: vscode.env.openExternal };
	const calls: Promise<string>[] = [];

	before(async () => {
		api = await activate();
		for (const server of ['asking', 'other', 'everything', 'rounds']) {
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server });
			await inState(api, server, 'running');
		}
	});

	beforeEach(() => {
		inputs = new QuickInputs();
		messages = [];
		opened = [];
		press = 'Answer';
		const show = (text: string, ...rest: unknown[]): Promise<string | undefined> => {
			const buttons = rest.filter(it => typeof it === 'string');
			messages.push({ text, buttons });
			return Promise.resolve(buttons.find(it => it === press));
		};
		Object.assign(vscode.window, {
			showInformationMessage: show,
			showWarningMessage: show,
			showErrorMessage: show,
		});
		Object.assign(vscode.env, {
			openExternal: (uri: vscode.Uri) => {
				opened.push(uri.toString(true));
				return Promise.resolve(true);
			},
		});
	});

	afterEach(async () => {
		press = undefined;
		const settled = Promise.allSettled(calls.splice(0));
		for (const server of ['asking', 'other']) {
			await vscode.commands.executeCommand('mcpWorkbench.server.restart', { server });
		}
		await inputs.closeUntil(settled);
		inputs.dispose();
		const { showInformationMessage, showWarningMessage, showErrorMessage } = original.window;
		Object.assign(vscode.window, { showInformationMessage, showWarningMessage, showErrorMessage });
		Object.assign(vscode.env, { openExternal: original.openExternal });
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	function call(tool: string, args: ProtocolObject = {}, server = 'asking'): Promise<string> {
		const outcome = api
			.connect(server, 'somebody.else')
			.callTool(tool, args)
			.then(
				({ content }) => (content as { text: string }[]).map(it => it.text).join('\n'),
				(error: unknown) => {
					const { code, message } = error as ApiError;
					return `${code}: ${message}`;
				},
			);
		calls.push(outcome);
		return outcome;
	}

	const labelled =
		(label: string) =>
		(item: vscode.QuickPickItem): boolean =>
			item.label === label;
	const form = (properties: object, required: string[] = []): ProtocolObject => ({
		message: 'Who are you?',
		requestedSchema: { type: 'object', properties, required },
	});

	it('asks for what is required, shows all of it, and sends what was reviewed', async () => {
		const outcome = call(
			'ask',
			form({ age: { type: 'integer' }, name: { type: 'string', title: 'Your name' } }, ['name']),
		);
		const { prompt } = await inputs.type('Ada');
		assert.match(prompt ?? '', /^Your name \(name\)/);
		await inputs.pick(labelled('age'));
		await inputs.type('36');
		const { lines, placeholder } = await inputs.pick(labelled('Submit'));
		assert.equal(placeholder, 'Review your answer; choose a line to change it');
		assert.deepEqual(lines, [
			'asking asks: "Who are you?"',
			'',
			'Your name * | "Ada"',
			'age | 36',
			'',
			'Submit | the server gets what stands above',
			'Edit as JSON…',
			'Decline | the server is told that you said no',
			'Cancel Request | the server is told that you did not choose',
			'Answer Later',
		]);
		assert.deepEqual(JSON.parse(await outcome), { action: 'accept', content: { name: 'Ada', age: 36 } });
		assert.deepEqual(messages, [{ text: 'asking asks you: "Who are you?"', buttons: ['Answer'] }]);
	});

	for (const [line, action] of [
		['Decline', 'decline'],
		['Cancel Request', 'cancel'],
	] as const) {
		it(`tells the server of ${action}, without what was typed`, async () => {
			const outcome = call('ask', form({ name: { type: 'string', default: 'Ada' } }));
			await inputs.pick(labelled(line));
			assert.deepEqual(JSON.parse(await outcome), { action });
		});
	}

	it('keeps the question and what was typed whatever disappears', async () => {
		const outcome = call('ask', form({ name: { type: 'string' }, age: { type: 'integer' } }, ['name', 'age']));
		const box = (await inputs.look()) as vscode.InputBox;
		box.value = 'Ad';
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		inputs.forget();
		// Still there: by the command, with what was typed.
		void vscode.commands.executeCommand('mcpWorkbench.question.answer');
		assert.equal((await inputs.type('Ada')).value, 'Ad');
		await inputs.look();
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		inputs.forget();
		void vscode.commands.executeCommand('mcpWorkbench.question.answer');
		await inputs.type('36');
		await inputs.look();
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		inputs.forget();
		void vscode.commands.executeCommand('mcpWorkbench.question.answer');
		await inputs.pick(labelled('Answer Later'));
		void vscode.commands.executeCommand('mcpWorkbench.question.answer');
		const { lines } = await inputs.pick(labelled('Submit'));
		assert.deepEqual(lines.slice(2, 4), ['name * | "Ada"', 'age * | 36']);
		assert.deepEqual(JSON.parse(await outcome), { action: 'accept', content: { name: 'Ada', age: 36 } });
		assert.equal(messages.length, 1, 'it is told of once');
	});

	it('sends defaults, and leaves out what is left out', async () => {
		const properties = {
			a: { type: 'string', default: 'x' },
			b: { type: 'number' },
			c: { type: 'boolean', default: false },
		};
		const outcome = call('ask', form(properties));
		await inputs.pick(labelled('Submit'));
		assert.deepEqual(JSON.parse(await outcome), { action: 'accept', content: { a: 'x', c: false } });
	});

	it('is answered in a document, which knows what is asked for, and leads back to the form', async () => {
		const outcome = call('ask', form({ name: { type: 'string' }, age: { type: 'integer' } }, ['name', 'age']));
		await inputs.type('Ada');
		await inputs.type('36');
		await inputs.pick(labelled('Edit as JSON…'));
		const editor = await eventually('the document', () =>
			vscode.window.visibleTextEditors.find(it => it.document.uri.scheme === 'mcp-workbench-answer'),
		);
		const { document } = editor;
		const { $schema, ...content } = JSON.parse(document.getText()) as Record<string, unknown>;
		assert.deepEqual(content, { name: 'Ada', age: 36 });
		const write = async (value: object): Promise<void> => {
			const edit = new vscode.WorkspaceEdit();
			edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), JSON.stringify({ $schema, ...value }));
			await vscode.workspace.applyEdit(edit);
		};
		await write({ name: 'Ada', age: 'old' });
		await eventually('what is wrong', () =>
			vscode.languages.getDiagnostics(document.uri).some(it => it.message.includes('integer')) ? true : undefined,
		);
		press = undefined;
		await vscode.commands.executeCommand('mcpWorkbench.elicitation.submit', document.uri);
		assert.match(messages.at(-1)?.text ?? '', /^This does not fit what the server asks for/);
		void vscode.commands.executeCommand('mcpWorkbench.elicitation.toForm', document.uri);
		assert.equal((await inputs.type('37')).value, '"old"');
		await inputs.pick(labelled('Answer Later'));
		await write({ name: 'Ada', age: 38 });
		await vscode.commands.executeCommand('mcpWorkbench.elicitation.submit', document.uri);
		assert.deepEqual(JSON.parse(await outcome), { action: 'accept', content: { name: 'Ada', age: 38 } });
		await vscode.commands.executeCommand('mcpWorkbench.elicitation.submit', document.uri);
		assert.equal(messages.at(-1)?.text, 'The server does not wait for this answer any more.');
	});

	it('warns where a field looks like a secret', async () => {
		const outcome = call('ask', form({ password: { type: 'string' } }, ['password']));
		const box = (await inputs.look()) as vscode.InputBox;
		const { validationMessage } = box;
		assert.ok(typeof validationMessage === 'object');
		assert.match(validationMessage.message, /^Servers must not ask for passwords or keys this way · password/);
		assert.equal(validationMessage.severity, vscode.InputBoxValidationSeverity.Warning);
		await inputs.type('x');
		await inputs.pick(labelled('Decline'));
		assert.deepEqual(JSON.parse(await outcome), { action: 'decline' });
	});

	it('checks once more by the whole schema', async () => {
		const params = form({ a: { type: 'string' }, b: { type: 'string' } });
		Object.assign(params['requestedSchema'] as object, { minProperties: 2 });
		const outcome = call('ask', params);
		await inputs.pick(labelled('a'));
		await inputs.type('one');
		press = undefined;
		await inputs.pick(labelled('Submit'));
		await eventually('the warning', () => messages.find(it => it.text.startsWith('This does not fit')));
		await inputs.pick(labelled('b'));
		await inputs.type('two');
		await inputs.pick(labelled('Submit'));
		assert.deepEqual(JSON.parse(await outcome), { action: 'accept', content: { a: 'one', b: 'two' } });
	});

	it('says when the server did not wait', async () => {
		press = undefined;
		assert.equal(await call('takeBack', form({ name: { type: 'string' } })), 'taken back');
		press = 'Answer';
		await vscode.commands.executeCommand('mcpWorkbench.question.answer');
		assert.equal(messages.at(-1)?.text, 'No server waits for an answer.');
	});

	it('does not send what a server that was stopped has asked', async () => {
		const outcome = call('ask', form({ name: { type: 'string' } }, ['name']));
		await inputs.look();
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'asking' });
		await inputs.type('Ada');
		await inputs.pick(labelled('Submit'));
		await eventually('the message', () => messages.find(it => /did not wait for your answer/.test(it.text)));
		assert.match(await outcome, /^(?!.*accept)/);
	});

	it('asks for two servers, one after the other', async () => {
		const outcomes = [call('ask', form({ x: { type: 'string', default: '1' } })), call('ask', form({}), 'other')];
		await inputs.pick(labelled('Submit'));
		await inputs.pick(labelled('Submit'));
		const actions = (await Promise.all(outcomes)).map(it => (JSON.parse(it) as { action: string }).action);
		assert.deepEqual(actions, ['accept', 'accept']);
		assert.deepEqual(
			messages.map(it => it.text).toSorted((a, b) => a.localeCompare(b)),
			['asking asks you: "Who are you?"', 'other asks you: "Who are you?"'],
		);
	});

	it('lets nobody be flooded, and mutes', async () => {
		press = 'Mute This Server';
		const outcome = await call('flood', { count: 100 });
		const answers = outcome.split(' ');
		assert.equal(answers.length, 100);
		assert.equal(answers.filter(it => it === 'decline').length + answers.filter(it => it === 'cancel').length, 100);
		// What is pressed at once here stands on the screen otherwise, and is one message.
		assert.ok(messages.length < 5, JSON.stringify(messages));
		assert.deepEqual(JSON.parse(await call('ask', form({}))), { action: 'decline' });
		const { showQuickPick } = vscode.window;
		Object.assign(vscode.window, {
			showQuickPick: (items: readonly vscode.QuickPickItem[]) => Promise.resolve(items.find(labelled('asking'))),
		});
		await vscode.commands.executeCommand('mcpWorkbench.server.unmute');
		Object.assign(vscode.window, { showQuickPick });
	});

	it('lets nobody who thinks about an answer run out of time', async () => {
		const settings = vscode.workspace.getConfiguration('mcpWorkbench');
		const options = { other: { toolTimeouts: { askName: 1 } } };
		await settings.update('serverOptions', options, vscode.ConfigurationTarget.Global);
		const { showQuickPick } = vscode.window;
		Object.assign(vscode.window, {
			showQuickPick: (items: readonly { tool?: { name: string }; server?: { name: string } }[]) =>
				Promise.resolve(items.find(it => it.tool?.name === 'askName' && it.server?.name === 'other')),
		});
		try {
			const running = vscode.commands.executeCommand('mcpWorkbench.tool.run');
			await inputs.pick(labelled('Run'));
			const byAnother = call('askName', {}, 'other');
			await inputs.look();
			await new Promise(resolve => setTimeout(resolve, 2500));
			await inputs.pick(labelled('Submit'));
			await inputs.pick(labelled('Submit'));
			await running;
			assert.match(await byAnother, /accept/);
			assert.deepEqual(
				messages.filter(it => it.text.includes('said nothing')),
				[],
			);
		} finally {
			Object.assign(vscode.window, { showQuickPick });
			await settings.update('serverOptions', undefined, vscode.ConfigurationTarget.Global);
		}
	});

	it('makes nothing of the words of a server but text', async () => {
		await vscode.commands.executeCommand('mcpWorkbench.server.restart', { server: 'other' });
		const words = `$(zap) [free](command:x) \u202Elive${'x'.repeat(10_000)}`;
		const outcome = call(
			'ask',
			{ message: words, requestedSchema: { type: 'object', properties: { a: { type: 'string', title: words } } } },
			'other',
		);
		const { lines } = await inputs.pick(labelled('Decline'));
		assert.equal(await outcome, '{"action":"decline"}');
		assert.ok(lines.every(it => it.length < 500));
		assert.ok(
			lines.every(it => !/\$\(zap\)|\u202E/.test(it)),
			lines.join('\n'),
		);
		assert.ok(!/\]\(/.test(messages[0]?.text ?? ''), messages[0]?.text);
		assert.ok((messages[0]?.text.length ?? 0) < 400);
	});

	it('shows the whole of an address before it is opened, and opens nothing without consent', async () => {
		const url = 'https://github.com@xn--pple-43d.com/sign-in?next=%2Fa%20b';
		const outcome = call('ask', { mode: 'url', message: 'Sign in.', url, elicitationId: 'one' }, 'other');
		const { lines } = await inputs.pick(labelled('Open in Browser'));
		assert.deepEqual(lines, [
			'goes to | xn--pple-43d.com',
			'beware | what stands before "@" is not the host',
			'beware | the host has letters that may only look like others: xn--pple-43d.com',
			'address | https://github.com@xn--pple-43d.com/sign-in?next=%2Fa%20b',
			'server says | "Sign in."',
			'',
			'Open in Browser',
			'Copy Address',
			'Decline | the server is told that you said no',
			'Cancel Request | the server is told that you did not choose',
			'Answer Later',
		]);
		assert.equal(await outcome, '{"action":"accept"}');
		assert.deepEqual(opened, [decodeURIComponent(url)]);
	});

	it('asks for no page that is none of the web', async () => {
		for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'command:x']) {
			assert.match(await call('ask', { mode: 'url', message: 'x', url, elicitationId: 'x' }, 'other'), /-32602/);
		}
		assert.deepEqual([messages, opened], [[], []]);
	});

	it('goes on with a call once the page that it needs was finished', async () => {
		const args = { url: 'https://example.com/', elicitationId: 'visit', finishes: true };
		const outcome = call('visit', args, 'other');
		await inputs.pick(labelled('Open in Browser'));
		assert.equal(await outcome, 'welcome');
	});

	it('or once the person says so, or not at all', async () => {
		const outcome = call('visit', { url: 'https://example.com/', elicitationId: 'by hand', finishes: false }, 'other');
		await inputs.pick(labelled('Open in Browser'));
		await eventually('the open page', () => (opened.length === 1 ? true : undefined));
		void vscode.commands.executeCommand('mcpWorkbench.question.answer');
		const { lines } = await inputs.pick(labelled('I Have Finished'));
		assert.ok(lines.includes('Open Again'));
		assert.equal(await outcome, 'welcome');
		const refused = call('visit', { url: 'https://example.com/', elicitationId: 'refused' }, 'other');
		await inputs.pick(labelled('Decline'));
		assert.match(await refused, /-32042|URL elicitation required/);
	});

	it('fills in every kind of field that server-everything knows', async () => {
		const outcome = call('trigger-elicitation-request', {}, 'everything');
		await inputs.type('Ada Lovelace');
		await inputs.pick(labelled('Boolean'));
		await inputs.pick(labelled('Yes'));
		await inputs.pick(labelled('String with email format'));
		await inputs.type('ada@example.com');
		await inputs.pick(labelled('Number in range 1-1000'));
		await inputs.type('1.5');
		await inputs.pick(labelled('Submit'));
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
			const outcome = call('trigger-elicitation-request-async', {}, 'everything');
			await inputs.type('Ada');
			await inputs.pick(labelled(line));
			assert.match(await outcome, told);
		}
		const page = { url: 'https://example.com/', elicitationId: 'page', errorPath: true };
		const outcome = call('trigger-url-elicitation', page, 'everything');
		await inputs.pick(labelled('Open in Browser'));
		await eventually('the open page', () => opened[0]);
		void vscode.commands.executeCommand('mcpWorkbench.question.answer');
		await inputs.pick(labelled('I Have Finished'));
		await inputs.pick(labelled('Open in Browser'));
		assert.match(await outcome, /Elicitation ID: page/);
	});

	it('answers what a call of the newest era needs, and what declining leads to', async () => {
		const outcome = call('ask', {}, 'rounds');
		await inputs.pick(labelled('Decline'));
		assert.equal(await outcome, 'You said decline.');
	});
});

/** No key that is pressed by mistake loses what was typed, ends what waits, or tells a server what nobody meant. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ProtocolObject } from '../../../src/api.js';
import { answerNext, AskingServers, labelled } from '../askingServers.js';
import { eventually } from '../support.js';

describe('what was typed into a form of a server', () => {
	const asking = new AskingServers('asking');

	const form = (field: object): ProtocolObject => ({
		message: 'Who are you?',
		requestedSchema: { type: 'object', properties: { field }, required: [] },
	});
	const open = async (): Promise<vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>> => {
		await asking.inputs.pick(labelled('field'));
		return asking.inputs.look();
	};
	/** Nothing was told by now, and only this line tells it. */
	const decline = async (outcome: Promise<string>): Promise<void> => {
		await asking.inputs.pick(labelled('Decline'));
		assert.equal(await outcome, '{"action":"decline"}');
		assert.deepEqual(asking.messages, ['asking asks you: "Who are you?"']);
	};
	const escaped = async (): Promise<void> => {
		await asking.escape();
		answerNext();
	};
	const wentBack = async (): Promise<void> => asking.inputs.back();
	const keys = { Escape: escaped, Back: wentBack };

	const texts: Readonly<Record<string, readonly [field: object, typed: string]>> = {
		text: [{ type: 'string' }, 'Ada L'],
		'text that does not fit': [{ type: 'string', minLength: 5 }, 'Ada'],
		date: [{ type: 'string', format: 'date' }, '2026-1'],
		number: [{ type: 'number' }, '1.'],
		'whole number': [{ type: 'integer', default: 7 }, '12x'],
		'any JSON': [{ type: 'array', items: { type: 'object' } }, '[{"a":'],
	};
	for (const [kind, [field, typed]] of Object.entries(texts)) {
		for (const [key, press] of Object.entries(keys)) {
			it(`stays after ${key}: ${kind}`, async () => {
				const outcome = asking.call('ask', form(field));
				await eventually('the question', () => asking.messages[0]);
				answerNext();
				const box = (await open()) as vscode.InputBox;
				box.value = typed;
				await press();
				assert.equal(((await open()) as vscode.InputBox).value, typed);
				await asking.escape();
				answerNext();
				await decline(outcome);
			});
		}
	}

	for (const [key, press] of Object.entries(keys)) {
		it(`stays after ${key}: lines that were checked, too few as well`, async () => {
			const many = { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c', 'd'] }, minItems: 3 };
			const outcome = asking.call('ask', form(many));
			await eventually('the question', () => asking.messages[0]);
			answerNext();
			await open();
			await asking.check((_, index) => index === 1 || index === 2);
			await press();
			const again = (await open()) as vscode.QuickPick<vscode.QuickPickItem>;
			assert.deepEqual(
				again.selectedItems.map(it => it.label),
				['b', 'c'],
			);
			const { placeholder, prompt } = again as { placeholder: string | undefined; prompt?: string };
			assert.match(`${prompt} ${placeholder}`, /choose at least 3/);
			await asking.escape();
			answerNext();
			await decline(outcome);
		});

		for (const [kind, field] of Object.entries({
			'yes or no': { type: 'boolean', default: true },
			choice: { type: 'string', enum: ['a', 'b'], default: 'b' },
		})) {
			it(`stays after ${key}: ${kind}`, async () => {
				const outcome = asking.call('ask', form(field));
				await eventually('the question', () => asking.messages[0]);
				answerNext();
				await open();
				await press();
				const { lines } = await asking.inputs.pick(labelled('Submit'));
				assert.ok(lines.includes(kind === 'choice' ? 'field | b' : 'field | true'), lines.join('\n'));
				assert.match(await outcome, /"accept"/);
			});
		}
	}

	it('becomes what it is where it is taken to a document', async () => {
		const outcome = asking.call('ask', {
			message: 'Who are you?',
			requestedSchema: {
				type: 'object',
				properties: { age: { type: 'integer' }, name: { type: 'string' }, size: { type: 'number', default: 5 } },
				required: ['age'],
			},
		});
		await eventually('the question', () => asking.messages[0]);
		answerNext();
		((await asking.inputs.look()) as vscode.InputBox).value = '36';
		await asking.escape();
		answerNext();
		await asking.inputs.type(undefined);
		// A look at a field is no answer.
		for (const name of ['name', 'size']) {
			await asking.inputs.pick(labelled(name));
			await asking.inputs.back();
		}
		await asking.inputs.pick(labelled('age *'));
		((await asking.inputs.look()) as vscode.InputBox).value = '37';
		await asking.inputs.press('Edit as JSON…');
		const { document } = await asking.document(/answer \d+\.json$/);
		assert.deepEqual(JSON.parse(document.getText()), { age: 37, size: 5 });
		asking.inputs.forget();
		answerNext();
		await decline(outcome);
	});

	it('into its document is what the form goes on with, saved and closed or not', async () => {
		const outcome = asking.call('ask', {
			message: 'Who are you?',
			requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
		});
		await eventually('the question', () => asking.messages[0]);
		answerNext();
		await asking.inputs.type('Ada');
		await asking.inputs.pick(labelled('Edit as JSON…'));
		const editor = await asking.document(/answer \d+\.json$/);
		await asking.write(editor, '{ "name": "Grace" }');
		answerNext();
		const seen = await asking.inputs.pick(labelled('Edit as JSON…'));
		assert.ok(seen.lines.includes('name * | "Grace"'), seen.lines.join('\n'));
		await eventually('the document', () =>
			editor.document.getText().includes('\n  "name": "Grace"') ? true : undefined,
		);
		await asking.write(await asking.document(/answer \d+\.json$/), '{ "name": "Mary" }');
		await vscode.commands.executeCommand('workbench.action.files.save');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		answerNext();
		await asking.inputs.pick(labelled('Edit as JSON…'));
		const again = await asking.document(/answer \d+\.json$/);
		assert.match(again.document.getText(), /Mary/);
		// What is no JSON yet is gone on with where it was written.
		await asking.write(again, '{ "name": "Ma');
		await vscode.commands.executeCommand('workbench.action.files.save');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		answerNext();
		await asking.inputs.pick(labelled('Edit as JSON…'));
		assert.equal((await asking.document(/answer \d+\.json$/)).document.getText(), '{ "name": "Ma');
		answerNext();
		const last = await asking.inputs.pick(labelled('Submit'));
		assert.ok(last.lines.includes('name * | "Mary"'), last.lines.join('\n'));
		// Others can write the document: what is sent is reviewed exactly.
		const review = await asking.inputs.pick(labelled('Submit'));
		assert.equal(review.lines[0], 'name | "Mary"');
		assert.match(await outcome, /"Mary"/);
	});

	it('into its document while the editor still shows it', async () => {
		const outcome = asking.call('ask', form({ type: 'string', default: 'Ada' }));
		await eventually('the question', () => asking.messages[0]);
		answerNext();
		const { showTextDocument } = vscode.window;
		let isTyped = false;
		Object.assign(vscode.window, {
			showTextDocument: async (document: vscode.TextDocument, options: vscode.TextDocumentShowOptions) => {
				const editor = await showTextDocument(document, options);
				await asking.write(editor, '{ "field": "Grace" }');
				isTyped = true;
				return editor;
			},
		});
		await asking.inputs.pick(labelled('Edit as JSON…'));
		await eventually('what is typed', () => isTyped || undefined);
		Object.assign(vscode.window, { showTextDocument });
		answerNext();
		const { lines } = await asking.inputs.pick(labelled('Decline'));
		assert.ok(lines.includes('field | "Grace"'), lines.join('\n'));
		assert.equal(await outcome, '{"action":"decline"}');
	});

	it('is saved by sending it, and no other file with it', async () => {
		const outcome = asking.call('ask', form({ type: 'string', default: 'Ada' }));
		await eventually('the question', () => asking.messages[0]);
		answerNext();
		await asking.inputs.pick(labelled('Edit as JSON…'));
		const { document } = await asking.document(/answer \d+\.json$/);
		await asking.write(await asking.document(/answer \d+\.json$/), '{ "field": "Grace" }');
		const other = await vscode.workspace.openTextDocument({ content: '', language: 'plaintext' });
		const [folder] = vscode.workspace.workspaceFolders ?? [];
		assert.ok(folder && other);
		const file = vscode.Uri.joinPath(folder.uri, 'notes.txt');
		await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('one'));
		const notes = await vscode.window.showTextDocument(file);
		await asking.write(notes, 'two');
		const submitted = vscode.commands.executeCommand('mcpWorkbench.elicitation.submit', document.uri);
		await asking.inputs.pick(labelled('Submit'));
		await submitted;
		assert.match(await outcome, /Grace/);
		await eventually(`that it is saved: ${asking.messages.join()}`, () => (document.isDirty ? undefined : true));
		assert.equal(notes.document.isDirty, true);
	});

	it('in an earlier window answers nothing now', async () => {
		const first = asking.call('ask', form({ type: 'string', default: 'Ada' }));
		await eventually('the question', () => asking.messages[0]);
		answerNext();
		await asking.inputs.pick(labelled('Edit as JSON…'));
		const { document } = await asking.document(/answer \d+\.json$/);
		answerNext();
		await asking.inputs.pick(labelled('Decline'));
		await first;
		// The tab that the editor restores has the number of a question of this window, by chance.
		const number = Number(/(\d+)\.json$/.exec(document.uri.path)?.[1]);
		const path = document.uri.path.replace(/\d+\.json$/, `${number + 1}.json`);
		const stale = vscode.Uri.from({ scheme: document.uri.scheme, path, query: 'earlier' });
		await asking.write(await vscode.window.showTextDocument(stale), '{ "field": "of yesterday" }');
		const second = asking.call('ask', form({ type: 'string', default: 'Ada' }));
		await eventually('the question', () => asking.messages[1]);
		await vscode.commands.executeCommand('mcpWorkbench.elicitation.submit', stale);
		assert.equal(asking.messages.at(-1), 'The server is no longer waiting for this answer.');
		answerNext();
		await asking.inputs.pick(labelled('Submit'));
		assert.match(await second, /"Ada"/);
	});

	describe('and a page of a server', () => {
		const page = { mode: 'url', message: 'Sign in.', url: 'https://example.com/', elicitationId: 'one' };

		it('is not opened for a server that does not wait any more', async () => {
			const outcome = asking.call('ask', page);
			await eventually('the question', () => asking.messages[0]);
			answerNext();
			await asking.inputs.look();
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'asking' });
			await outcome;
			await eventually('the message', () => asking.messages.find(it => it === 'This request from asking has ended.'));
			assert.deepEqual(asking.opened, []);
		});

		it('is not called opened where the editor has not opened it, and waits after Escape', async () => {
			asking.opensOutside = false;
			const outcome = asking.call('ask', page);
			await eventually('the question', () => asking.messages[0]);
			answerNext();
			await asking.inputs.pick(labelled('Open in Browser'), true);
			await eventually('the attempt', () => asking.opened[0]);
			await asking.escape();
			answerNext();
			await asking.inputs.pick(labelled('Decline'));
			assert.equal(await outcome, '{"action":"decline"}');
		});
	});

	it('of two hundred fields is reviewed at once, and sent whole', async () => {
		const names = Array.from({ length: 200 }, (_, n) => `field ${n}`);
		const properties = Object.fromEntries(names.map(it => [it, { type: 'string', default: it }]));
		const outcome = asking.call('ask', { message: 'All', requestedSchema: { type: 'object', properties } });
		await eventually('the question', () => asking.messages[0]);
		answerNext();
		const { lines } = await asking.inputs.pick(labelled('Submit'));
		assert.equal(lines.filter(it => it.startsWith('field ')).length, 200);
		assert.equal(Object.keys((JSON.parse(await outcome) as { content: object }).content).length, 200);
	});

	it('that nobody has looked at is told of again when the server asks anew', async () => {
		asking.isUnseen = true;
		const first = asking.call('ask', form({ type: 'string' }));
		await eventually('the first', () => asking.messages[0]);
		answerNext();
		await asking.inputs.pick(labelled('Decline'));
		await first;
		const second = asking.call('ask', { ...form({ type: 'string' }), message: 'And now?' });
		await eventually('the second', () => asking.messages[1]);
		assert.equal(asking.messages[1], 'asking asks you: "And now?"');
		answerNext();
		await asking.inputs.pick(labelled('Decline'));
		await second;
	});
});

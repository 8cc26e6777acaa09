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
			assert.match(`${prompt} ${placeholder}`, /Select at least 3/);
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

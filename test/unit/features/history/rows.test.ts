// Rows of the history: what tells two calls apart, what runs, and what broke a promise.
import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { describeArguments, describeLine, describeSubject } from '../../../../src/features/history/entryText.js';
import { runningItem, runningText } from '../../../../src/features/history/runningItem.js';
import type { SentCall } from '../../../../src/core/calls/calls.js';
import { outcomeOf } from '../../../../src/core/history/historyEntry.js';
import { answered, callOf, entry } from '../../../support/historyEntries.js';

/** Without the time of day. */
const line = (it: Parameters<typeof describeLine>[0]): string => describeLine(it, 'srv').replace(/ · [^·]*$/, '');

describe('a row of the history', () => {
	it('calls the tool as the tree does, by its title and its name, and shows its arguments in short', () => {
		const call = entry(
			callOf({ tool: 'order-tea', title: 'Order Tea', args: { kind: 'mint', sugar: 2, to: ['Ada'] } }),
		);
		assert.deepEqual(
			[describeSubject(call, 'srv'), line(call)],
			['Order Tea · order-tea', 'srv · Canceled · kind: mint, sugar: 2, to: ["Ada"]'],
		);
	});

	it('shows no secrets', () => {
		const schema = { properties: { word: { type: 'string', format: 'password' } } };
		assert.doesNotMatch(line(entry(callOf({ args: { word: 'sesame' }, schema }))), /sesame/);
	});

	it('stays short and on one line, whatever the arguments are', () => {
		const long = 'x'.repeat(100_000);
		for (const args of [
			{ a: long },
			{ [long]: 1 },
			Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`n${i}`, i])),
		]) {
			assert.ok(describeArguments(args).length <= 60);
		}
		assert.equal(describeArguments({ a: 'one\ntwo \u202E' }), 'a: one two \uFFFD');
		assert.equal(describeArguments({}), '');
	});

	it('gives an only argument all the room there is', () => {
		const job = 'wash the dishes, then put all of them into the cupboard';
		assert.equal(describeArguments({ job }), `job: ${job}`);
		assert.equal(describeArguments({ job, n: 1 }), 'job: wash the dishes, then put all…, n: 1');
		assert.equal(describeArguments({ job, n: 1 }, 120), `job: ${job}, n: 1`);
	});

	it('warns of a result that breaks its schema, unless the tool failed anyway', () => {
		const invalid = { schemaCheck: { kind: 'invalid', problems: [], complete: true } } as const;
		const broken = entry(callOf({ end: { ...answered({ structuredContent: {} }), ...invalid } }));
		const failed = entry(callOf({ end: { ...answered({ isError: true }), ...invalid } }));
		const fine = entry(callOf({ end: { ...answered({}), schemaCheck: { kind: 'valid' } } }));
		assert.deepEqual([broken, failed, fine].map(outcomeOf), ['warning', 'failed', 'done']);
		const warnings = [{ kind: 'noise', text: 'debug' }] as const;
		const warned = entry(callOf({ end: { ...answered({}), warnings } }));
		assert.deepEqual([outcomeOf(warned), line(warned)], ['warning', 'srv · Done, with warnings']);
		assert.equal(line(broken), "srv · Done, but the result doesn't match the output schema");
	});
});

describe('the row of a call that runs', () => {
	const call = {
		...callOf({ title: 'Add', args: { a: 1, key: 'sesame' } }),
		id: 'x',
		sentAt: 1000,
	} as unknown as SentCall;
	const textOf = runningText(value => JSON.parse(JSON.stringify(value).replaceAll('sesame', '•••')) as typeof value);

	it('says how long it runs already, and with which arguments', () => {
		const item = runningItem(call, 'srv', textOf(call), false, 13_000);
		assert.deepEqual(
			[item.id, item.label, item.description, item.accessibilityInformation?.label, item.contextValue],
			[
				'x',
				'Add · add',
				'srv · 12 s · a: 1, key: •••',
				'Add · add is running, srv, 12 s, a: 1, key: •••',
				'historyRunning',
			],
		);
	});

	it('says that its server waits for an answer', () => {
		const item = runningItem(call, 'srv', '', true, 13_000);
		assert.equal(item.description, 'srv · Server is waiting for you · 12 s');
		assert.equal((item.iconPath as vscode.ThemeIcon).id, 'question');
	});
});

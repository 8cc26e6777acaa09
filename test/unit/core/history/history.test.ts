// The entries of the history, their order, and the search for them.
import * as assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/errors.js';
import { Interactions } from '../../../../src/core/calls/interactions.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { History } from '../../../../src/core/history/history.js';
import type { LineJournal } from '../../../../src/core/history/history.js';
import { formatEntry, subjectOf } from '../../../../src/core/history/historyEntry.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { TestLogger } from '../../../support/testLogger.js';
import { accepted, answered, asked, callOf, form } from '../../../support/historyEntries.js';

class TestJournal implements LineJournal {
	readonly written: string[] = [];
	contents: Record<string, string[]> = {};
	isCleared = false;
	failure: Error | undefined;

	async append(line: string): Promise<void> {
		if (this.failure) {
			throw this.failure;
		}
		this.written.push(line);
	}

	async files(): Promise<string[]> {
		return Object.keys(this.contents);
	}

	async read(file: string): Promise<string[]> {
		return this.contents[file] ?? [];
	}

	async clear(): Promise<void> {
		this.isCleared = true;
	}
}

describe('reads and questions', () => {
	const { own } = leakCheck();

	it('are reported once, however they end', async () => {
		let answer: () => Promise<unknown>;
		const server = {
			definition: asked.server.definition,
			use: async () => ({ readResource: () => answer() }),
			catalog: { whenLoaded: async () => 'loaded', resources: { kind: 'loaded', items: [{ uri: 'a:b', name: 'b' }] } },
		} as unknown as Server;
		const read = { kind: 'resource', caller: asked.caller, server, uri: 'a:b' } as const;
		const interactions = own(
			new Interactions(
				async () => false,
				() => false,
			),
		);
		const told: unknown[] = [];
		own(interactions.onDidEnd(it => told.push(it.end)));
		const contents = [{ uri: 'a:b', text: 'x' }];
		const error = new Error('gone');
		answer = async () => contents;
		assert.equal(await interactions.read(read), contents);
		assert.equal(await interactions.read({ ...read, caller: { kind: 'person' }, uri: 'a:c' }), contents);
		answer = () => Promise.reject(error);
		await assert.rejects(interactions.read(read), error);
		answer = () => Promise.reject(new AbortError());
		await assert.rejects(interactions.read(read), AbortError);
		await assert.rejects(interactions.read({ ...read, uri: 'a:c' }), { reason: 'unlisted' });
		interactions.report({ ...form, end: accepted });
		assert.deepEqual(told, [
			{ kind: 'answered', result: contents },
			{ kind: 'failed', error },
			{ kind: 'cancelled' },
			{ kind: 'denied' },
			accepted,
		]);
	});
});

describe('the history', () => {
	const { own } = leakCheck();
	let journal: TestJournal;
	let isKept: boolean;

	beforeEach(() => {
		journal = new TestJournal();
		isKept = true;
	});

	const open = (): History =>
		own(new History({ journal, isKept: () => isKept, describeError: String, redact: it => it }));
	const tools = (history: History): string[] => history.entries.map(subjectOf);

	it('shows the newest entry first, and writes each entry once', () => {
		const history = open();
		let changes = 0;
		own(history.onDidChange(() => changes++));
		['a', 'b', 'c'].forEach(tool => history.record(callOf({ tool })));
		assert.deepEqual(tools(history), ['c', 'b', 'a']);
		assert.equal(changes, 3);
		assert.equal(journal.written.length, 3);
		assert.equal(new Set(history.entries.map(it => it.id)).size, 3);
		assert.deepEqual(history.find(history.entries[1]?.id ?? ''), history.entries[1]);
		history.record({ ...callOf({ tool: 'named' }), id: 'of mine' });
		assert.equal(history.entries[0]?.id, 'of mine');
	});

	it('keeps only the decision if the history is turned off', async () => {
		const history = open();
		isKept = false;
		const result = { content: [{ type: 'text', text: 'private' }], isError: true };
		history.record(callOf({ args: { word: 'private' }, end: answered(result) }));
		history.record(callOf({ end: { kind: 'failed', error: new Error('private') } }));
		history.record({ ...form, end: accepted });
		const [asked, failed, called] = history.entries;
		assert.ok(called?.kind === 'call');
		assert.deepEqual(
			[called.decision.isAllowed, called.arguments, called.end, called.isDecisionOnly],
			[true, {}, { kind: 'answered', result: {}, isError: true }, true],
		);
		assert.deepEqual(failed?.end, { kind: 'failed', message: '' });
		assert.deepEqual(asked?.end, { kind: 'answered', result: { action: 'accept' }, isError: false });
		assert.doesNotMatch(journal.written.join(''), /private/);
		journal.contents = { file: journal.written };
		const again = open();
		await again.loadMore();
		assert.deepEqual(again.entries, history.entries);
	});

	it('is exported with all its entries, oldest first', async () => {
		const history = open();
		['c', 'd'].forEach(tool => history.record(callOf({ tool })));
		const [c = '', d = ''] = journal.written;
		const [a, b] = [c, d].map(it => it.replace(/"id":"/, '"id":"old-'));
		journal.contents = { new: [c, d], old: [a ?? '', 'half of a li', b ?? ''] };
		assert.equal(await history.export(), [a, b, c, d].map(it => `${it}\n`).join(''));
		const inMemory = own(
			new History({ journal: undefined, isKept: () => true, describeError: String, redact: it => it }),
		);
		assert.equal(await inMemory.export(), '');
		['c', 'd'].forEach(tool => inMemory.record(callOf({ tool })));
		assert.deepEqual((await inMemory.export()).trimEnd().split('\n'), inMemory.entries.toReversed().map(formatEntry));
	});

	it('loads file by file, skips invalid lines, and shows no entry twice', async () => {
		const before = open();
		const lines = ['a', 'b', 'c', 'd'].map(tool => {
			before.record(callOf({ tool }));
			return journal.written.at(-1) ?? '';
		});
		journal.contents = { new: ['half of a li', ...lines.slice(2)], old: ['{"kind":"dream"}', ...lines.slice(0, 2)] };
		const history = open();
		history.record(callOf({ tool: 'now' }));
		// Entries of this session are in a file too.
		journal.contents['new']?.push(journal.written.at(-1) ?? '');
		assert.equal(history.hasMore, true);
		await history.loadMore();
		assert.deepEqual(tools(history), ['now', 'd', 'c']);
		assert.equal(history.hasMore, true);
		await history.loadMore();
		assert.deepEqual(tools(history), ['now', 'd', 'c', 'b', 'a']);
		assert.equal(history.hasMore, false);
		await history.loadMore();
		assert.equal(history.entries.length, 5);
	});

	it('keeps a limited number of entries in memory, and finds the others in the journal', async () => {
		const history = open();
		for (let count = 0; count < 1500; count++) {
			history.record(callOf({ tool: `t${count}` }));
		}
		assert.equal(history.entries.length, 1000);
		journal.contents = { file: journal.written };
		await history.loadMore();
		assert.deepEqual([history.entries.length, tools(history).at(-1)], [1500, 't0']);
	});

	it('removes all entries, and keeps later ones', async () => {
		journal.contents = { file: [] };
		const history = open();
		history.record(callOf({ tool: 'before' }));
		await history.clear();
		assert.deepEqual([history.entries.length, history.hasMore, journal.isCleared], [0, false, true]);
		history.record(callOf({ tool: 'after' }));
		assert.deepEqual(tools(history), ['after']);
	});

	it('a call does not fail if the journal cannot be written', async () => {
		journal.failure = new Error('the disk is full');
		const history = open();
		const log = new TestLogger();
		history.record(callOf({ log }));
		await new Promise(resolve => {
			setImmediate(resolve);
		});
		assert.equal(history.entries.length, 1);
		assert.deepEqual(log.lines, ['warn: The history could not be written: the disk is full']);
	});
});

// The messages that are kept: pairs of request and answer with what belongs to them, the filter, and files.
import * as assert from 'node:assert/strict';
import type { Exchange } from '../../../../src/core/messages/exchanges.js';
import { Exchanges } from '../../../../src/core/messages/exchanges.js';
import { readMessages, writeMessages } from '../../../../src/core/messages/messageFile.js';
import { parseMessageFilter } from '../../../../src/core/messages/messageFilter.js';
import { MessageList } from '../../../../src/core/messages/messageList.js';
import { MessageRing } from '../../../../src/core/messages/messageRing.js';
import type { MessageSource } from '../../../../src/core/messages/wireRecord.js';
import { AbortError } from '../../../../src/base/errors.js';
import { Redactor } from '../../../../src/core/text/redactor.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { messagesOf } from '../../../support/callMessages.js';
import { releaseTime, setTime, stopTime } from '../../../support/stoppedClock.js';

describe('messages', () => {
	const { own } = leakCheck();
	let ring: MessageRing;
	let redactor: Redactor;
	let source: MessageSource;
	const now = 1000;

	afterEach(releaseTime);
	beforeEach(() => {
		ring = own(new MessageRing());
		redactor = new Redactor();
		source = { id: 'garden', name: 'garden', redactor };
		stopTime(now);
	});

	interface More {
		readonly connection?: number;
		readonly origin?: object;
		readonly streamOf?: number;
		readonly at?: number;
	}

	function pass(direction: 'sent' | 'received', message: unknown, more: More = {}, into = ring): void {
		const { connection = 1, origin, streamOf, at = now } = more;
		setTime(at);
		const recorder = into.recorderFor(source);
		const received = { value: message, text: JSON.stringify(message), requestId: streamOf };
		recorder.message(recorder.open({ connection, direction }), received, origin);
	}
	const ask = (id: number, method = 'tools/call', more: More = {}, params: object = { name: 'water' }): void =>
		pass('sent', { jsonrpc: '2.0', id, method, params }, more);
	const answer = (id: number | string, result: object = {}, more: More = {}): void =>
		pass('received', { jsonrpc: '2.0', id, result }, more);
	const notify = (method: string, params: object, more: More = {}): void =>
		pass('received', { jsonrpc: '2.0', method, params }, more);
	const lose = (id: number, error: unknown): void => {
		const recorder = ring.recorderFor(source);
		recorder.lost(recorder.open({ connection: 1, direction: 'received' }), id, error);
	};
	const exchange = (id: number, status: number): void => {
		const recorder = ring.recorderFor(source);
		const facts = { method: 'POST', url: 'http://x/mcp', requestHeaders: {}, status, headers: {}, ms: 3, id } as const;
		recorder.exchange(recorder.open({ connection: 1, direction: 'sent' }), facts);
	};

	/** A line for each exchange: its method or kind, its target, and how it ended, indented below its parent. */
	const lines = (exchanges: readonly Exchange[] = new Exchanges(ring.records).all, indent = ''): string[] =>
		exchanges.flatMap(it => {
			const { outcome, first, end: last } = it;
			const end = it.isPending
				? 'pending'
				: outcome?.kind === 'error'
					? `error ${outcome.code}`
					: outcome?.kind === 'lost'
						? `lost ${last?.text}`
						: (outcome?.kind ?? '');
			const line = [first.facts.method || first.facts.kind, first.facts.target ?? '', end]
				.filter(part => part !== '')
				.join(' ');
			return [indent + line, ...lines(it.children, `${indent}  `)];
		});

	it('pairs requests with answers, by connection and id, with their durations', () => {
		ask(1);
		ask(2, 'resources/read', {}, { uri: 'demo://a' });
		ask(1, 'ping', { connection: 2 }, {});
		answer(2, { contents: [] }, { at: 1400 });
		answer('1', { content: [], isError: true }, { at: 1250 });
		answer(1, {}, { connection: 2 });
		answer(9);
		assert.deepEqual(lines(), ['tools/call water toolError', 'resources/read demo://a ok', 'ping ok', 'answer ok']);
		assert.deepEqual(
			new Exchanges(ring.records).all.map(it => it.durationMs),
			[250, 400, 0, undefined],
		);
	});

	it('distinguishes errors, requests without an answer, and pending requests', () => {
		ask(1);
		ask(2);
		ask(3);
		pass('received', { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no' } });
		lose(2, 'timeout');
		assert.deepEqual(lines(), [
			'tools/call water error -32602',
			'tools/call water lost timeout',
			'tools/call water pending',
		]);
	});

	it('keeps a request as lost or canceled if its answer arrives late, and keeps the answer', () => {
		ask(1);
		lose(1, new AbortError('stopped'));
		ask(2);
		lose(2, 'timeout');
		answer(1, { content: [] }, { at: 21_000 });
		answer(2);
		assert.deepEqual(lines(), ['tools/call water canceled', 'tools/call water lost timeout']);
		const [canceled] = new Exchanges(ring.records).all;
		assert.deepEqual([canceled?.durationMs, canceled?.late?.facts.kind], [0, 'answer']);
		assert.equal(parseMessageFilter('outcome:canceled')(canceled as Exchange), true);
	});

	it('counts a ping that was answered with an error as OK, and an unanswered ping as lost', () => {
		ask(1, 'ping', {}, {});
		pass('received', { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } });
		ask(2, 'ping', {}, {});
		lose(2, 'timeout');
		assert.deepEqual(lines(), ['ping ok', 'ping lost timeout']);
	});

	it('puts progress, log messages and requests of the server beneath the only running request', () => {
		ask(1);
		ask(2, 'ping', {}, {});
		notify('notifications/progress', { progressToken: 1, progress: 1, message: 'half' });
		notify('notifications/message', { level: 'info', data: 'soil is dry' });
		pass('received', { jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: { message: 'How much?' } });
		pass('sent', { jsonrpc: '2.0', id: 'q', result: { action: 'accept' } });
		notify('notifications/tools/list_changed', {});
		answer(1);
		notify('notifications/message', { level: 'info', data: 'later' });
		assert.deepEqual(lines(), [
			'tools/call water ok',
			'  notifications/progress half',
			'  notifications/message soil is dry',
			'  elicitation/create How much? ok',
			'ping pending',
			'notifications/tools/list_changed',
			'notifications/message later',
		]);
	});

	it('does not guess between two running requests, but follows streams and tasks', () => {
		ask(1);
		ask(2);
		notify('notifications/message', { data: 'whose?' });
		notify('notifications/message', { data: 'of the second' }, { streamOf: 2 });
		answer(1, { task: { taskId: 'T' } });
		pass('received', {
			jsonrpc: '2.0',
			id: 7,
			method: 'sampling/createMessage',
			params: { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'T' } } },
		});
		assert.deepEqual(lines(), [
			'tools/call water task',
			'  sampling/createMessage pending',
			'tools/call water pending',
			'  notifications/message of the second',
			'notifications/message whose?',
		]);
	});

	it('puts retries, rounds of input and polls of a task beneath their first request', () => {
		const origin = { callId: 'c', caller: 'person' };
		ask(1, 'tools/call', { origin });
		answer(1, { resultType: 'input_required' }, { at: 1100 });
		assert.equal(lines()[0], 'tools/call water inputRequired');
		ask(2, 'tools/call', { origin, at: 1200 });
		assert.equal(lines()[0], 'tools/call water pending');
		answer(2, { resultType: 'task', taskId: 'T' }, { at: 1300 });
		ask(3, 'tasks/get', { origin, at: 1400 }, { taskId: 'T' });
		ask(4, 'tools/call');
		answer(3, { content: [] }, { at: 1900 });
		assert.deepEqual(lines(), [
			'tools/call water ok',
			'  tools/call water task',
			'  tasks/get T ok',
			'tools/call water pending',
		]);
		assert.deepEqual(lines(messagesOf(ring, 'c')), lines().slice(0, 3));
		assert.equal(messagesOf(ring, 'c')[0]?.durationMs, 900);
	});

	it('puts HTTP exchanges and cancellations beneath their request, and leaves subscriptions alone', () => {
		ask(1, 'subscriptions/listen', {}, {});
		ask(2);
		exchange(2, 503);
		notify('notifications/resources/updated', { uri: 'demo://a' }, { streamOf: 1 });
		pass('sent', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2, reason: 'cancelled' } });
		lose(2, 'cancelled');
		assert.deepEqual(lines(), [
			'subscriptions/listen pending',
			'tools/call water lost cancelled',
			'  POST http://x/mcp error 503',
			'  notifications/cancelled',
			'notifications/resources/updated demo://a',
		]);
	});

	it('records each message of a batch', () => {
		ask(1);
		ask(2);
		pass('received', [
			{ jsonrpc: '2.0', id: 1, result: {} },
			{ jsonrpc: '2.0', id: 2, result: {} },
		]);
		assert.deepEqual(lines(), ['tools/call water ok', 'tools/call water ok']);
	});

	it('keeps a batch that is nested too deeply to be written again', () => {
		const text = `[${'['.repeat(50_000)}${']'.repeat(50_000)}]`;
		const recorder = ring.recorderFor(source);
		recorder.message(recorder.open({ connection: 1, direction: 'received' }), { text, value: JSON.parse(text) });
		assert.deepEqual(
			ring.records.map(it => [it.facts.kind, it.text]),
			[['other', '(nested too deeply)']],
		);
	});

	it('keeps the latest messages, and only the beginning of a long one', () => {
		const small = own(new MessageRing(10_000));
		for (let id = 1; id <= 3000; id++) {
			pass('sent', { jsonrpc: '2.0', id, method: 'ping' }, {}, small);
		}
		const { records } = small;
		assert.ok(records.length > 10 && records.length < 40, String(records.length));
		assert.equal(records.at(-1)?.facts.id, 3000);
		assert.equal(small.oldest, records[0]?.number);
		assert.deepEqual(
			records.map(it => it.number),
			records.map((_, index) => 3001 - records.length + index),
		);
		const long = { jsonrpc: '2.0', id: 3000, result: { text: 'é'.repeat(300_000) } };
		pass('received', long, {}, ring);
		const [kept] = ring.records;
		assert.deepEqual([kept?.text.length, kept?.size], [64 * 1024, Buffer.byteLength(JSON.stringify(long))]);
		assert.deepEqual([kept?.facts.kind, kept?.facts.outcome], ['answer', { kind: 'ok' }]);
	});

	it('keeps texts as received, alone or in chunks, also when it is full', () => {
		const small = own(new MessageRing(20_000));
		const recorder = small.recorderFor(source);
		const channel = recorder.open({ connection: 1, direction: 'received' });
		const came: string[] = [];
		for (let round = 0; round < 200; round++) {
			setTime(now + round);
			const texts = [1, 2, 3].map(it => JSON.stringify({ method: `${round}`, text: '花é\u{1F339}x'.repeat(it * 9) }));
			const chunk = { text: texts.join('\n') };
			texts.forEach(text => {
				recorder.message(channel, { value: JSON.parse(text), text, chunk, start: chunk.text.indexOf(text) });
				came.push(text);
			});
			recorder.message(channel, { value: {}, text: '{}' });
			came.push('{}');
		}
		const { records } = small;
		assert.ok(records.length > 30, String(records.length));
		assert.deepEqual(
			records.map(it => it.text),
			came.slice(-records.length),
		);
		assert.deepEqual(
			records.slice(-4).map(it => it.time),
			[1199, 1199, 1199, 1199],
		);
	});

	it('filters by text, method, outcome, duration and server', () => {
		ask(1);
		notify('notifications/progress', { progressToken: 1, progress: 1, message: 'Halfway There' });
		answer(1, { content: [] }, { at: 1501 });
		ask(2, 'resources/read', {}, { uri: 'demo://a' });
		lose(2, 'closed');
		ask(3, 'prompts/get', {}, { name: 'plant' });
		const found = (text: string): string[] => {
			const matches = parseMessageFilter(text);
			return new Exchanges(ring.records).all.filter(matches).map(it => it.first.facts.method);
		};
		assert.deepEqual(found(''), ['tools/call', 'resources/read', 'prompts/get']);
		assert.deepEqual(found('halfway'), ['tools/call']);
		assert.deepEqual(found('"halfway there"'), ['tools/call']);
		assert.deepEqual(found('DEMO://A'), ['resources/read']);
		assert.deepEqual(found('method:progress'), ['tools/call']);
		assert.deepEqual(found('method:get name'), ['prompts/get']);
		assert.deepEqual(found('outcome:ok'), ['tools/call']);
		assert.deepEqual(found('outcome:error'), ['resources/read']);
		assert.deepEqual(found('outcome:pending'), ['prompts/get']);
		assert.deepEqual(found('slow:>500'), ['tools/call']);
		assert.deepEqual(found('slow:501'), []);
		assert.deepEqual(found('server:gard'), ['tools/call', 'resources/read', 'prompts/get']);
		assert.deepEqual(found('server:other'), []);
		assert.deepEqual(found('a(b'), []);
		assert.deepEqual(found('-method:prompts'), ['tools/call', 'resources/read']);
		assert.deepEqual(found('-outcome:error -outcome:pending'), ['tools/call']);
		assert.deepEqual(found('-"demo://a" -plant'), ['tools/call']);
		// Progress beneath a call doesn't exclude the call.
		assert.deepEqual(found('-method:progress -server:other'), ['tools/call', 'resources/read', 'prompts/get']);
	});

	it('lists rows that follow new messages, open, and are filtered', () => {
		const list = own(new MessageList(ring, () => true));
		const rows = (): string[] => {
			list.update();
			return list.rows.map(it => `${'  '.repeat(it.depth)}${it.exchange.first.facts.method}`);
		};
		ask(1);
		notify('notifications/progress', { progressToken: 1, progress: 1 });
		assert.deepEqual(rows(), ['tools/call']);
		list.open.add(ring.oldest);
		assert.deepEqual(rows(), ['tools/call', '  notifications/progress']);
		list.filter = parseMessageFilter('outcome:ok');
		assert.deepEqual([rows(), list.count], [[], { all: 1, shown: 0 }]);
		answer(1);
		assert.deepEqual(rows(), ['tools/call', '  notifications/progress']);
		ring.clear();
		assert.deepEqual(rows(), []);
	});

	it('writes a file without secrets, and reads the same exchanges back', () => {
		redactor.hide(['s3cr3t-token']);
		const origin = { callId: 'c', caller: 'model' };
		ask(1, 'tools/call', { origin }, { name: 'water', arguments: { key: 's3cr3t-token' } });
		pass('received', { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
		answer(1, { text: 'x'.repeat(300_000) }, { at: 1200 });
		ask(2, 'tools/call', { origin });
		lose(2, 'the token s3cr3t-token was refused');
		exchange(2, 200);
		const pretty = '{\n "jsonrpc": "2.0",\n "method": "x",\n "params": { "n": 1.0 } }';
		const recorder = ring.recorderFor(source);
		recorder.message(recorder.open({ connection: 1, direction: 'received' }), {
			text: pretty,
			value: JSON.parse(pretty),
		});
		const file = writeMessages(ring.records, it => redactor.data(it));
		assert.equal(file.includes('s3cr3t'), false);
		assert.equal(file.split('\n')[0], '{"format":"mcp-workbench-messages","version":1}');
		assert.ok(file.split('\n').every(it => it === '' || JSON.parse(it)));
		const read = readMessages(file);
		assert.ok(read);
		assert.deepEqual(
			lines(new Exchanges(read).all),
			lines().map(it => it.replace('s3cr3t-token', '<redacted>')),
		);
		assert.equal(read.at(-1)?.text, pretty);
		assert.deepEqual(
			read.map(it => [it.time, it.more.fullSize, it.text]),
			ring.records.map(it => [it.time, it.more.fullSize, redactor.text(it.text)]),
		);
		assert.equal(readMessages('{"format":"other"}\n'), undefined);
		assert.deepEqual(readMessages(`${file.split('\n', 1)[0]}\n{"time":1}\nno JSON\n`), []);
	});
});

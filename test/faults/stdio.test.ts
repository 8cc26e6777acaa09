// Servers that do what they must not, one fault each, as real processes under a whole client. What a transport makes of
// crashes, noise and long lines by itself is in test/pipes/node/process/stdioTransport.test.ts; ends that take signals too.
import * as assert from 'node:assert/strict';
import type { Client } from '../../src/mcp/index.js';
import { call, closed, invalid, callTimeoutMs, right, timedOut, tooLarge } from '../support/faults/expected.js';
import { defineStdioFaults, type StdioFault } from '../support/faults/stdioFaults.js';

const fault = (name: string, ...args: string[]): StdioFault['server'] => ['faults', name, ...args];

/** Each reads every page. */
const lists: Readonly<Record<string, (client: Client) => Promise<readonly unknown[]>>> = {
	'tools/list': client => client.listTools(),
	'resources/list': client => client.listResources(),
	'resources/templates/list': client => client.listResourceTemplates(),
	'prompts/list': client => client.listPrompts(),
};

defineStdioFaults('faults of servers on stdio', [
	{ name: 'crash at the start', server: ['crashAtStart'], connecting: closed },
	{ name: 'crash in the middle of the first message', server: ['crashMidMessage'], connecting: closed },
	{ name: 'exit without an answer', server: ['exitInHandshake'], connecting: closed },
	{ name: 'crash in the middle of a message', server: fault('crashMidMessage'), asked: closed, again: closed },
	{
		name: 'silence from the beginning',
		server: ['silent'],
		options: { timeoutMs: callTimeoutMs, probeMs: 50 },
		connecting: timedOut('initialize'),
	},
	{ name: 'silence', server: fault('silence'), isSilent: true, asked: timedOut('tools/call') },
	{ name: 'a slow start', server: fault('lateHandshake'), options: { probeMs: 10 }, asked: right },
	{
		name: 'stdout closed, but alive',
		server: fault('closesStdout'),
		asked: closed,
		again: closed,
	},
	{
		name: 'garbage around the answer',
		server: fault('garbage'),
		asked: right,
		look: ({ noise }) => assert.ok(noise.includes('GET / HTTP/1.1') && noise.includes('"'), noise.join()),
	},
	{
		name: 'half a character, and the end',
		server: fault('halfCharacter'),
		asked: right,
		again: closed,
		look: ({ noise }) => assert.deepEqual(noise, ['"\uFFFD']),
	},
	{ name: 'characters in single bytes', server: fault('splitCharacter'), asked: { value: 'ä漢😀' } },
	{
		name: 'a line of 50 MB',
		server: fault('huge'),
		asked: { value: 50 * 1024 * 1024 },
	},
	{
		name: 'a line of 50 MB, past the limit',
		server: fault('huge'),
		transport: { maxMessageBytes: 10 * 1024 * 1024 },
		asked: tooLarge(10 * 1024 * 1024),
	},
	{
		name: 'a flood of notifications',
		server: fault('flood', '20000'),
		asked: right,
		look: ({ log, logged }) => {
			// A second more may pass for each second that it takes.
			assert.ok(logged >= 5000 && logged < 20_000, `${logged} let through`);
			assert.match(log.lines.join('\n'), /warn: Dropped \d+ notifications/);
		},
	},
	{
		name: 'a flood of requests, and no answer is read',
		server: fault('asksAndDoesNotRead'),
		asked: right,
		look: ({ log }) => assert.match(log.lines.join('\n'), /warn: Left a request of the server unanswered/),
	},
	{ name: 'wrong ids', server: fault('wrongIds'), isSilent: true, asked: timedOut('tools/call') },
	{ name: 'several answers to one request', server: fault('duplicateIds'), asked: right },
	{ name: 'no id', server: fault('missingId'), isSilent: true, asked: timedOut('tools/call') },
	{ name: 'a question under our id', server: fault('callsItself'), asked: right },
	{ name: 'result and error together', server: fault('resultAndError'), asked: invalid('both result and error') },
	{ name: 'our number as a string', server: fault('idAsString'), asked: right },
	{ name: 'an answer in an array, where there are no batches', server: fault('batch'), asked: right },
	{ name: 'a result that is none', server: fault('resultOfWrongType'), asked: invalid('result is not an object') },
	{
		name: 'an error that is none',
		server: fault('errorOfWrongType'),
		asked: invalid('error without a numeric code and a message'),
	},
	...Object.entries(lists).map(([method, list]): StdioFault => ({
		name: `cursors in a circle, ${method}`,
		server: fault('cyclicCursors'),
		ask: async client => {
			let sent = 0;
			const counting = client.onDidTransfer(it => (sent += it.kind === 'message' && it.direction === 'sent' ? 1 : 0));
			const { length } = await list(client);
			counting.dispose();
			return [length, sent];
		},
		// The third page repeats the tool of the first one.
		asked: { value: [method === 'tools/list' ? 2 : 3, 3] },
	})),
	...['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18'].map(version => ({
		name: `revision ${version}`,
		server: fault(`version=${version}`),
		ask: async (client: Client) => [client.session.protocolVersion, await call(client)],
		asked: { value: [version, 'right'] },
	})),
	...['1999-01-01', '2026-07-28', '', '__proto__'].map(version => ({
		name: `the unknown revision ${JSON.stringify(version)}`,
		server: fault(`version=${version}`),
		connecting: { failure: { code: 'unsupportedVersion', version } } as const,
	})),
	{
		name: 'an end that takes its time',
		server: ['slowExit'],
		ask: async client => client.session.serverInfo.name,
		asked: { value: 'fixture' },
	},
]);

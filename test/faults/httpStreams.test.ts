// Event streams that say nothing, break, or say what they must not.
import * as assert from 'node:assert/strict';
import { network, callTimeoutMs, right, timedOut } from '../support/faults/expected.js';
import { answerTo, defineHttpFaults, type Script } from '../support/faults/httpFaults.js';
import { type Asked, event, sse } from '../support/httpServer.js';

const logged = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'again' } };
const isResumption = ({ headers }: Asked): boolean => headers['last-event-id'] !== undefined;

/** The answer to the call, wherever it comes: the second request of a session. */
const answered = { jsonrpc: '2.0', id: 3, result: { content: [{ type: 'text', text: 'right' }] } };

/** What is said when a stream is taken up again; `turn` counts from 1. */
function resumed(say: (turn: number) => string): Script {
	let turn = 0;
	return (asked, response) => {
		if (!isResumption(asked)) {
			return undefined;
		}
		sse(response);
		response.end(say(++turn));
		return true;
	};
}

defineHttpFaults('faults of event streams', [
	{
		name: 'an event stream that says nothing',
		call: (_, response) => sse(response),
		isSilent: true,
		asked: timedOut('tools/call'),
	},
	{
		name: 'an event stream that says nothing, again and again',
		call: (_, response) => {
			sse(response);
			const timer = setInterval(() => response.write(': still here\n\n'), 20);
			timer.unref();
			response.on('close', () => clearInterval(timer));
		},
		isSilent: true,
		asked: timedOut('tools/call'),
	},
	{
		name: 'an event stream that ends before the answer',
		call: (_, response) => {
			sse(response);
			response.end('data: {"jsonrpc":"2.0","method":"notifications/x"}\n\ndata: {"id":');
		},
		asked: network('the stream ended before the answer'),
	},
	{
		name: 'garbage around the answer of an event stream',
		call: (asked, response) => {
			sse(response);
			response.end(`\0\ndata: {\n\ndata: []\n\nid\ndata: "\n\n${event(answerTo(asked))}data: {"jsonrpc"`);
		},
		asked: right,
	},
	{
		name: 'half a character at the end of an event stream',
		call: (asked, response) => {
			sse(response);
			response.write(event(answerTo(asked)));
			response.end(Buffer.from([0x64, 0xc3]));
		},
		asked: right,
	},
	{
		name: 'an event stream cut in the middle of the answer',
		call: (asked, response) => {
			sse(response);
			const text = event(answerTo(asked));
			response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
		},
		asked: network('the stream ended before the answer'),
	},
	{
		name: 'wrong ids on an event stream',
		call: (asked, response) => {
			sse(response);
			response.end([1000, `0${asked.message.id}`, null].map(id => event({ ...answerTo(asked), id })).join(''));
		},
		asked: network('the stream ended before the answer'),
	},
	{
		name: 'a GET stream that goes mad',
		any: (asked, response) => {
			if (asked.method !== 'GET') {
				return undefined;
			}
			sse(response);
			response.end(`${event('x')}\0\r\r\n: \ndata: [[[\n\n${event(null)}`);
			return true;
		},
		asked: right,
	},
	{
		name: 'an event stream cut in the middle of a character of the answer',
		call: (asked, response) => {
			sse(response);
			const bytes = Buffer.from(event(answerTo(asked, 'ä')));
			response.end(bytes.subarray(0, bytes.indexOf(0xc3) + 1));
		},
		asked: network('the stream ended before the answer'),
	},
	{
		name: 'a wait of eleven days before the stream may be taken up again',
		call: (_, response) => {
			sse(response);
			response.end('id: e1\nretry: 999999999\ndata:\n\n');
		},
		isSilent: true,
		asked: timedOut('tools/call'),
		look: ({ server }) => assert.equal(server.asked.filter(isResumption).length, 0),
	},
	{
		name: 'a wait that is no number of milliseconds',
		call: (_, response) => {
			sse(response);
			response.end('retry: -1\nid: e1\nretry: 1e9\nretry: 99999999999999999999\ndata:\n\n');
		},
		any: resumed(() => event(answered, 'e2')),
		asked: right,
	},
	{
		name: 'old events again and again, before the answer',
		call: (_, response) => {
			sse(response);
			response.end(event(logged, 'e1') + event(logged, 'e2'));
		},
		any: resumed(turn =>
			turn < 6 ? event(logged, 'e1') + event(logged, 'e2') : event(logged, 'e2') + event(answered, 'e3'),
		),
		asked: right,
		look: ({ logged: count }) => assert.equal(count, 2),
	},
	{
		name: 'old events for ever, and no wait between them',
		call: (_, response) => {
			sse(response);
			response.end(`retry: 0\n${event(logged, 'e1')}`);
		},
		any: resumed(() => event(logged, 'e1')),
		isSilent: true,
		asked: timedOut('tools/call'),
		look: ({ server, logged: count }) => {
			const resumptions = server.asked.filter(isResumption).length;
			// Every 10 ms, which is what this transport waits by itself.
			assert.ok(resumptions > 1 && resumptions <= callTimeoutMs / 10, `${resumptions} in ${callTimeoutMs} ms`);
			assert.equal(count, 1);
		},
	},
	{
		name: 'a GET stream that ends at once again and again, and wants no wait',
		any: (asked, response) => {
			if (asked.method !== 'GET') {
				return undefined;
			}
			sse(response);
			response.end('retry: 0\n\n');
			return true;
		},
		isSilent: true,
		call: () => undefined,
		asked: timedOut('tools/call'),
		look: ({ server }) => {
			const streams = server.asked.filter(it => it.method === 'GET').length;
			assert.ok(streams > 1 && streams <= 10 + callTimeoutMs / 10, `${streams} in ${callTimeoutMs} ms`);
		},
	},
]);

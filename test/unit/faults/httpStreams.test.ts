// Event streams that say nothing, break, or say what they must not.
import { network, right, timedOut } from '../../support/faults/expected.js';
import { answerTo, defineHttpFaults } from '../../support/faults/httpFaults.js';
import { event, sse } from '../../support/httpServer.js';

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
			response.end([1000, String(asked.message.id), null].map(id => event({ ...answerTo(asked), id })).join(''));
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
]);

// Servers over HTTP that break off, keep silent or speak no HTTP. What the transport makes of statuses, broken streams
// and redirects by itself is in test/pipes/mcp/transport/streamableHttp.test.ts.
import type { ServerResponse } from 'node:http';
import { invalid, network, callTimeoutMs, right, timedOut } from '../support/faults/expected.js';
import { answerTo, defineHttpFaults } from '../support/faults/httpFaults.js';

/** Past Node's HTTP: the bytes as they are. */
function raw(response: ServerResponse, text: string | Buffer, ends = true): void {
	response.socket?.write(text);
	if (ends) {
		response.socket?.end();
	}
}

function head(fields: Readonly<Record<string, string | number>>, status = '200 OK'): string {
	const lines = Object.entries({ 'content-type': 'application/json', ...fields }).map(
		([name, value]) => `${name}: ${value}`,
	);
	return `HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n`;
}

defineHttpFaults('faults of connections over HTTP', [
	{
		name: 'crash in the middle of a message',
		call: (_, response) => raw(response, `${head({ 'content-length': 1000 })}{"jsonrpc":`),
		asked: network('ECONNRESET'),
	},
	{ name: 'crash before the head', call: (_, { socket }) => socket?.destroy(), asked: network('ECONNRESET') },
	{
		name: 'silence from the beginning',
		any: () => true,
		options: { timeoutMs: callTimeoutMs },
		connecting: timedOut('initialize'),
	},
	{
		name: 'no answer to notifications/initialized',
		any: ({ message }) => (message.method === 'notifications/initialized' ? true : undefined),
		options: { timeoutMs: 1000, mode: 'legacy' },
		asked: right,
	},
	{ name: 'silence', call: () => undefined, isSilent: true, asked: timedOut('tools/call') },
	{
		name: 'a JSON body that stops half-way',
		call: (_, response) => raw(response, `${head({ 'content-length': 1000 })}{"jsonrpc":`, false),
		isSilent: true,
		asked: timedOut('tools/call'),
	},
	{
		name: 'no HTTP at all',
		call: (_, response) => raw(response, 'what?\r\n\r\n'),
		asked: network('HPE_INVALID_CONSTANT'),
	},
	{
		name: 'every connection closed after its answer, as announced',
		any: (_, response) => void response.setHeader('connection', 'close'),
		asked: right,
	},
	{
		name: 'more Content-Length than content, and the end',
		call: (asked, response) => raw(response, head({ 'content-length': 1000 }) + JSON.stringify(answerTo(asked))),
		asked: network('ECONNRESET'),
	},
	{
		name: 'more content than Content-Length',
		call: (asked, response) => raw(response, head({ 'content-length': 20 }) + JSON.stringify(answerTo(asked)), false),
		asked: invalid('not a JSON-RPC message'),
	},
	{
		name: 'two Content-Lengths',
		call: (_, response) => raw(response, `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} `),
		asked: network('HPE_UNEXPECTED_CONTENT_LENGTH'),
	},
	{
		name: 'huge headers',
		call: (_, response) => raw(response, head({ 'x-huge': 'x'.repeat(100_000), 'content-length': 2 })),
		asked: network('HPE_HEADER_OVERFLOW'),
	},
]);

// HTTP bodies that are too large, invalid, or not of their declared type.
import { gzipSync } from 'node:zlib';
import { invalid, network, refused, tooLarge } from '../support/faults/expected.js';
import { answerTo, defineHttpFaults, type HttpFault, type Script } from '../support/faults/httpFaults.js';
import { type Asked, json } from '../support/httpServer.js';

const MB = 1024 * 1024;

/** A compressed JSON answer, followed by `bombMb` megabytes of spaces, which take about a kilobyte each. */
function gzipped(asked: Asked, bombMb = 0): Buffer {
	const blanks = gzipSync(Buffer.alloc(MB, ' '));
	return Buffer.concat([gzipSync(JSON.stringify(answerTo(asked))), ...Array.from({ length: bombMb }, () => blanks)]);
}

defineHttpFaults('faults of content over HTTP', [
	{
		name: 'garbage instead of JSON',
		call: (_, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(Buffer.from([0xff, 0xfe, 0, 1]));
		},
		asked: invalid('not a JSON-RPC message'),
	},
	{
		name: 'half a character at the end of JSON',
		call: (asked, response) => {
			const bytes = Buffer.from(JSON.stringify(answerTo(asked, 'ä')));
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(bytes.subarray(0, bytes.indexOf(0xc3) + 1));
		},
		asked: invalid('not a JSON-RPC message'),
	},
	...(['application/json', 'text/event-stream'] as const).flatMap((type): HttpFault[] => {
		const huge: Script = (asked, response) => {
			response.writeHead(200, { 'content-type': type });
			const text = JSON.stringify(answerTo(asked, 'x'.repeat(50 * MB)));
			response.end(type === 'application/json' ? text : `data: ${text}\n\n`);
		};
		return [
			{ name: `50 MB of ${type}`, call: huge, asked: { value: 50 * MB } },
			{ name: `50 MB of ${type}, past the limit`, call: huge, maxMessageBytes: 10 * MB, asked: tooLarge(10 * MB) },
		];
	}),
	{
		name: 'truncated gzip',
		call: (asked, response) => {
			response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
			response.end(gzipped(asked).subarray(0, -20));
		},
		asked: invalid('not a JSON-RPC message'),
	},
	{
		name: 'gzip that is none',
		call: (asked, response) => json(response, answerTo(asked), 200, { 'content-encoding': 'gzip' }),
		asked: network('Z_DATA_ERROR'),
	},
	{
		name: 'a bomb of gzip: a gigabyte in a megabyte',
		call: (asked, response) => {
			response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
			response.end(gzipped(asked, 1024));
		},
		asked: tooLarge(64 * MB),
	},
	{
		name: 'a bomb of gzip with an error',
		call: (asked, response) => {
			response.writeHead(500, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
			response.end(gzipped(asked, 1024));
		},
		asked: refused(500),
	},
]);

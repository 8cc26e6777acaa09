/**
 * The server that all clients talk to: plain Node, and as much as possible made before it is asked for.
 * node server.js stdio|http <catalogue>; over HTTP it prints its address and ends with its parent.
 */
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { type CatalogueName, catalogues, notification, structuredContent } from './catalogue.js';

interface Request {
	readonly id?: number;
	readonly method: string;
	readonly params?: {
		readonly protocolVersion?: string;
		readonly cursor?: string;
		readonly name?: string;
		readonly notifications?: { readonly resourceSubscriptions?: readonly string[] };
		readonly arguments?: { readonly size?: number; readonly count?: number };
	};
}

interface Answer {
	/** JSON of the result, in one piece or several. */
	readonly result: readonly (string | Buffer)[];
	/** So many notifications come first. */
	readonly notifications?: number;
}

const [, , over = 'stdio', catalogue = 'small'] = process.argv;
const pages = catalogues[catalogue as CatalogueName]();
const small = '{"content":[{"type":"text","text":"The answer of a tool is mostly one short text."}]}';
const structured = `{"content":[],"structuredContent":${JSON.stringify(structuredContent)}}`;
const discovery = {
	resultType: 'complete',
	supportedVersions: ['2026-07-28'],
	capabilities: { resources: { subscribe: true } },
	_meta: { 'io.modelcontextprotocol/serverInfo': { name: 'bench', version: '1.0.0' } },
};
const made = new Map<string, Buffer>();

/** Makes it once. */
function remember(key: string, make: () => Buffer): Buffer {
	const known = made.get(key) ?? make();
	made.set(key, known);
	return known;
}

function answer({ method, params = {} }: Request): Answer {
	switch (method) {
		case 'initialize':
			return {
				result: [
					JSON.stringify({
						protocolVersion: params.protocolVersion,
						capabilities: { tools: {}, resources: {}, logging: {} },
						serverInfo: { name: 'bench', version: '1.0.0' },
					}),
				],
			};
		case 'server/discover':
			return { result: [JSON.stringify(discovery)] };
		case 'tools/list':
		case 'resources/list':
			return { result: [pages[Number(params.cursor ?? 0)] ?? '{}'] };
		case 'tools/call':
			return callTool(params.name ?? '', params.arguments ?? {});
		default:
			return { result: ['{}'] };
	}
}

function callTool(name: string, { size = 0, count = 0 }: { size?: number; count?: number }): Answer {
	if (name.startsWith('structured_')) {
		return { result: [structured] };
	}
	switch (name) {
		case 'large':
			return {
				result: [
					'{"content":[{"type":"text","text":"',
					remember(`text ${size}`, () => Buffer.alloc(size, 'All work and no play. ')),
					'"}]}',
				],
			};
		case 'notify':
			return { result: [small], notifications: count };
		default:
			return { result: [small] };
	}
}

function serveStdio(): void {
	createInterface({ input: process.stdin })
		.on('line', line => {
			const request = JSON.parse(line) as Request;
			if (request.id === undefined) {
				return;
			}
			const { result, notifications = 0 } = answer(request);
			if (notifications > 0) {
				process.stdout.write(
					remember(`lines ${notifications}`, () => Buffer.from(`${notification}\n`.repeat(notifications))),
				);
			}
			const [first = '', ...rest] = result;
			// One write where it is small: two would be two reads for the client.
			const head = `{"jsonrpc":"2.0","id":${request.id},"result":`;
			if (rest.length === 0) {
				process.stdout.write(`${head}${first.toString()}}\n`);
				return;
			}
			for (const part of [head, first, ...rest, '}\n']) {
				process.stdout.write(part);
			}
		})
		.on('close', () => process.exit());
}

function serveHttp(): void {
	const server = http.createServer((request, response) => {
		if (request.method !== 'POST') {
			// No stream of its own, no session to end.
			response.writeHead(405).end();
			return;
		}
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => respond(JSON.parse(Buffer.concat(chunks).toString()) as Request, response));
	});
	// A client that was idle between two rounds must not begin with a connection that is being closed.
	server.keepAliveTimeout = 0;
	server.listen(0, '127.0.0.1', () => {
		process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`);
	});
	process.stdin.resume().on('end', () => process.exit());
}

function respond(request: Request, response: http.ServerResponse): void {
	if (request.id === undefined) {
		response.writeHead(202).end();
		return;
	}
	const [uri] = request.params?.notifications?.resourceSubscriptions ?? [];
	if (request.method === 'subscriptions/listen') {
		sendUpdates(request.id, uri, response);
		return;
	}
	const { result, notifications = 0 } = answer(request);
	const text = `{"jsonrpc":"2.0","id":${request.id},"result":${result.join('')}}`;
	if (notifications === 0) {
		response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
		response.end(text);
		return;
	}
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	const events = remember(`events ${notifications}`, () =>
		Buffer.from(`event: message\ndata: ${notification}\n\n`.repeat(notifications)),
	);
	response.write(events);
	response.end(`event: message\ndata: ${text}\n\n`);
}

/** The acknowledgement, and as many updates as the URI says. */
function sendUpdates(id: number, uri: string | undefined, response: http.ServerResponse): void {
	const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
	const event = (method: string, params: object): string =>
		`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, _meta } })}\n\n`;
	const notifications = { resourceSubscriptions: uri === undefined ? [] : [uri] };
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	response.write(event('notifications/subscriptions/acknowledged', { notifications }));
	if (uri !== undefined) {
		response.write(event('notifications/resources/updated', { uri }).repeat(Number(/\d+$/.exec(uri)?.[0] ?? 0)));
	}
}

if (over === 'http') {
	serveHttp();
} else {
	serveStdio();
}

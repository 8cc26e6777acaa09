/**
 * Where a browser of this machine is sent back to, or led on from: pages on 127.0.0.1 that live as long as one sign-in.
 * RFC 8252, 7.3: the address and not the name `localhost`, and whatever port is free.
 */
// By the one name that the bundle has for it; see httpFetch.ts.
// oxlint-disable-next-line unicorn/prefer-node-protocol
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'http';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Disposable } from '../../base/lifecycle.js';

const host = '127.0.0.1';
const path = '/callback';
/** Longer than any answer of an authorization server; nobody else has anything to say. */
const maxHeaderSize = 32 * 1024;

/** A page that is listened at. */
export interface LoopbackPage extends Disposable {
	/** Its URL, as it is registered. */
	readonly uri: string;
}

/**
 * @param preferred a URL that such a page had before; its port is taken if it is free
 * @param answer told of every URL that the browser came with; gives the HTML that the person sees
 * @throws any error of the system if nothing can be listened at
 */
export async function openLoopbackPage(
	preferred: string | undefined,
	answer: (returned: URL) => string,
): Promise<LoopbackPage> {
	const server = createServer({ maxHeaderSize, requestTimeout: 10_000 }, (request, response) => {
		respond(request, response, uri, answer);
	});
	const listen = (port: number): Promise<number> => listenAt(server, port);
	const before = portOf(preferred);
	const port = await (before === undefined ? listen(0) : listen(before).catch(() => listen(0)));
	const uri = `http://${host}:${port}${path}`;
	return { uri, dispose: () => end(server) };
}

/**
 * A page that leads a browser on, for editors that change what they open (`editor/auth/pages.ts`). Only who was told its
 * address gets there, by whatever name: a proxy may stand between.
 * @param to any URL
 * @throws any error of the system if nothing can be listened at
 */
export async function openDetour(to: string): Promise<LoopbackPage> {
	const own = `/${randomUUID()}`;
	const server = createServer({ maxHeaderSize, requestTimeout: 10_000 }, (request, response) => {
		request.resume();
		const isOurs = request.method === 'GET' && request.url === own;
		const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', connection: 'close' };
		response.writeHead(isOurs ? 302 : 404, isOurs ? { ...headers, location: to } : headers).end();
	});
	const port = await listenAt(server, 0);
	return { uri: `http://${host}:${port}${own}`, dispose: () => end(server) };
}

async function listenAt(server: Server, port: number): Promise<number> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen({ port, host, exclusive: true }, () => {
			server.off('error', reject);
			resolve();
		});
	});
	server.on('error', () => undefined);
	return (server.address() as AddressInfo).port;
}

function end(server: Server): void {
	server.close();
	// The page that says so is on its way to the browser, which asks to close the connection.
	server.closeIdleConnections();
}

function respond(
	request: IncomingMessage,
	response: ServerResponse,
	uri: string,
	answer: (returned: URL) => string,
): void {
	request.resume();
	const { host: named } = request.headers;
	const target = request.url?.startsWith('/') === true ? new URL(uri).origin + request.url : undefined;
	// Another name for this machine is a page of somebody else that tries.
	if (request.method !== 'GET' || named !== new URL(uri).host || target === undefined || !URL.canParse(target)) {
		response.writeHead(400, { connection: 'close' }).end();
		return;
	}
	const returned = new URL(target);
	if (returned.pathname !== path) {
		response.writeHead(404, { connection: 'close' }).end();
		return;
	}
	response
		.writeHead(200, {
			'content-type': 'text/html; charset=utf-8',
			'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
			'x-content-type-options': 'nosniff',
			connection: 'close',
		})
		.end(answer(returned));
}

/** Of a page that was ours, and of no other. */
function portOf(preferred: string | undefined): number | undefined {
	const [, port] = /^http:\/\/127\.0\.0\.1:(\d{1,5})\/callback$/.exec(preferred ?? '') ?? [];
	const number = Number(port);
	return port !== undefined && number > 0 && number < 65_536 ? number : undefined;
}

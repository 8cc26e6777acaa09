/**
 * Pages on the loopback interface for one sign-in: the redirect URI, and a page that forwards the browser. RFC 8252, 7.3:
 * the address 127.0.0.1 is used instead of the name `localhost`, with any free port, unless the person has configured a URI.
 */
// The same name as in httpFetch.ts, so that the bundle loads one module.
// oxlint-disable-next-line unicorn/prefer-node-protocol
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'http';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Disposable } from '../../base/lifecycle.js';

const host = '127.0.0.1';
const callback = '/callback';
/** Bytes; redirects of authorization servers are shorter. */
const maxHeaderSize = 32 * 1024;

/** A page that is served until it is disposed. */
export interface LoopbackPage extends Disposable {
	/** The URL of the page; also the redirect URI to register. */
	readonly uri: string;
}

/**
 * Serves a redirect URI. The caller disposes the page.
 * @param preferred the redirect URI of an earlier page, whose port is used if it is free
 * @param answer called with every URL that the browser requests; returns the HTML of the response
 * @param tail the end of the path of the URI: empty, or begins with `/`
 * @param fixed a redirect URI with a loopback host and a port, which is the only one that is tried
 * @throws any error of the system if no port can be opened
 */
export async function openLoopbackPage(
	preferred: string | undefined,
	answer: (returned: URL) => string,
	tail = '',
	fixed?: string,
): Promise<LoopbackPage> {
	if (fixed !== undefined) {
		return openFixedPage(fixed, answer);
	}
	const server = pageServer(() => uri, answer);
	const listen = (port: number): Promise<number> => listenAt(server, port);
	const before = portOf(preferred);
	const port = await (before === undefined ? listen(0) : listen(before).catch(() => listen(0)));
	const uri = `http://${host}:${port}${callback}${tail}`;
	return { uri, dispose: () => end(server) };
}

/** The addresses of each host. A browser may try either address of `localhost`, so no other program may listen at the other. */
const addresses: Readonly<Record<string, readonly string[]>> = {
	localhost: [host, '::1'],
	[host]: [host],
	'[::1]': ['::1'],
};

async function openFixedPage(uri: string, answer: (returned: URL) => string): Promise<LoopbackPage> {
	const { hostname, port } = new URL(uri);
	const servers: Server[] = [];
	const dispose = (): void => servers.forEach(end);
	for (const address of addresses[hostname] ?? []) {
		const server = pageServer(() => uri, answer);
		try {
			// The URL parser drops port 80.
			await listenAt(server, Number(port || 80), address);
			servers.push(server);
		} catch (error) {
			// A machine without IPv6 has no address ::1.
			if (servers.length === 0 || (error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
				dispose();
				throw error;
			}
		}
	}
	return { uri, dispose };
}

function pageServer(uri: () => string, answer: (returned: URL) => string): Server {
	return createServer({ maxHeaderSize, requestTimeout: 10_000 }, (request, response) => {
		respond(request, response, uri(), answer);
	});
}

/**
 * Serves a page that redirects the browser to a URL, for editors that alter the URLs they open
 * (`editor/auth/externalBrowser.ts`). The path is secret; the host name is not checked, because a proxy may change it. The
 * caller disposes the page.
 * @throws any error of the system if no port can be opened
 */
export async function openForwardingPage(to: string): Promise<LoopbackPage> {
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

async function listenAt(server: Server, port: number, address = host): Promise<number> {
	server.listen({ port, host: address, exclusive: true });
	await once(server, 'listening');
	server.on('error', () => undefined);
	return (server.address() as AddressInfo).port;
}

function end(server: Server): void {
	server.close();
	// The connection with the last response stays open until the response is sent, which then closes it.
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
	// A `Host` with another name comes from a foreign web page (DNS rebinding).
	if (request.method !== 'GET' || named !== new URL(uri).host || target === undefined || !URL.canParse(target)) {
		response.writeHead(400, { connection: 'close' }).end();
		return;
	}
	const returned = new URL(target);
	if (returned.pathname !== new URL(uri).pathname) {
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

/** The port of an earlier redirect URI of ours. */
function portOf(preferred: string | undefined): number | undefined {
	const [, port] = /^http:\/\/127\.0\.0\.1:(\d{1,5})\/callback(?:\/\w+)?$/.exec(preferred ?? '') ?? [];
	const number = Number(port);
	return port !== undefined && number > 0 && number < 65_536 ? number : undefined;
}

/**
 * HTTP on Node's own modules with keep-alive, which needs about a third of the CPU time of the global `fetch`. They are
 * imported as `http` and `https`: under these names the editor provides versions that use the person's proxy and
 * certificates. Editors from 1.99 to 1.139 patch `node:http` as well, but don't promise to.
 */
// oxlint-disable-next-line unicorn/prefer-node-protocol -- see above
import * as http from 'http';
// oxlint-disable-next-line unicorn/prefer-node-protocol -- see above
import * as https from 'https';
import { AbortError } from '../../base/errors.js';
import type { Disposable } from '../../base/lifecycle.js';
import { type HttpFetch, type HttpRequest, type HttpResponse, McpError } from '../../mcp/index.js';
import { NodeResponse } from './nodeResponse.js';

export interface HttpFetchOptions {
	/** The default `User-Agent`. Firewalls of some servers refuse requests without this header (RFC 9110, 10.1.5). */
	readonly userAgent?: string;
}

/**
 * Milliseconds that an idle connection is kept. Common servers close it after five seconds; a request at that moment would
 * fail, and a POST must not be repeated because it may have been executed.
 */
const idleMs = 4000;
const acceptedCodings = 'gzip, br';

interface Target {
	readonly request: typeof http.request;
	readonly isSafe: boolean;
	readonly options: http.RequestOptions;
}

/** Implements the `HttpFetch` port. Disposing it closes every connection. */
export interface NodeHttpFetch extends HttpFetch, Disposable {
	/** Closes idle connections, which may be dead after the computer has slept. */
	closeIdle(): void;
}

/** The caller disposes the result. */
export function createHttpFetch(options: HttpFetchOptions = {}): NodeHttpFetch {
	const { userAgent = 'mcp-workbench' } = options;
	const agentOptions = { keepAlive: true, timeout: idleMs };
	const agents = { http: new http.Agent(agentOptions), https: new https.Agent(agentOptions) };
	/** The target of the last request; most requests go to the same server. */
	let last: { readonly url: string; readonly target: Target } | undefined;
	const fetch = (request: HttpRequest): Promise<HttpResponse> =>
		new Promise((resolve, reject) => {
			if (last?.url !== request.url) {
				last = { url: request.url, target: requestTarget(new URL(request.url), agents) };
			}
			send(last.target, request, userAgent, reject, message => {
				const response = new NodeResponse(message);
				request.abort.setStop(() => response.stop(new AbortError()));
				resolve(response);
			});
		});
	const dispose = (): void => {
		agents.http.destroy();
		agents.https.destroy();
	};
	const closeIdle = (): void => {
		for (const { freeSockets } of [agents.http, agents.https]) {
			Object.values(freeSockets).forEach(sockets => sockets?.forEach(it => it.destroy()));
		}
	};
	return Object.assign(fetch, { dispose, closeIdle });
}

/** The path of a named pipe for Node: both `pipe:///pipe/name` and `pipe:////./pipe/name` mean `\\.\pipe\name`. */
export function pipePath(url: URL): string {
	return `\\\\.\\${decodeURIComponent(url.pathname).replace(/^\/+/, '').replaceAll('/', '\\')}`;
}

function requestTarget(url: URL, agents: { readonly http: http.Agent; readonly https: https.Agent }): Target {
	switch (url.protocol) {
		case 'unix:':
		case 'pipe:': {
			const socketPath = url.protocol === 'unix:' ? decodeURIComponent(url.pathname) : pipePath(url);
			return {
				request: http.request,
				isSafe: false,
				options: { socketPath, path: url.hash.slice(1) || '/', host: 'localhost', agent: agents.http },
			};
		}
		case 'http:':
		case 'https:': {
			const isSafe = url.protocol === 'https:';
			const hostname = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
			const credentials = url.username || url.password ? `${url.username}:${url.password}` : undefined;
			return {
				request: isSafe ? https.request : http.request,
				isSafe,
				options: {
					protocol: url.protocol,
					hostname,
					path: url.pathname + url.search,
					agent: isSafe ? agents.https : agents.http,
					...(url.port === '' ? {} : { port: url.port }),
					...(credentials === undefined ? {} : { auth: decodeURIComponent(credentials) }),
				},
			};
		}
		default:
			throw new TypeError(`No transport for ${url.protocol}`);
	}
}

/** Calls `onResponse` with the head of the response, or `onError` with why there is none. Later calls have no effect. */
function send(
	target: Target,
	{ method, headers, body, abort }: HttpRequest,
	userAgent: string,
	onError: (error: unknown) => void,
	onResponse: (response: http.IncomingMessage) => void,
): void {
	if (abort.isAborted) {
		onError(new AbortError());
		return;
	}
	const request = target.request({ ...target.options, method, headers });
	// Set explicitly: the editor wraps our agent in one without keep-alive, for which Node would send `close`.
	request.setHeader('connection', 'keep-alive');
	if (headers['user-agent'] === undefined) {
		request.setHeader('user-agent', userAgent);
	}
	// Only for POST: compressing an event stream delays its events.
	if (method === 'POST' && headers['accept-encoding'] === undefined) {
		request.setHeader('accept-encoding', acceptedCodings);
	}
	abort.setStop(() => request.destroy(new AbortError()));
	request.on('error', onError);
	// The editor's agent reports proxy errors by this event. The error after it has no code, and in some versions contains
	// the password of the proxy.
	request.on('proxy', ({ error }: { readonly error?: NodeJS.ErrnoException }) => {
		if (error) {
			onError(proxyError(error.code ?? 'UNREACHABLE'));
		}
	});
	let isAnswered = false;
	request.on('response', response => {
		isAnswered = true;
		// If a proxy refuses the tunnel, the editor's agent returns the proxy's response as that of the server.
		if (target.isSafe && !('encrypted' in response.socket)) {
			response.destroy();
			onError(proxyError(response.statusCode ?? 0));
			return;
		}
		if (response.statusCode === 101) {
			// An upgrade without a protocol; its body would never end.
			response.destroy();
			onError(unwantedUpgrade());
			return;
		}
		onResponse(response);
	});
	// Without a listener, Node closes the connection without an error.
	request.on('upgrade', (_response, socket) => {
		socket.destroy();
		onError(unwantedUpgrade());
	});
	// Has no effect after an error.
	request.on('close', () => {
		if (!isAnswered) {
			onError(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
		}
	});
	request.end(body);
}

/** The server switched to another protocol without being asked to. */
function unwantedUpgrade(): McpError {
	return new McpError({ code: 'http', status: 101, error: undefined, challenge: undefined });
}

/** The proxy could not be reached (`PROXY_ECONNREFUSED`, …) or refused the tunnel (`PROXY_407`, …). */
function proxyError(why: string | number): Error {
	return Object.assign(new Error(`The proxy failed: ${why}`), { code: `PROXY_${why}` });
}

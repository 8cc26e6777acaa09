/**
 * HTTP for the desktop: Node's own modules with keep-alive, about a third of the CPU time of the global
 * `fetch`. The editor gives extensions its own `http` and `https`, which know the person's proxy and certificates, under
 * these names. Editors from 1.99 to 1.139 happen to change the modules themselves, so that `node:http` is the same; we
 * ask for what is meant for us.
 */
// oxlint-disable-next-line unicorn/prefer-node-protocol -- see above
import * as http from 'http';
// oxlint-disable-next-line unicorn/prefer-node-protocol -- see above
import * as https from 'https';
import { AbortError } from '../../base/errors.js';
import type { Disposable } from '../../base/lifecycle.js';
import { defaultLimits, type HttpFetch, type HttpRequest, type HttpResponse, McpError } from '../../mcp/index.js';
import { NodeResponse } from './nodeResponse.js';

export interface HttpFetchOptions {
	/** Bytes that one compressed response may become; an event stream, which may go on for days, has no such limit. */
	readonly maxDecodedBytes?: () => number;
}

/**
 * How long a connection that is not in use is kept. Shorter than the five seconds after which common servers
 * hang up: a request sent in that moment fails, and a POST must not be repeated on suspicion.
 */
const idleMs = 4000;
const acceptedCodings = 'gzip, br';

interface Target {
	readonly request: typeof http.request;
	readonly isSafe: boolean;
	readonly options: http.RequestOptions;
}

/** The port's implementation. Disposing it closes every connection. */
export interface NodeHttpFetch extends HttpFetch, Disposable {
	/** Closes the connections that wait for another request: after a sleep nobody knows whether they still lead anywhere. */
	closeIdle(): void;
}

export function createHttpFetch(options: HttpFetchOptions = {}): NodeHttpFetch {
	const maxDecodedBytes = options.maxDecodedBytes ?? (() => defaultLimits.decodedBytes);
	const agentOptions = { keepAlive: true, timeout: idleMs };
	const agents = { http: new http.Agent(agentOptions), https: new https.Agent(agentOptions) };
	/** One server is asked again and again. */
	let last: { readonly url: string; readonly target: Target } | undefined;
	const fetch = (request: HttpRequest): Promise<HttpResponse> =>
		new Promise((resolve, reject) => {
			if (last?.url !== request.url) {
				last = { url: request.url, target: targetOf(new URL(request.url), agents) };
			}
			send(last.target, request, reject, message => {
				const response = new NodeResponse(message, maxDecodedBytes());
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

/** Where a named pipe is, for Node: both `pipe:///pipe/name` and `pipe:////./pipe/name` mean `\\.\pipe\name`. */
export function pipePath(url: URL): string {
	return `\\\\.\\${decodeURIComponent(url.pathname).replace(/^\/+/, '').replaceAll('/', '\\')}`;
}

function targetOf(url: URL, agents: { readonly http: http.Agent; readonly https: https.Agent }): Target {
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

/** Calls back with the head of the response, or with why there is none. */
function send(
	target: Target,
	{ method, headers, body, abort }: HttpRequest,
	onError: (error: unknown) => void,
	onResponse: (response: http.IncomingMessage) => void,
): void {
	if (abort.isAborted) {
		onError(new AbortError());
		return;
	}
	const request = target.request({ ...target.options, method, headers });
	// Said aloud: the editor wraps the agent in one of its own that keeps nothing, and Node would ask for the end.
	request.setHeader('connection', 'keep-alive');
	// Compressed event streams wait in the buffers of whatever compresses them.
	if (method === 'POST' && headers['accept-encoding'] === undefined) {
		request.setHeader('accept-encoding', acceptedCodings);
	}
	abort.setStop(() => request.destroy(new AbortError()));
	request.on('error', onError);
	// The editor's agent says it this way; the error that follows has no code, and has the proxy's password in some versions.
	request.on('proxy', ({ error }: { readonly error?: NodeJS.ErrnoException }) => {
		if (error) {
			onError(proxyError(error.code ?? 'UNREACHABLE'));
		}
	});
	request.on('response', response => {
		// Where a proxy refuses the tunnel, the editor hands us its answer as if it were the server's.
		if (target.isSafe && !('encrypted' in response.socket)) {
			response.destroy();
			onError(proxyError(response.statusCode ?? 0));
			return;
		}
		if (response.statusCode === 101) {
			// An upgrade that names no protocol: its body would never end.
			response.destroy();
			onError(unwantedUpgrade());
			return;
		}
		onResponse(response);
	});
	// Without a listener Node closes the connection and says nothing.
	request.on('upgrade', (_response, socket) => {
		socket.destroy();
		onError(unwantedUpgrade());
	});
	// Too late to matter where there was a response or an error.
	request.on('close', () => onError(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })));
	request.end(body);
}

/** The server goes on in another protocol, which nobody asked for. */
function unwantedUpgrade(): McpError {
	return new McpError({ code: 'http', status: 101, error: undefined, challenge: undefined });
}

/** The proxy could not be reached (`PROXY_ECONNREFUSED`, …) or made no tunnel (`PROXY_407`, …). */
function proxyError(why: string | number): Error {
	return Object.assign(new Error(`The proxy failed: ${why}`), { code: `PROXY_${why}` });
}

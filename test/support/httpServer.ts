// A scripted HTTP server on 127.0.0.1: a test says what it answers, and reads what it was asked.
import * as assert from 'node:assert/strict';
import * as http from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { eventually } from './waiting.js';

/** One request, read to its end. */
export interface Asked {
	readonly method: string;
	readonly path: string;
	readonly headers: http.IncomingHttpHeaders;
	readonly body: string;
	/** The parsed body, where it is JSON. */
	readonly message: { readonly id?: string | number; readonly method?: string };
}

export type Answer = (asked: Asked, response: http.ServerResponse) => unknown;

export class ScriptedServer {
	readonly asked: Asked[] = [];
	readonly errors: unknown[] = [];

	private constructor(private readonly server: http.Server) {}

	/** Listens on a free port, or on a socket. */
	static async start(answer: Answer, where: ListenOptions = { port: 0, host: '127.0.0.1' }): Promise<ScriptedServer> {
		const server = http.createServer();
		// What keeps Node alive is then the client's, and can be counted.
		server.unref().on('connection', socket => socket.unref());
		const it = new ScriptedServer(server);
		server.on('request', (request, response) => void it.take(request, response, answer));
		await new Promise<void>(resolve => {
			server.listen(where, resolve);
		});
		return it;
	}

	/** Without a slash at its end. */
	get origin(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	get url(): string {
		return `${this.origin}/mcp`;
	}

	/** One line for each request: `POST initialize#1`, `GET`. */
	get lines(): string[] {
		return this.asked.map(({ method, message }) => {
			const id = message.id === undefined ? '' : `#${JSON.stringify(message.id)}`;
			return method === 'POST' ? `POST ${message.method ?? 'answer'}${id}` : method;
		});
	}

	connections(): Promise<number> {
		return new Promise((resolve, reject) => {
			this.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
		});
	}

	/** Fails if a client has left a connection open. */
	async close(): Promise<void> {
		let count = await this.connections();
		const poll = async (): Promise<void> => {
			count = await this.connections();
		};
		try {
			await eventually(() => {
				void poll();
				return count === 0;
			}, 'all connections are closed');
		} finally {
			this.server.closeAllConnections();
			await new Promise(resolve => {
				this.server.close(resolve);
			});
		}
		assert.deepEqual(this.errors, []);
	}

	private async take(request: http.IncomingMessage, response: http.ServerResponse, answer: Answer): Promise<void> {
		try {
			const chunks: Buffer[] = [];
			for await (const chunk of request) {
				chunks.push(chunk as Buffer);
			}
			const body = Buffer.concat(chunks).toString('utf8');
			const { method = '', url: path = '', headers } = request;
			const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
			const message = (body === '' || isForm ? {} : JSON.parse(body)) as Asked['message'];
			const asked = { method, path, headers, body, message };
			this.asked.push(asked);
			await answer(asked, response);
		} catch (error) {
			// A client that hangs up early is what some tests are about.
			if (!response.destroyed) {
				this.errors.push(error);
				response.destroy();
			}
		}
	}
}

/** Answers with JSON. */
export function json(response: http.ServerResponse, value: unknown, status = 200, headers: object = {}): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify(value));
}

/** Begins an event stream. */
export function sse(response: http.ServerResponse, headers: object = {}): void {
	response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
	response.flushHeaders();
}

/** The text of one event with a message. */
export function event(value: unknown, id?: string): string {
	return `event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(value)}\n\n`;
}

/** The result message that answers a request. */
export function resultOf({ message }: Asked, result: object = {}): object {
	return { jsonrpc: '2.0', id: message.id, result };
}

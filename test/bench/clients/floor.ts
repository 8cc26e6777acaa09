/**
 * The least that can be called a client: JSON, ids and nothing else. No checks, no limits, no time-outs, no errors.
 * HTTP is `node:http` with keep-alive; a call that is answered by an event stream goes through the global `fetch`.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as http from 'node:http';
import { type Address, type BenchClient, countPages, updatedResource } from './client.js';

interface Message {
	readonly id?: number;
	readonly method?: string;
	readonly result?: object;
}

interface Page {
	readonly tools: readonly unknown[];
	readonly resources: readonly unknown[];
	readonly nextCursor?: string;
}

export async function openFloor(address: Address): Promise<BenchClient> {
	const client = address.over === 'stdio' ? new StdioFloor(address.args) : new HttpFloor(address.url);
	await client.request('initialize', {
		protocolVersion: '2025-11-25',
		capabilities: {},
		clientInfo: { name: 'floor', version: '1.0.0' },
	});
	client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
	return client;
}

abstract class Floor implements BenchClient {
	private nextId = 1;
	private readonly pending = new Map<number, (result: object) => void>();
	private log: (() => void) | undefined;
	protected updated: (() => void) | undefined;

	abstract send(message: object): void;
	abstract close(): Promise<void>;

	request(method: string, params: object): Promise<object> {
		const id = this.nextId++;
		return new Promise(resolve => {
			this.pending.set(id, resolve);
			this.send({ jsonrpc: '2.0', id, method, params });
		});
	}

	callTool(name: string, args: object): Promise<object> {
		return this.request('tools/call', { name, arguments: args });
	}

	listTools(): Promise<number> {
		return countPages(
			async params => (await this.request('tools/list', params)) as Page,
			page => page.tools,
		);
	}

	listResources(): Promise<number> {
		return countPages(
			async params => (await this.request('resources/list', params)) as Page,
			page => page.resources,
		);
	}

	onLog(listener: () => void): void {
		this.log = listener;
	}

	protected receive(text: string): void {
		const { id, method, result } = JSON.parse(text) as Message;
		if (method === 'notifications/message') {
			this.log?.();
		} else if (method === 'notifications/resources/updated') {
			this.updated?.();
		} else if (id !== undefined && result) {
			const resolve = this.pending.get(id);
			this.pending.delete(id);
			resolve?.(result);
		}
	}
}

class StdioFloor extends Floor {
	private readonly child: ChildProcessWithoutNullStreams;
	private rest = '';

	constructor(args: readonly string[]) {
		super();
		// In a group of its own, as every client must that ends what `npx` starts: the system schedules that differently.
		this.child = spawn(process.execPath, args, { stdio: 'pipe', detached: true });
		this.child.stdout.setEncoding('utf8');
		this.child.stdout.on('data', (text: string) => {
			const lines = text.split('\n');
			lines[0] = this.rest + (lines[0] ?? '');
			this.rest = lines.pop() ?? '';
			for (const line of lines) {
				this.receive(line);
			}
		});
	}

	send(message: object): void {
		this.child.stdin.write(`${JSON.stringify(message)}\n`);
	}

	async close(): Promise<void> {
		this.child.stdin.end();
		await once(this.child, 'close');
	}
}

class HttpFloor extends Floor {
	private readonly agent = new http.Agent({ keepAlive: true });
	private readonly options: http.RequestOptions;
	private readonly headers = {
		'content-type': 'application/json',
		accept: 'application/json, text/event-stream',
	};

	constructor(private readonly url: string) {
		super();
		const { hostname, port, pathname } = new URL(url);
		this.options = { method: 'POST', hostname, port, path: pathname, headers: this.headers, agent: this.agent };
	}

	send(message: object): void {
		http
			.request(this.options, response => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('end', () => {
					const text = Buffer.concat(chunks).toString();
					if (text !== '') {
						this.receive(text);
					}
				});
			})
			.end(JSON.stringify(message));
	}

	override callTool(name: string, args: object): Promise<object> {
		return name === 'notify' ? this.callByFetch(name, args) : super.callTool(name, args);
	}

	private async callByFetch(name: string, args: object): Promise<object> {
		await this.readStream('tools/call', { name, arguments: args });
		return {};
	}

	async readUpdates(count: number): Promise<void> {
		const stop = new AbortController();
		let missing = count;
		this.updated = () => {
			if (--missing === 0) {
				stop.abort();
			}
		};
		const notifications = { resourceSubscriptions: [updatedResource(count)] };
		await this.readStream('subscriptions/listen', { notifications }, stop.signal).catch(() => undefined);
	}

	private async readStream(method: string, params: object, signal?: AbortSignal): Promise<void> {
		const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method, params });
		const response = await fetch(this.url, { method: 'POST', headers: this.headers, body, signal: signal ?? null });
		const decoder = new TextDecoder();
		let rest = '';
		for await (const chunk of response.body ?? []) {
			const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
			rest = events.pop() ?? '';
			for (const event of events) {
				this.receive(event.slice(event.indexOf('data: ') + 6));
			}
		}
	}

	close(): Promise<void> {
		this.agent.destroy();
		return Promise.resolve();
	}
}

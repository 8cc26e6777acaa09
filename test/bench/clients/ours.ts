/** Our core as the extension uses it, without the editor. */
import * as path from 'node:path';
import { deferred } from '../../../src/base/async.js';
import { MessageRing } from '../../../src/core/messages/messageRing.js';
import { nullLogger } from '../../../src/base/log.js';
import {
	Client,
	DeadlineValidator,
	isObject,
	type JsonObject,
	StreamableHttp,
	type ToolResult,
	type Transport,
} from '../../../src/mcp/index.js';
import { createHttpFetch } from '../../../src/node/http/httpFetch.js';
import { StdioTransport } from '../../../src/node/process/stdioTransport.js';
import { ValidatorThread } from '../../../src/node/validatorThread.js';
import { projectRoot } from '../../host/paths.js';
import { type Address, type BenchClient, maxMessageBytes, updatedResource } from './client.js';

/** Keeps the latest messages of all servers, as the extension does. */
const messages = new MessageRing();

export async function openOurs(address: Address): Promise<BenchClient> {
	// As in the extension, servers over stdio don't open one.
	let fetch: ReturnType<typeof createHttpFetch> | undefined;
	const open = (): Transport => {
		if (address.over === 'http') {
			fetch ??= createHttpFetch();
			return new StreamableHttp({ url: address.url, fetch, log: nullLogger, maxMessageBytes });
		}
		const env = Object.fromEntries(Object.entries(process.env).filter((it): it is [string, string] => !!it[1]));
		const launch = { command: process.execPath, args: address.args, cwd: undefined, env };
		return new StdioTransport(launch, { graceMs: 3000, onStderr: () => undefined, maxMessageBytes });
	};
	const client = new Client({
		clientInfo: { name: 'mcp-workbench-bench', version: '1.0.0' },
		open,
		// Like the other clients: a fixed era, no pings, and a time-out of 60 seconds.
		mode: address.over === 'http' && address.isModern ? 'modern' : 'legacy',
		pingMs: 0,
		timeoutMs: 60_000,
		// The other clients drop no notifications, so this one doesn't either.
		limits: { notificationsPerSecond: 0 },
		recorder: messages.recorderFor({ id: 'bench', name: 'bench', redactor: undefined }),
		log: nullLogger,
	});
	await client.connect(new AbortController().signal);
	return new Ours(client, () => fetch?.dispose());
}

class Ours implements BenchClient {
	private schemas = new Map<string, JsonObject>();
	private readonly validator = new DeadlineValidator(
		() => new ValidatorThread(path.join(projectRoot, 'dist', 'validator.js')),
	);

	constructor(
		private readonly client: Client,
		private readonly disconnect: () => void,
	) {}

	/** Includes the check of `features/tools/runTool.ts`, because the calls of the other clients include theirs. */
	async callTool(name: string, args: JsonObject): Promise<ToolResult> {
		const result = await this.client.callTool(name, args);
		const schema = this.schemas.get(name);
		if (schema && isObject(result.structuredContent)) {
			const check = await this.validator.check(schema, result.structuredContent);
			if (check.kind !== 'valid') {
				throw new Error(`The result of ${name} is ${JSON.stringify(check)}`);
			}
		}
		return result;
	}

	async listTools(): Promise<number> {
		const tools = await this.client.listTools();
		this.schemas = new Map(tools.flatMap(it => (it.outputSchema ? [[it.name, it.outputSchema]] : [])));
		return tools.length;
	}

	async listResources(): Promise<number> {
		return (await this.client.listResources()).length;
	}

	onLog(listener: () => void): void {
		this.client.onDidLog(listener);
	}

	async readUpdates(count: number): Promise<void> {
		let missing = count;
		const finished = deferred<void>();
		const listening = this.client.onDidUpdateResource(() => {
			if (--missing === 0) {
				finished.resolve();
			}
		});
		const subscription = this.client.subscribeResource(updatedResource(count));
		await finished.promise;
		subscription.dispose();
		listening.dispose();
	}

	async close(): Promise<void> {
		await this.client.close();
		this.client.dispose();
		this.validator.dispose();
		this.disconnect();
	}
}

// The demo server as it is shipped, over a real pipe: our client can use everything that it offers, and its answers
// match the official schemas.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { nullLogger } from '../../src/base/log.js';
import { Client, type ClientHandlers } from '../../src/mcp/index.js';
import { StdioTransport } from '../../src/node/process/stdioTransport.js';
import { projectRoot } from '../host/paths.js';
import { inherited } from '../support/fixtureServer.js';
import { leakCheck } from '../support/leakCheck.js';
import { validateAs } from '../support/officialSchema.js';
import { onMessage } from '../support/onMessage.js';
import { SentCheck } from '../support/sentCheck.js';

const file = path.join(projectRoot, 'dist', 'demo.js');

const revision = '2026-07-28';

const resultOf: Readonly<Record<string, string>> = {
	'server/discover': 'DiscoverResult',
	'tools/list': 'ListToolsResult',
	'tools/call': 'CallToolResult',
	'resources/list': 'ListResourcesResult',
	'resources/templates/list': 'ListResourceTemplatesResult',
	'resources/read': 'ReadResourceResult',
	'prompts/list': 'ListPromptsResult',
	'prompts/get': 'GetPromptResult',
	'completion/complete': 'CompleteResult',
};

describe('the demo server', function () {
	this.timeout(20_000);
	const { own, later } = leakCheck();

	it('is small', () => {
		assert.ok(fs.statSync(file).size < 15 * 1024);
	});

	async function connect(canAsk = true): Promise<Client> {
		const launch = { command: process.execPath, args: [file], cwd: undefined, env: inherited() };
		const transport = new StdioTransport(launch, { graceMs: 3000, onStderr: it => assert.fail(it) });
		const handlers: ClientHandlers = canAsk
			? { elicitation: { form: async () => ({ action: 'accept', content: { tea: 'mint', sugar: 2 } }) } }
			: {};
		const client = own(
			new Client({
				open: () => transport,
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: 10_000,
				log: nullLogger,
				handlers,
			}),
		);
		own(client.onDidTransfer(new SentCheck().follow));
		const methods = new Map<unknown, string>();
		own(
			onMessage(client, ({ direction, message }) => {
				const { id, method, result } = message as Record<string, unknown>;
				if (direction === 'sent' && typeof method === 'string') {
					methods.set(id, method);
				} else if (typeof method === 'string') {
					validateAs('ElicitRequest', revision, message);
				} else if (result !== undefined) {
					const isAsking = (result as Record<string, unknown>)['resultType'] === 'input_required';
					validateAs(
						isAsking ? 'InputRequiredResult' : (resultOf[methods.get(id) ?? ''] ?? 'Result'),
						revision,
						result,
					);
				}
			}),
		);
		later(() => client.close());
		await client.connect(new AbortController().signal);
		assert.equal(client.session.protocolVersion, revision);
		return client;
	}

	it('has tools, a resource and a prompt that work', async () => {
		const client = await connect();
		const tools = await client.listTools();
		assert.deepEqual(
			tools.map(it => it.name),
			['greet', 'roll-dice', 'order-tea'],
		);
		assert.deepEqual((await client.callTool('greet', { name: 'Ada', language: 'fr' })).content, [
			{ type: 'text', text: 'Bonjour, Ada.' },
		]);
		assert.equal((await client.callTool('greet', {})).isError, true);
		const { structuredContent } = await client.callTool('roll-dice', { dice: 3, sides: 6 });
		const { rolls, total } = structuredContent as { rolls: number[]; total: number };
		assert.ok(rolls.length === 3 && rolls.every(it => it >= 1 && it <= 6));
		assert.equal(
			rolls.reduce((sum, it) => sum + it, 0),
			total,
		);
		const [resource] = await client.listResources();
		const [contents] = await client.readResource(resource?.uri ?? '');
		assert.match(contents?.text ?? '', /^# First steps/);
		await assert.rejects(client.readResource('demo://nothing'));
		assert.deepEqual(await client.listResourceTemplates(), []);
		const [prompt] = await client.listPrompts();
		const { messages } = await client.getPrompt(prompt?.name ?? '', { topic: 'tools' });
		assert.match(JSON.stringify(messages), /how a model and a person use a tool/);
		const topic = { name: 'topic', value: 'r' };
		assert.deepEqual((await client.complete({ type: 'ref/prompt', name: 'explain' }, topic)).values, ['resources']);
	});

	it('asks a question during a call, if the client supports it', async () => {
		const client = await connect();
		assert.deepEqual((await client.callTool('order-tea', {})).content, [
			{ type: 'text', text: 'A cup of mint tea, 2 lumps of sugar.' },
		]);
		const mute = await connect(false);
		assert.equal((await mute.callTool('order-tea', {})).isError, true);
	});
});

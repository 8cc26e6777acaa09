/**
 * What the official conformance suite runs: our client, used by a person who follows the scenario's
 * script. The scenario says which buttons are pressed; how that goes over the wire is product code alone.
 *
 * Called by the harness as `client.js <url>` with MCP_CONFORMANCE_SCENARIO and _CONTEXT in the environment.
 */
import { nullLogger } from '../../src/base/log.js';
import {
	Authorizer,
	Client,
	formFields,
	isObject,
	type JsonObject,
	LegacySse,
	StreamableHttp,
	type Tool,
} from '../../src/mcp/index.js';
import { Redactor } from '../../src/core/text/redactor.js';
import { createHttpFetch } from '../../src/node/http/httpFetch.js';
import { MemoryTokens } from '../support/memoryTokens.js';
import { agreeing, browser, configFor } from './browser.js';
import { SentCheck } from '../support/sentCheck.js';

const url = process.argv.at(-1) ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context: unknown = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');

/** A person who accepts every form as it is pre-filled. */
function acceptDefaults({ requestedSchema }: JsonObject): JsonObject {
	const { fields } = formFields(isObject(requestedSchema) ? requestedSchema : {});
	const filled = fields.map(it => [it.name, it.default ?? (it.kind === 'boolean' ? true : undefined)] as const);
	return { action: 'accept', content: Object.fromEntries(filled.filter(([, value]) => value !== undefined)) };
}

const fetch = createHttpFetch();
const auth = new Authorizer({
	url,
	client: { name: 'MCP Workbench' },
	fetch,
	log: nullLogger,
	load: () => import('../../src/authorization.js'),
	store: new MemoryTokens(),
	secrecy: new Redactor(),
	redirect: browser,
	prompt: agreeing,
	config: () => Promise.resolve(configFor(scenario, context)),
	isInteractive: () => true,
});
auth.onDidStep(step => console.log(JSON.stringify(step)));
const client = new Client({
	clientInfo: { name: 'mcp-workbench-conformance', version: '1.0.0' },
	timeoutMs: 20_000,
	log: nullLogger,
	open: () => new StreamableHttp({ url, fetch, log: nullLogger, auth }),
	openLegacySse: () => new LegacySse({ url, fetch, log: nullLogger, auth }),
	handlers: {
		roots: () => [],
		elicitation: { form: params => Promise.resolve(acceptDefaults(params)) },
	},
});

// What does not fit its schema is an uncaught error and so an exit code, whatever the harness thinks of it.
client.onDidTransfer(new SentCheck().follow);

/** What the person does, where it is more than looking at the list of tools. */
const scripts: Readonly<Record<string, (tools: readonly Tool[]) => Promise<void>>> = {
	tools_call: tools => call(tools, 'add_numbers', { a: 5, b: 3 }),
	'elicitation-sep1034-client-defaults': tools => call(tools, 'test_client_elicitation_defaults', {}),
	'sse-retry': tools => call(tools, 'test_reconnection', {}),
	'sep-2322-client-request-state': callAll,
	'http-invalid-tool-headers': callAll,
	'http-standard-headers': async tools => {
		await callAll(tools);
		for (const { uri } of await client.listResources()) {
			await client.readResource(uri);
		}
		for (const { name } of await client.listPrompts()) {
			await client.getPrompt(name, {});
		}
	},
	'http-custom-headers': async tools => {
		const calls = isObject(context) && Array.isArray(context['toolCalls']) ? context['toolCalls'] : [];
		for (const it of calls as { name: string; arguments: JsonObject }[]) {
			await call(tools, it.name, it.arguments);
		}
	},
	'json-schema-2020-12-preservation': async tools => {
		const schema = tools.find(it => it.name === 'json_schema_2020_12_tool')?.inputSchema ?? {};
		await call(tools, 'json_schema_echo', { schema });
	},
};

async function call(tools: readonly Tool[], name: string, args: JsonObject): Promise<void> {
	const tool = tools.find(it => it.name === name);
	if (!tool) {
		throw new Error(`There is no tool ${name}.`);
	}
	await client.callTool(tool, args);
}

async function callAll(tools: readonly Tool[]): Promise<void> {
	for (const tool of tools) {
		await client.callTool(tool, {});
	}
}

async function main(): Promise<void> {
	await client.connect(new AbortController().signal);
	const tools = await client.listTools();
	await (scenario.startsWith('auth/') ? callAll(tools) : scripts[scenario]?.(tools));
}

async function run(): Promise<void> {
	try {
		await main();
	} catch (error) {
		console.error(error);
		process.exitCode = 1;
	} finally {
		await client.close();
		client.dispose();
		auth.dispose();
		fetch.dispose();
	}
}

void run();

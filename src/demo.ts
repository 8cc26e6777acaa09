/**
 * The demo server: a separate program (`dist/demo.js`) that a person can try before they have a server. It speaks
 * revision 2026-07-28 over stdio and needs only Node. It is written without the official SDK, which is larger than the rest of
 * the extension. It reads and writes nothing, and answers every request at once.
 */
import { createInterface } from 'node:readline';

type Json = Readonly<Record<string, unknown>>;

const revision = '2026-07-28';
const info = { name: 'demo', title: 'Demo', version: '1.0.0' };
const instructions = 'A server to try things with. Greet somebody first.';
const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} };
/** The server's lists and contents never change. */
const caching = { ttlMs: 3_600_000, cacheScope: 'public' };

const languages = [
	{ const: 'en', title: 'English' },
	{ const: 'fr', title: 'Français' },
	{ const: 'zh', title: '中文' },
];
const greetings: Readonly<Record<string, string>> = { en: 'Hello', fr: 'Bonjour', zh: '你好' };

const tools = [
	{
		name: 'greet',
		title: 'Greet',
		description: 'Greets somebody. A form asks for what it needs.',
		inputSchema: {
			type: 'object',
			properties: {
				name: { type: 'string', title: 'Who', minLength: 1, maxLength: 100 },
				language: { type: 'string', title: 'In which language', oneOf: languages, default: 'en' },
			},
			required: ['name'],
		},
		annotations: { readOnlyHint: true, openWorldHint: false },
	},
	{
		name: 'roll-dice',
		title: 'Roll Dice',
		description: 'Rolls dice. Its result has a structure, which is checked.',
		inputSchema: {
			type: 'object',
			properties: {
				dice: { type: 'integer', title: 'How many dice', minimum: 1, maximum: 10, default: 2 },
				sides: { type: 'integer', title: 'How many sides each has', minimum: 2, maximum: 100, default: 6 },
			},
		},
		outputSchema: {
			type: 'object',
			properties: {
				rolls: { type: 'array', items: { type: 'integer', minimum: 1 } },
				total: { type: 'integer', minimum: 1 },
			},
			required: ['rolls', 'total'],
		},
		annotations: { readOnlyHint: true, openWorldHint: false },
	},
	{
		name: 'order-tea',
		title: 'Order Tea',
		description: 'Asks you something in the middle of the call.',
		inputSchema: { type: 'object' },
		annotations: { readOnlyHint: true, openWorldHint: false },
	},
];

/** The question of `order-tea`. */
const teaQuestion = {
	mode: 'form',
	message: 'Which tea would you like?',
	requestedSchema: {
		type: 'object',
		properties: {
			tea: { type: 'string', title: 'Tea', enum: ['green', 'black', 'mint'] },
			sugar: { type: 'integer', title: 'Lumps of sugar', minimum: 0, maximum: 5, default: 0 },
		},
		required: ['tea'],
	},
};

const guideUri = 'demo://guide/first-steps.md';
const guide = `# First steps

- **Run a tool**: the button beside *Greet* opens its form.
- **Look at a result**: *Roll Dice* answers with a structure. It is shown as a tree and checked against its schema.
- **Answer a server**: *Order Tea* asks you something before it is done.
- **Use a prompt**: */explain* proposes topics while you type.
- **Look back**: the view *History* has every call, and runs it again.

This text is a resource of the demo server.
`;

const topics: Readonly<Record<string, string>> = {
	elicitation: 'how a server asks a person for something in the middle of a call',
	prompts: 'what prompts of an MCP server are for',
	resources: 'how resources of an MCP server differ from its tools',
	tools: 'how a model and a person use a tool of an MCP server',
};

/** An error to answer a request with. */
class Refusal extends Error {
	constructor(
		readonly code: number,
		message: string,
		readonly data?: Json,
	) {
		super(message);
	}
}

createInterface({ input: process.stdin }).on('line', line => {
	let message: Json;
	try {
		message = record(JSON.parse(line));
	} catch {
		send({ id: null, error: { code: -32_700, message: 'That is not JSON.' } });
		return;
	}
	receive(message);
});

function receive({ id, method, params }: Json): void {
	if (typeof method !== 'string' || id === undefined) {
		return;
	}
	try {
		send({ id, result: { resultType: 'complete', ...answer(method, record(params)) } });
	} catch (error) {
		const { code, message, data } = error instanceof Refusal ? error : new Refusal(-32_603, String(error));
		send({ id, error: { code, message, ...(data && { data }) } });
	}
}

function answer(method: string, params: Json): Json {
	const meta = record(params['_meta']);
	const requested = meta['io.modelcontextprotocol/protocolVersion'];
	if (requested !== revision) {
		throw new Refusal(-32_022, 'Unsupported protocol version', { supported: [revision], requested });
	}
	switch (method) {
		case 'server/discover':
			return {
				supportedVersions: [revision],
				capabilities,
				instructions,
				...caching,
				_meta: { 'io.modelcontextprotocol/serverInfo': info },
			};
		case 'tools/list':
			return { tools, ...caching };
		case 'tools/call':
			return call(params, meta);
		case 'resources/list':
			return {
				resources: [{ uri: guideUri, name: 'first-steps.md', title: 'First Steps', ...markdown }],
				...caching,
			};
		case 'resources/templates/list':
			return { resourceTemplates: [], ...caching };
		case 'resources/read':
			if (params['uri'] !== guideUri) {
				throw new Refusal(-32_602, 'There is no such resource.', { uri: params['uri'] });
			}
			return { contents: [{ uri: guideUri, ...markdown, text: guide }], ...caching };
		case 'prompts/list':
			return { prompts: [prompt], ...caching };
		case 'prompts/get':
			return { messages: [{ role: 'user', content: text(explain(record(params['arguments'])['topic'])) }] };
		case 'completion/complete': {
			const typed = record(params['argument'])['value'];
			const values = Object.keys(topics).filter(it => typeof typed === 'string' && it.startsWith(typed.toLowerCase()));
			return { completion: { values, total: values.length, hasMore: false } };
		}
		default:
			throw new Refusal(-32_601, `There is no method ${method}.`);
	}
}

const markdown = { mimeType: 'text/markdown' };
const prompt = {
	name: 'explain',
	title: 'Explain',
	description: 'Asks a model to explain a part of MCP.',
	arguments: [{ name: 'topic', title: 'Topic', description: 'What to explain', required: true }],
};

function call(params: Json, meta: Json): Json {
	const { name, arguments: args, inputResponses } = params;
	switch (name) {
		case 'greet':
			return greet(record(args));
		case 'roll-dice':
			return rollDice(record(args));
		case 'order-tea': {
			const { tea } = record(inputResponses);
			return tea === undefined ? askForTea(meta) : orderTea(record(tea));
		}
		default:
			throw new Refusal(-32_602, `There is no tool ${String(name)}.`);
	}
}

function askForTea(meta: Json): Json {
	if (record(meta['io.modelcontextprotocol/clientCapabilities'])['elicitation'] === undefined) {
		return { content: [text('This client cannot ask you anything.')], isError: true };
	}
	const request = { method: 'elicitation/create', params: teaQuestion };
	return { resultType: 'input_required', inputRequests: { tea: request } };
}

function greet({ name, language }: Json): Json {
	if (typeof name !== 'string' || name === '') {
		return { content: [text('Nobody to greet: "name" is missing.')], isError: true };
	}
	return { content: [text(`${greetings[String(language)] ?? greetings['en']}, ${name}.`)] };
}

function rollDice({ dice, sides }: Json): Json {
	const rolls = Array.from({ length: within(dice, 1, 10, 2) }, () => {
		return 1 + Math.floor(Math.random() * within(sides, 2, 100, 6));
	});
	const structuredContent = { rolls, total: rolls.reduce((sum, it) => sum + it, 0) };
	return { content: [text(JSON.stringify(structuredContent))], structuredContent };
}

function orderTea({ action, content }: Json): Json {
	const { tea, sugar } = record(content);
	return {
		content: [
			text(
				action === 'accept'
					? `A cup of ${String(tea)} tea, ${within(sugar, 0, 5, 0)} lumps of sugar.`
					: 'Then no tea, and no hard feelings.',
			),
		],
	};
}

function explain(topic: unknown): string {
	return `Explain in plain words ${topics[String(topic)] ?? `what "${String(topic)}" means in the Model Context Protocol`}.`;
}

function text(value: string): Json {
	return { type: 'text', text: value };
}

function within(value: unknown, least: number, most: number, otherwise: number): number {
	return Number.isInteger(value) ? Math.min(most, Math.max(least, Number(value))) : otherwise;
}

function record(value: unknown): Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function send(message: Json): void {
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

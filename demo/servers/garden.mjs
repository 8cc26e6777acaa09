// A small server of the newest protocol revision (2026-07-28), built with the official SDK. It keeps a
// garden in memory: tools change it, resources show it. In the middle of a call `inspect-folders` asks the
// editor for its folders, `choose-plants` asks you, `name-garden` asks a model, and `read-about` asks you
// to open a page.
import { inputRequired, inputResponse, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const beds = new Map([
	['north', 'Tulips, planted in October.'],
	['south', 'Tomatoes. Water them in the evening.'],
]);

/** What `choose-plants` asks. */
const taste = {
	message: 'What do you like, and how much room is there?',
	requestedSchema: {
		type: 'object',
		properties: {
			kinds: {
				type: 'array',
				title: 'What',
				minItems: 1,
				items: {
					anyOf: [
						{ const: 'herb', title: 'Herbs' },
						{ const: 'fruit', title: 'Fruit' },
						{ const: 'flower', title: 'Flowers' },
					],
				},
			},
			area: { type: 'number', title: 'Square metres', minimum: 0.5, maximum: 100, default: 4 },
			since: { type: 'string', format: 'date', title: 'From which day on' },
			sunny: { type: 'boolean', title: 'Is it sunny?', default: true },
		},
		required: ['kinds'],
	},
};

function plantsFor({ kinds, sunny }) {
	const plants = {
		herb: sunny ? 'thyme' : 'mint',
		fruit: sunny ? 'strawberries' : 'currants',
		flower: sunny ? 'sunflowers' : 'ferns',
	};
	return kinds.map(it => plants[it]);
}

function text(value) {
	return { content: [{ type: 'text', text: value }] };
}

serveStdio(() => {
	const server = new McpServer(
		{ name: 'garden', title: 'Garden', version: '1.0.0' },
		{ instructions: 'Look at the beds before you plant.' },
	);

	server.registerTool(
		'plant',
		{
			title: 'Plant',
			description: 'Plants something in a bed.',
			inputSchema: z.object({
				bed: z.enum(['north', 'south']).describe('Where'),
				plant: z.string().min(2).describe('What'),
				count: z.number().int().min(1).max(50).default(3).describe('How many'),
			}),
			outputSchema: z.object({ bed: z.string(), plants: z.number() }),
		},
		async ({ bed, plant, count }) => {
			beds.set(bed, `${plant} × ${count}.`);
			return { ...text(`Planted ${count} × ${plant} in the ${bed} bed.`), structuredContent: { bed, plants: count } };
		},
	);

	server.registerTool(
		'inspect-folders',
		{ title: 'Inspect Folders', description: 'Asks which folders you work in, and says how many there are.' },
		async ctx => {
			const answer = inputResponse(ctx.mcpReq.inputResponses, 'folders');
			return answer.kind === 'roots'
				? text(`You work in ${answer.roots.length} folder(s): ${answer.roots.map(it => it.name ?? it.uri).join(', ')}`)
				: inputRequired({ inputRequests: { folders: inputRequired.listRoots() } });
		},
	);

	server.registerTool(
		'choose-plants',
		{ title: 'Choose Plants', description: 'Asks you what you like, and says what to plant.' },
		async ctx => {
			const answer = inputResponse(ctx.mcpReq.inputResponses, 'taste');
			if (answer.kind !== 'elicit') {
				return inputRequired({ inputRequests: { taste: inputRequired.elicit(taste) } });
			}
			return answer.action === 'accept'
				? text(`For you: ${plantsFor(answer.content).join(', ')}.`)
				: text(`Then not (${answer.action}).`);
		},
	);

	server.registerTool(
		'name-garden',
		{ title: 'Name the Garden', description: 'Asks a model for a name, which you see before it does and before I do.' },
		async ctx => {
			const answer = inputResponse(ctx.mcpReq.inputResponses, 'name');
			if (answer.kind !== 'sampling') {
				const plants = [...beds.values()].join(' ');
				return inputRequired({
					inputRequests: {
						name: inputRequired.createMessage({
							messages: [{ role: 'user', content: { type: 'text', text: `Name this garden: ${plants}` } }],
							systemPrompt: 'Answer with a name of two words.',
							maxTokens: 20,
						}),
					},
				});
			}
			const { content, model } = answer.result;
			return text(`The garden is called "${content.text}", says ${model}.`);
		},
	);

	server.registerTool(
		'read-about',
		{
			title: 'Read About It',
			description: 'Asks you to open a page about a plant.',
			inputSchema: z.object({ plant: z.enum(['tomato', 'tulip']).default('tulip').describe('Which') }),
		},
		async ({ plant }, ctx) => {
			const answer = inputResponse(ctx.mcpReq.inputResponses, 'page');
			if (answer.kind !== 'elicit') {
				const url = `https://en.wikipedia.org/wiki/${plant}`;
				const page = inputRequired.elicitUrl({ message: `Read about the ${plant}.`, url });
				return inputRequired({ inputRequests: { page } });
			}
			return text(answer.action === 'accept' ? 'Enjoy reading.' : `Then not (${answer.action}).`);
		},
	);

	for (const bed of beds.keys()) {
		server.registerResource(
			bed,
			`garden://beds/${bed}.md`,
			{ title: `The ${bed} bed`, mimeType: 'text/markdown' },
			async uri => ({
				contents: [{ uri: uri.href, mimeType: 'text/markdown', text: `# The ${bed} bed\n\n${beds.get(bed)}\n` }],
			}),
		);
	}

	server.registerPrompt(
		'plan',
		{ title: 'Plan', description: 'Asks for a plan for a season.', argsSchema: z.object({ season: z.string() }) },
		({ season }) => ({
			messages: [{ role: 'user', content: { type: 'text', text: `Plan my garden for ${season}.` } }],
		}),
	);
	return server;
});

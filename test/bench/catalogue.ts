/** What the test server offers: lists of the shapes that real servers have, as the JSON of their pages. */

/** The notification that is sent in crowds. */
export const notification = JSON.stringify({
	jsonrpc: '2.0',
	method: 'notifications/message',
	params: { level: 'info', logger: 'bench', data: 'One of a hundred thousand lines of a log.' },
});

/** Fits the `outputSchema` of every tool of `withOutputSchema`. */
export const structuredContent = { id: 'a1', count: 3, items: [{ name: 'first', price: 1.5 }] };

export type CatalogueName = keyof typeof catalogues;

/** Pages by cursor: "1" is the second. */
export const catalogues = {
	small: () => paged('tools', 1, 1, tool),
	tools: () => paged('tools', 100, 100, tool),
	withOutputSchema: () => paged('tools', 1, 1000, toolWithOutputSchema),
	resources: () => paged('resources', 1000, 100, resource),
	everything,
} satisfies Record<string, () => string[]>;

/** 10,000 tools and 100,000 resources: every page has some of both, and who asks for one kind leaves the other. */
function everything(): string[] {
	return Array.from({ length: 1000 }, (_, page) =>
		JSON.stringify({
			tools: Array.from({ length: 10 }, (_, at) => tool(page * 10 + at)),
			resources: Array.from({ length: 100 }, (_, at) => resource(page * 100 + at)),
			...(page + 1 < 1000 ? { nextCursor: String(page + 1) } : {}),
		}),
	);
}

function paged(key: string, pages: number, size: number, entry: (at: number) => object): string[] {
	return Array.from({ length: pages }, (_, page) =>
		JSON.stringify({
			[key]: Array.from({ length: size }, (_, at) => entry(page * size + at)),
			...(page + 1 < pages ? { nextCursor: String(page + 1) } : {}),
		}),
	);
}

function tool(at: number): object {
	return {
		name: at === 0 ? 'echo' : `tool_${at}`,
		title: `Tool ${at}`,
		description: `Does the work number ${at}, and says what came of it in one short text.`,
		inputSchema: {
			type: 'object',
			properties: {
				path: { type: 'string', description: 'Where to begin' },
				depth: { type: 'integer', minimum: 0, description: 'How far to go' },
			},
			required: ['path'],
		},
		annotations: { readOnlyHint: true },
	};
}

function toolWithOutputSchema(at: number): object {
	return {
		...tool(at),
		name: `structured_${at}`,
		outputSchema: {
			type: 'object',
			properties: {
				id: { type: 'string', description: `What number ${at} is called` },
				count: { type: 'integer', minimum: 0, maximum: at + 100 },
				items: {
					type: 'array',
					items: {
						type: 'object',
						properties: { name: { type: 'string' }, price: { type: 'number', exclusiveMinimum: 0 } },
						required: ['name', 'price'],
					},
				},
			},
			required: ['id', 'items'],
		},
	};
}

function resource(at: number): object {
	return {
		uri: `file:///folder/${at}/file_${at}.md`,
		name: `file_${at}.md`,
		title: `File ${at}`,
		description: `The file number ${at} of the folder.`,
		mimeType: 'text/markdown',
	};
}

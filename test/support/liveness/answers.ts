// What the server of the liveness suite answers as long as it does.
import type { JsonObject } from '../../../src/mcp/index.js';
import { handshake } from '../memoryTransport.js';

const inputSchema = { type: 'object' };
const time = '2026-01-01T00:00:00Z';

/** By method. */
export const answers: Readonly<Record<string, JsonObject>> = {
	initialize: handshake({
		completions: {},
		logging: {},
		prompts: {},
		resources: { subscribe: true },
		tools: { listChanged: true },
	}),
	ping: {},
	'completion/complete': { completion: { values: ['value'] } },
	'logging/setLevel': {},
	'prompts/get': { messages: [] },
	'prompts/list': { prompts: [{ name: 'prompt' }] },
	'resources/list': { resources: [{ uri: 'x:1', name: 'resource' }] },
	'resources/read': { contents: [{ uri: 'x:1', text: 'text' }] },
	'resources/subscribe': {},
	'resources/templates/list': { resourceTemplates: [] },
	'resources/unsubscribe': {},
	'tasks/get': { taskId: 'task', status: 'completed', createdAt: time, lastUpdatedAt: time, ttl: null },
	'tasks/result': { content: [] },
	'tools/call': { content: [] },
	'tools/list': { tools: ['free', 'asked'].map(name => ({ name, inputSchema })) },
};

/** The JSON schema of an answer, for the editor. Spec 2025-11-25, schema: CreateMessageResult. */
import type { JsonObject } from '../../mcp/index.js';
import type { SamplingRequest } from '../../core/requests/sampling.js';

export function answerSchema({ tools, toolChoice }: SamplingRequest): JsonObject {
	const text = object({ type: { const: 'text' }, text: { type: 'string' } });
	const media = object({
		type: { enum: ['image', 'audio'] },
		data: { type: 'string', description: 'base64' },
		mimeType: { type: 'string' },
	});
	const offered = toolChoice === 'none' ? [] : tools;
	const uses = offered.map(({ name, inputSchema }) =>
		object({ type: { const: 'tool_use' }, id: { type: 'string' }, name: { const: name }, input: inputSchema }),
	);
	const block = { anyOf: [text, media, ...uses] };
	return object(
		{
			role: { const: 'assistant' },
			content: { anyOf: [block, { type: 'array', minItems: 1, items: block }] },
			model: { type: 'string', minLength: 1 },
			stopReason: { type: 'string', examples: ['endTurn', 'stopSequence', 'maxTokens', 'toolUse'] },
		},
		['role', 'content', 'model'],
	);
}

function object(properties: JsonObject, required = Object.keys(properties)): JsonObject {
	return { type: 'object', properties, required };
}

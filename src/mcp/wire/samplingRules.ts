/** The rules of sampling with tools that a client must enforce. Spec 2025-11-25, sampling. */
import { describeJson, isObject, type JsonObject } from '../jsonrpc/messages.js';

/** Describes the problem of a sampling request for the server; `undefined` if there is none. */
export function samplingProblem(params: JsonObject, tools: boolean): string | undefined {
	if (!tools && (params['tools'] !== undefined || params['toolChoice'] !== undefined)) {
		return 'Sampling with tools is not supported by this client.';
	}
	const { messages } = params;
	if (!Array.isArray(messages)) {
		return 'messages is missing.';
	}
	/** Tool uses of the previous message, which need results in this one. */
	let open = new Set<unknown>();
	for (const message of messages) {
		if (!isObject(message)) {
			return 'A message is not an object.';
		}
		const blocks = blocksOf(message);
		const results = blocks.filter(it => it['type'] === 'tool_result');
		if (results.length > 0 && (message['role'] !== 'user' || results.length < blocks.length)) {
			return 'A message with tool results is from the user and holds nothing else.';
		}
		for (const { toolUseId } of results) {
			if (!open.delete(toolUseId)) {
				return `The tool result ${describeJson(toolUseId)} answers no tool use of the message before.`;
			}
		}
		if (open.size > 0) {
			return `No result for the tool use ${describeJson([...open][0])}.`;
		}
		open = new Set(blocks.filter(it => it['type'] === 'tool_use').map(it => it['id']));
	}
	return open.size > 0 ? `No result for the tool use ${describeJson([...open][0])}.` : undefined;
}

/** Content is one block or, since 2025-11-25, an array of blocks. */
function blocksOf({ content }: JsonObject): JsonObject[] {
	return (Array.isArray(content) ? content : [content]).filter(isObject);
}

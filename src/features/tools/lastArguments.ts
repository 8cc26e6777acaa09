/** Keeps the last arguments of each tool, without secrets, in the state of the workspace. */
import { type EditorState, StateList } from '../../editor/storage/editorState.js';
import type { JsonObject, Tool } from '../../mcp/index.js';
import { withoutSecretArguments } from '../../core/text/callArguments.js';
import type { Server } from '../../core/servers/server.js';

const key = 'lastArguments';

/** Most tools with kept arguments. Those that were kept longest ago are dropped. */
const maxTools = 100;
/** Largest kept arguments, in characters of JSON. */
const maxCharacters = 20_000;

type Entry = readonly [id: string, args: JsonObject];

export class LastArguments {
	private readonly kept: StateList<Entry>;

	constructor(state: EditorState) {
		this.kept = new StateList(state, key);
	}

	get(server: Server, tool: Tool): JsonObject | undefined {
		return this.kept.entries.find(it => it[0] === toolKey(server, tool))?.[1];
	}

	/** Keeps arguments. Empty and too large ones are ignored. */
	async keep(server: Server, tool: Tool, args: JsonObject): Promise<void> {
		const kept = withoutSecretArguments(tool.inputSchema, args);
		if (Object.keys(kept).length > 0 && JSON.stringify(kept).length <= maxCharacters) {
			const id = toolKey(server, tool);
			const others = this.kept.entries.filter(it => it[0] !== id);
			await this.kept.keep([...others, [id, kept] as const].slice(-maxTools));
		}
	}
}

/** Identifies a tool of a server. */
function toolKey(server: Server, tool: Tool): string {
	// Ids of servers contain slashes.
	return `${server.definition.id}/${tool.name.replaceAll(/[%/]/g, encodeURIComponent)}`;
}

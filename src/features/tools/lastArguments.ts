/** The arguments that each tool was run with last, in the workspace's state; without secrets. */
import type { KeptList, KeptState } from '../../host/keptState.js';
import { isObject, type JsonObject, type Tool } from '../../mcp/index.js';
import { withoutSecretArguments } from '../../model/keptArguments.js';
import type { Server } from '../../model/server.js';

const key = 'lastArguments';

/** Those that were used longest ago are forgotten. */
const maxTools = 100;
const maxCharacters = 20_000;

type Entry = readonly [id: string, args: JsonObject];

export class LastArguments {
	private readonly kept: KeptList<Entry>;

	constructor(state: KeptState) {
		this.kept = state.list(key, isEntry);
	}

	get(server: Server, tool: Tool): JsonObject | undefined {
		return this.kept.entries.find(it => it[0] === idOf(server, tool))?.[1];
	}

	/** No arguments, and such as are too large, take the place of none. */
	async keep(server: Server, tool: Tool, args: JsonObject): Promise<void> {
		const kept = withoutSecretArguments(tool.inputSchema, args);
		if (Object.keys(kept).length > 0 && JSON.stringify(kept).length <= maxCharacters) {
			const id = idOf(server, tool);
			const others = this.kept.entries.filter(it => it[0] !== id);
			await this.kept.keep([...others, [id, kept] as const].slice(-maxTools));
		}
	}
}

function idOf(server: Server, tool: Tool): string {
	return `${server.definition.id}/${tool.name}`;
}

function isEntry(entry: unknown): entry is Entry {
	return Array.isArray(entry) && typeof entry[0] === 'string' && isObject(entry[1]);
}

/** The arguments that each tool was run with last, in the workspace's state; without secrets. */
import type { KeptList, KeptState } from '../../editor/storage/keptState.js';
import { isObject, type JsonObject, type Tool } from '../../mcp/index.js';
import type { Caller } from '../../core/approvals/approval.js';
import { withoutSecretArguments } from '../../core/text/keptArguments.js';
import type { Server } from '../../core/servers/server.js';

const key = 'lastArguments';

/** Those that were used longest ago are forgotten. */
const maxTools = 100;
const maxCharacters = 20_000;

/** Without the mark, somebody else has given them, or nobody can tell. */
type Entry = readonly [id: string, args: JsonObject, by?: 'person'];

/** Arguments, and who calls with them: the person only if they typed, made or allowed exactly these. */
export interface GivenArguments {
	readonly args: JsonObject;
	readonly caller: Caller;
}

export class LastArguments {
	private readonly kept: KeptList<Entry>;

	constructor(state: KeptState) {
		this.kept = state.list(key, isEntry);
	}

	get(server: Server, tool: Tool): GivenArguments | undefined {
		const [, args, by] = this.kept.entries.find(it => it[0] === idOf(server, tool)) ?? [];
		return args && { args, caller: { kind: by ?? 'history' } };
	}

	/** No arguments, and such as are too large, take the place of none. */
	async keep(server: Server, tool: Tool, { args, caller }: GivenArguments): Promise<void> {
		const kept = withoutSecretArguments(tool.inputSchema, args);
		if (Object.keys(kept).length > 0 && JSON.stringify(kept).length <= maxCharacters) {
			const id = idOf(server, tool);
			const others = this.kept.entries.filter(it => it[0] !== id);
			const entry: Entry = caller.kind === 'person' ? [id, kept, 'person'] : [id, kept];
			await this.kept.keep([...others, entry].slice(-maxTools));
		}
	}
}

function idOf(server: Server, tool: Tool): string {
	return `${server.definition.id}/${tool.name}`;
}

function isEntry(entry: unknown): entry is Entry {
	return (
		Array.isArray(entry) &&
		typeof entry[0] === 'string' &&
		isObject(entry[1]) &&
		(entry[2] === undefined || entry[2] === 'person')
	);
}

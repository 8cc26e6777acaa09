/** Keeps the last arguments of each tool, without secrets, in the state of the workspace. */
import type { StateList, EditorState } from '../../editor/storage/editorState.js';
import { isObject, type JsonObject, type Tool } from '../../mcp/index.js';
import type { Caller } from '../../core/approvals/approval.js';
import { withoutSecretArguments } from '../../core/text/callArguments.js';
import type { Server } from '../../core/servers/server.js';

const key = 'lastArguments';

/** Most tools with kept arguments. Those that were kept longest ago are dropped. */
const maxTools = 100;
/** Largest kept arguments, in characters of JSON. */
const maxCharacters = 20_000;

/** `by` is absent if another caller gave the arguments, or if that isn't known. */
type Entry = readonly [id: string, args: JsonObject, by?: 'person'];

/** Arguments and their caller, which is the person only if they entered or allowed exactly these arguments. */
export interface GivenArguments {
	readonly args: JsonObject;
	readonly caller: Caller;
}

export class LastArguments {
	private readonly kept: StateList<Entry>;

	constructor(state: EditorState) {
		this.kept = state.list(key, isEntry);
	}

	get(server: Server, tool: Tool): GivenArguments | undefined {
		const [, args, by] = this.kept.entries.find(it => it[0] === toolKey(server, tool)) ?? [];
		return args && { args, caller: { kind: by ?? 'history' } };
	}

	/** Keeps arguments. Empty and too large ones are ignored. */
	async keep(server: Server, tool: Tool, { args, caller }: GivenArguments): Promise<void> {
		const kept = withoutSecretArguments(tool.inputSchema, args);
		if (Object.keys(kept).length > 0 && JSON.stringify(kept).length <= maxCharacters) {
			const id = toolKey(server, tool);
			const others = this.kept.entries.filter(it => it[0] !== id);
			const entry: Entry = caller.kind === 'person' ? [id, kept, 'person'] : [id, kept];
			await this.kept.keep([...others, entry].slice(-maxTools));
		}
	}
}

/** Identifies a tool of a server. */
export function toolKey(server: Server, tool: Tool): string {
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

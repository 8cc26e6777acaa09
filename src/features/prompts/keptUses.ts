/** What a person wants done with each prompt's result every time, in the workspace's state. */
import type { KeptList, KeptState } from '../../editor/storage/keptState.js';
import type { Prompt } from '../../mcp/index.js';
import type { Server } from '../../core/servers/server.js';
import { type UseId, useIds } from './promptUses.js';

const key = 'promptUses';

/** Those that were chosen longest ago are forgotten. */
const maxPrompts = 200;

type Entry = readonly [id: string, use: UseId];

export class KeptUses {
	private readonly kept: KeptList<Entry>;

	constructor(state: KeptState) {
		this.kept = state.list(key, isEntry);
	}

	get(server: Server, prompt: Pick<Prompt, 'name'>): UseId | undefined {
		return this.kept.entries.find(it => it[0] === idOf(server, prompt))?.[1];
	}

	/** @param use `undefined` to ask each time again */
	async keep(server: Server, prompt: Pick<Prompt, 'name'>, use: UseId | undefined): Promise<void> {
		const id = idOf(server, prompt);
		const others = this.kept.entries.filter(it => it[0] !== id);
		await this.kept.keep([...others, ...(use ? [[id, use] as const] : [])].slice(-maxPrompts));
	}
}

function idOf(server: Server, prompt: Pick<Prompt, 'name'>): string {
	return `${server.definition.id}/${prompt.name}`;
}

function isEntry(entry: unknown): entry is Entry {
	return Array.isArray(entry) && typeof entry[0] === 'string' && (useIds as readonly unknown[]).includes(entry[1]);
}

/**
 * The resources that the person has opened in our interface. Another extension may be behind any other read. The list is
 * kept with the workspace, so that tabs open again after a reload of the window.
 */
import type { ResourceKey } from '../../core/resources/liveEntry.js';
import { reportErrors } from '../../editor/commands.js';
import { type EditorState, type StateKey, StateList } from '../../editor/storage/editorState.js';

const key: StateKey = 'openedByPerson';
/** Beyond this number, the least recently opened resources are dropped. */
const maxKept = 200;

export class OpenedByPerson {
	private readonly kept: StateList<ResourceKey>;

	constructor(state: EditorState) {
		this.kept = new StateList(state, key);
	}

	add({ serverId, uri }: ResourceKey): void {
		const others = this.kept.entries.filter(it => it.serverId !== serverId || it.uri !== uri);
		void reportErrors(() => this.kept.keep([...others, { serverId, uri }].slice(-maxKept)));
	}

	has({ serverId, uri }: ResourceKey): boolean {
		return this.kept.entries.some(it => it.serverId === serverId && it.uri === uri);
	}
}

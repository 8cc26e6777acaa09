/** Whether the person has added the demo server, which comes with the extension. Kept for all windows of the machine. */
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { ManagedContextKey } from '../../editor/commands.js';
import { ContextKeys } from '../../editor/contributions.js';
import type { DemoEntry } from '../../editor/platform.js';
import type { EditorState } from '../../editor/storage/editorState.js';
import { userConfig } from '../../editor/workspace/config.js';
import { isObject } from '../../mcp/index.js';

/** The name of the demo server. A server of that name in the person's settings replaces it. */
export const demoName = 'demo';

export class DemoState extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;
	private readonly hasDemo = new ManagedContextKey(ContextKeys.hasDemo);

	/**
	 * @param entry `undefined` if the demo server can't run here
	 * @param state of all windows
	 */
	constructor(
		readonly entry: DemoEntry | undefined,
		private readonly state: EditorState,
	) {
		super();
		this.own(state.onDidClear('demoServer', () => this.didChange()));
		this.hasDemo.value = this.isAdded;
	}

	get isAdded(): boolean {
		return this.state.get('demoServer') === true;
	}

	async setAdded(isAdded: boolean): Promise<void> {
		await this.state.update('demoServer', isAdded ? true : undefined);
		this.didChange();
	}

	/** Whether a definition is the demo server, and not another server of that name. */
	isDemo({ name, source }: Pick<ServerDefinition, 'name' | 'source'>): boolean {
		const { servers } = userConfig();
		const isReplaced = isObject(servers) && Object.hasOwn(servers, demoName);
		return this.isAdded && source.kind === 'userSettings' && name === demoName && !isReplaced;
	}

	private didChange(): void {
		this.hasDemo.value = this.isAdded;
		this._onDidChange.fire();
	}
}

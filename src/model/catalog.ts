/**
 * What one running server offers: its four lists, loaded after the start and again when the server says
 * that they changed. Lives exactly as long as the session, so nothing shown is from an earlier one.
 */
import { debounce, type Debounced, onAbort } from '../base/async.js';
import { assertNever, isAbort, toMessage } from '../base/errors.js';
import { DisposableStore, Emitter, type Event, Owner, toDisposable } from '../base/lifecycle.js';
import type { Logger } from '../base/log.js';
import {
	type Client,
	isUnknownMethod,
	type ListKind,
	type Prompt,
	type Resource,
	type ResourceTemplate,
	type Tool,
} from '../mcp/index.js';

/** A list and how far it is; while it is loaded again, the entries before stay. */
export type ListState<T> =
	| { readonly kind: 'absent' }
	| { readonly kind: 'loading' }
	/** The first pages of a list that is loaded for the first time. */
	| { readonly kind: 'growing'; readonly items: readonly T[] }
	| { readonly kind: 'loaded'; readonly items: readonly T[] }
	| { readonly kind: 'failed'; readonly error: unknown };

interface Items {
	readonly tools: Tool;
	readonly resources: Resource;
	readonly resourceTemplates: ResourceTemplate;
	readonly prompts: Prompt;
}

type Lists = { -readonly [K in keyof Items]: ListState<Items[K]> };

/** How often a list that grows is shown as far as it is. */
const growMs = 500;
/** Real servers announce a change seven times in a burst right after the start. */
const burstMs = 100;

export class Catalog extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private readonly reloads: Readonly<Record<ListKind, Debounced>>;
	private readonly ending = new AbortController();
	private readonly lists: Lists;
	private readonly loads = { tools: 0, resources: 0, resourceTemplates: 0, prompts: 0 };
	/** Of the tools: the server has told of a change that nobody has looked at. */
	private isChanged = false;
	/** When the list of resources was last shown as far as it was. */
	private grown = 0;
	private loadingTools: Promise<void> | undefined;

	constructor(
		private readonly client: Client,
		private readonly log: Logger,
	) {
		super();
		this.lists = {
			tools: initial(client, 'tools'),
			resources: initial(client, 'resources'),
			resourceTemplates: initial(client, 'resources'),
			prompts: initial(client, 'prompts'),
		};
		const reload = (kind: ListKind): Debounced => this.own(debounce(burstMs, () => void this.load(kind)));
		this.reloads = { tools: reload('tools'), resources: reload('resources'), prompts: reload('prompts') };
		this.own(
			client.onDidChangeList(kind => {
				this.isChanged ||= kind === 'tools';
				this.reloads[kind].schedule();
			}),
		);
		this.own(toDisposable(() => this.ending.abort()));
	}

	/** Resolves when the list is there, or is known not to come; what it is then. */
	whenLoaded(kind: keyof Items): Promise<ListState<unknown>['kind']> {
		return new Promise(resolve => {
			const subscriptions = new DisposableStore();
			const look = (): void => {
				const state = this.ending.signal.aborted ? 'absent' : this.lists[kind].kind;
				if (state !== 'loading' && state !== 'growing') {
					subscriptions.dispose();
					resolve(state);
				}
			};
			subscriptions.add(this.onDidChange(look));
			subscriptions.add(onAbort(this.ending.signal, look));
			look();
		});
	}

	get tools(): ListState<Tool> {
		return this.lists.tools;
	}

	/** The tools once every change that the server has told of so far has been looked at. */
	async currentTools(): Promise<ListState<Tool>> {
		await this.whenLoaded('tools');
		await (this.isChanged ? this.load('tools') : this.loadingTools);
		return this.lists.tools;
	}

	get resources(): ListState<Resource> {
		return this.lists.resources;
	}

	get resourceTemplates(): ListState<ResourceTemplate> {
		return this.lists.resourceTemplates;
	}

	get prompts(): ListState<Prompt> {
		return this.lists.prompts;
	}

	/** Loads all lists the server has; resolves when each is loaded or has failed. */
	async loadAll(): Promise<void> {
		await Promise.all([this.load('tools'), this.load('resources'), this.load('prompts')]);
	}

	/** Asks for all lists anew, whatever the server allowed to keep; what is shown stays until the answers are there. */
	async reload(): Promise<void> {
		this.client.forgetLists();
		await this.loadAll();
	}

	private async load(kind: ListKind): Promise<void> {
		const { client, ending } = this;
		switch (kind) {
			case 'tools':
				this.isChanged = false;
				this.loadingTools = this.fill('tools', () => client.listTools(ending.signal));
				return this.loadingTools;
			case 'prompts':
				return this.fill('prompts', () => client.listPrompts(ending.signal));
			case 'resources':
				await Promise.all([
					this.fill('resources', () => client.listResources(ending.signal, items => this.grow(items))),
					this.fill('resourceTemplates', () => client.listResourceTemplates(ending.signal)),
				]);
				return;
			default:
				assertNever(kind);
		}
	}

	/** The first page at once, and then what there is from time to time; a list that was there before stays instead. */
	private grow(items: readonly Resource[]): void {
		const { kind } = this.lists.resources;
		const now = Date.now();
		if ((kind === 'loading' || (kind === 'growing' && now - this.grown >= growMs)) && !this.ending.signal.aborted) {
			this.grown = now;
			this.lists.resources = { kind: 'growing', items: items.slice() };
			this._onDidChange.fire();
		}
	}

	private async fill<K extends keyof Items>(key: K, list: () => Promise<readonly Items[K][]>): Promise<void> {
		if (this.lists[key].kind === 'absent') {
			return;
		}
		const load = ++this.loads[key];
		let state: ListState<Items[K]>;
		try {
			state = { kind: 'loaded', items: await list() };
		} catch (error) {
			if (isAbort(error)) {
				return;
			}
			const isPromised = key !== 'resourceTemplates' && this.client.session.capabilities !== undefined;
			if (isUnknownMethod(error) && !isPromised) {
				// The server was never asked what it has; or it has resources, which does not promise templates.
				state = { kind: 'absent' };
			} else {
				this.log.warn(`Could not list ${key}: ${toMessage(error)}`);
				state = { kind: 'failed', error };
			}
		}
		// An answer that a later load has overtaken is old news.
		if (load === this.loads[key] && !this.ending.signal.aborted) {
			this.lists[key] = state as Lists[K];
			this._onDidChange.fire();
		}
	}
}

function initial(client: Client, kind: ListKind): { kind: 'loading' | 'absent' } {
	return { kind: client.offers(kind) ? 'loading' : 'absent' };
}

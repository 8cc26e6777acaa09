/**
 * The lists of one running server (tools, resources, resource templates, prompts), loaded after the start and after each
 * announced change. A catalog belongs to one session, so entries of an earlier session are never shown.
 */
import { clock } from '../../base/clock.js';
import { debounce, type Debounced, onAbort } from '../../base/async.js';
import { assertNever, isAbort, toMessage } from '../../base/errors.js';
import { DisposableStore, Emitter, type Event, Owner, toDisposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import {
	type Client,
	isUnknownMethod,
	type ListKind,
	type Prompt,
	type Resource,
	type ResourceTemplate,
	type Tool,
} from '../../mcp/index.js';
import { isSignInNeeded } from './serverState.js';

/** A list and how much of it has been loaded. During a reload, the previous entries stay. */
export type ListState<T> =
	| { readonly kind: 'absent' }
	| { readonly kind: 'loading' }
	/** The first pages of a list that is loaded for the first time, or the list of another account. */
	| { readonly kind: 'growing'; readonly items: readonly T[] }
	| { readonly kind: 'loaded'; readonly items: readonly T[] }
	/** `items` are the pages that came before the failure; of the tools, none. */
	| { readonly kind: 'failed'; readonly error: unknown; readonly items: readonly T[] };

/** The entries of a list that have been loaded so far. */
export function itemsOf<T>(list: ListState<T> | undefined): readonly T[] {
	return list && 'items' in list ? list.items : [];
}

/** The tool that a server lists under this name. */
export function toolNamed({ catalog }: { readonly catalog: Catalog | undefined }, name: string): Tool | undefined {
	return itemsOf(catalog?.tools).find(it => it.name === name);
}

interface Items {
	readonly tools: Tool;
	readonly resources: Resource;
	readonly resourceTemplates: ResourceTemplate;
	readonly prompts: Prompt;
}

/** Lists that are shown a page at a time. Tools aren't: a call is judged by the complete list. */
type Growing = Exclude<keyof Items, 'tools'>;

type Lists = { -readonly [K in keyof Items]: ListState<Items[K]> };

/** Milliseconds between two updates of a list whose pages are still coming. */
const growMs = 500;
/** Milliseconds. Real servers announce a change seven times in a burst right after the start. */
const burstMs = 100;
/** The longest wait before a load, in milliseconds, for a list whose server announces a change at each load. */
const maxWaitMs = 60_000;

export class Catalog extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private readonly reloads: Readonly<Record<ListKind, Debounced>>;
	/** Milliseconds between an announced change and the load, and the time until which announcements count as echoes of a load. */
	private readonly waits: Readonly<Record<ListKind, { ms: number; echoUntil: number }>> = {
		tools: { ms: burstMs, echoUntil: 0 },
		resources: { ms: burstMs, echoUntil: 0 },
		prompts: { ms: burstMs, echoUntil: 0 },
	};
	private readonly ending = new AbortController();
	private readonly lists: Lists;
	private readonly loads = { tools: 0, resources: 0, resourceTemplates: 0, prompts: 0 };
	/** Whether the server has announced a change of the tools that wasn't loaded yet. */
	private isChanged = false;
	/** When the pages of each list were last shown, in milliseconds since 1970. */
	private readonly grown = { resources: 0, resourceTemplates: 0, prompts: 0 };
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
		const reload = (kind: ListKind): Debounced => this.own(debounce(burstMs, () => void this.loadChanged(kind)));
		this.reloads = { tools: reload('tools'), resources: reload('resources'), prompts: reload('prompts') };
		this.own(
			client.onDidChangeList(kind => {
				this.isChanged ||= kind === 'tools';
				const wait = this.waits[kind];
				if (clock.now() >= wait.echoUntil) {
					wait.ms = burstMs;
				}
				this.reloads[kind].schedule(wait.ms);
			}),
		);
		this.own(toDisposable(() => this.ending.abort()));
	}

	/** Resolves with the state of the list once it is loaded, failed or absent. */
	whenLoaded(kind: keyof Items): Promise<ListState<unknown>['kind']> {
		return this.when(() => {
			const state = this.ending.signal.aborted ? 'absent' : this.lists[kind].kind;
			return state === 'loading' || state === 'growing' ? undefined : { value: state };
		});
	}

	/** The first prompt that fits, as soon as its page has come; `undefined` once every page has. */
	findPrompt(fits: (prompt: Prompt) => boolean): Promise<Prompt | undefined> {
		return this.when(() => {
			const { prompts } = this.lists;
			const value = itemsOf(prompts).find(fits);
			const canCome = (prompts.kind === 'loading' || prompts.kind === 'growing') && !this.ending.signal.aborted;
			return value || !canCome ? { value } : undefined;
		});
	}

	/** Calls `look` now and after each change, until it returns an answer. */
	private when<T>(look: () => { readonly value: T } | undefined): Promise<T> {
		return new Promise(resolve => {
			const subscriptions = new DisposableStore();
			const update = (): void => {
				const answer = look();
				if (answer) {
					subscriptions.dispose();
					resolve(answer.value);
				}
			};
			subscriptions.add(this.onDidChange(update));
			subscriptions.add(onAbort(this.ending.signal, update));
			update();
		});
	}

	get tools(): ListState<Tool> {
		return this.lists.tools;
	}

	/** The tools, once every change that the server has announced so far has been loaded. */
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

	/** Loads all lists that the server has. Resolves when each is loaded or has failed. */
	async loadAll(): Promise<void> {
		await Promise.all([this.load('tools'), this.load('resources'), this.load('prompts')]);
	}

	/**
	 * Loads all lists again without the cache. The previous entries stay until the server answers.
	 * @param isOtherAccount the previous entries belong to another account, and are dropped if the server refuses
	 */
	async reload(isOtherAccount = false): Promise<void> {
		for (const [key, list] of Object.entries(isOtherAccount ? this.lists : {})) {
			if (list.kind === 'loaded') {
				Object.assign(this.lists, { [key]: { ...list, kind: 'growing' } });
			}
		}
		this.client.forgetLists();
		await this.loadAll();
	}

	/** Doubles the wait, because some servers announce a change whenever the list is requested (microsoft/aspire#14375). */
	private async loadChanged(kind: ListKind): Promise<void> {
		const wait = this.waits[kind];
		wait.ms = Math.min(wait.ms * 2, maxWaitMs);
		wait.echoUntil = Infinity;
		await this.load(kind);
		wait.echoUntil = clock.now() + burstMs;
	}

	private async load(kind: ListKind): Promise<void> {
		const { client, ending } = this;
		switch (kind) {
			case 'tools':
				this.isChanged = false;
				this.loadingTools = this.fill('tools', () => client.listTools(ending.signal));
				return this.loadingTools;
			case 'prompts':
				return this.fill('prompts', onPage => client.listPrompts(ending.signal, onPage));
			case 'resources':
				await Promise.all([
					this.fill('resources', onPage => client.listResources(ending.signal, onPage)),
					this.fill('resourceTemplates', onPage => client.listResourceTemplates(ending.signal, onPage)),
				]);
				return;
			default:
				assertNever(kind);
		}
	}

	/** Shows the pages so far: the first at once, the others every `growMs`. A list that was loaded before stays instead. */
	private grow<K extends Growing>(key: K, items: readonly Items[K][]): void {
		const { kind } = this.lists[key];
		const now = clock.now();
		const isDue = kind === 'loading' || (kind === 'growing' && now - this.grown[key] >= growMs);
		if (isDue && !this.ending.signal.aborted) {
			this.grown[key] = now;
			this.lists[key] = { kind: 'growing', items: items.slice() } as Lists[K];
			this._onDidChange.fire();
		}
	}

	private async fill<K extends keyof Items>(
		key: K,
		list: (onPage: (items: readonly Items[K][]) => void) => Promise<readonly Items[K][]>,
	): Promise<void> {
		if (this.lists[key].kind === 'absent') {
			return;
		}
		const load = ++this.loads[key];
		let state: ListState<Items[K]>;
		// `onPage` is given the array that further pages, and invalid entries, are added to.
		let arrived: readonly Items[K][] = [];
		let count = 0;
		try {
			const items = await list(soFar => {
				if (key !== 'tools') {
					arrived = soFar;
					count = soFar.length;
					this.grow(key, soFar);
				}
			});
			state = { kind: 'loaded', items };
		} catch (error) {
			if (isAbort(error) || this.ending.signal.aborted) {
				return;
			}
			if (isSignInNeeded(error) && this.lists[key].kind === 'loaded') {
				// The tools of before can still be called, which asks for the sign-in; then the list is loaded again.
				this.isChanged ||= key === 'tools';
				return;
			}
			const isPromised = key !== 'resourceTemplates' && this.client.session.capabilities !== undefined;
			if (isUnknownMethod(error) && !isPromised) {
				// The server didn't declare capabilities, or it declared resources, which doesn't promise templates.
				state = { kind: 'absent' };
			} else {
				this.log.warn(`Could not list ${key}: ${toMessage(error)}`);
				state = { kind: 'failed', error, items: arrived.slice(0, count) };
			}
		}
		// The result of a later load is kept.
		if (load === this.loads[key] && !this.ending.signal.aborted) {
			this.lists[key] = state as Lists[K];
			this._onDidChange.fire();
		}
	}
}

function initial(client: Client, kind: ListKind): { kind: 'loading' | 'absent' } {
	return { kind: client.offers(kind) ? 'loading' : 'absent' };
}

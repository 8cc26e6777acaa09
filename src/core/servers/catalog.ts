/**
 * What one running server offers: its four lists, loaded after the start and again when the server says
 * that they changed. Lives exactly as long as the session, so nothing shown is from an earlier one.
 */
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

/** A list and how far it is; while it is loaded again, the entries before stay. */
export type ListState<T> =
	| { readonly kind: 'absent' }
	| { readonly kind: 'loading' }
	/** The first pages of a list that is loaded for the first time. */
	| { readonly kind: 'growing'; readonly items: readonly T[] }
	| { readonly kind: 'loaded'; readonly items: readonly T[] }
	/** Of a list that is used as far as it has come, `items` are the pages before the failure. */
	| { readonly kind: 'failed'; readonly error: unknown; readonly items: readonly T[] };

/** What is there of a list so far. */
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

/** Shown and used a page at a time. Not tools: what may be called is judged by all that the server has. */
type Growing = Exclude<keyof Items, 'tools'>;

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
	/** When each list was last shown as far as it was. */
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
		return this.when(() => {
			const state = this.ending.signal.aborted ? 'absent' : this.lists[kind].kind;
			return state === 'loading' || state === 'growing' ? undefined : { value: state };
		});
	}

	/** The first prompt that fits, as soon as its page is there; `undefined` once none can come any more. */
	findPrompt(fits: (prompt: Prompt) => boolean): Promise<Prompt | undefined> {
		return this.when(() => {
			const { prompts } = this.lists;
			const value = itemsOf(prompts).find(fits);
			const canCome = (prompts.kind === 'loading' || prompts.kind === 'growing') && !this.ending.signal.aborted;
			return value || !canCome ? { value } : undefined;
		});
	}

	/** Looks now, and after each change, until there is an answer. */
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

	/** The first page at once, and then what there is from time to time; a list that was there before stays instead. */
	private grow<K extends Growing>(key: K, items: readonly Items[K][]): void {
		const { kind } = this.lists[key];
		const now = Date.now();
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
		// The array goes on growing, with what may be no good.
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
				// What there was can still be called, which asks who we are; then the list is asked for again.
				this.isChanged ||= key === 'tools';
				return;
			}
			const isPromised = key !== 'resourceTemplates' && this.client.session.capabilities !== undefined;
			if (isUnknownMethod(error) && !isPromised) {
				// The server was never asked what it has; or it has resources, which does not promise templates.
				state = { kind: 'absent' };
			} else {
				this.log.warn(`Could not list ${key}: ${toMessage(error)}`);
				state = { kind: 'failed', error, items: arrived.slice(0, count) };
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

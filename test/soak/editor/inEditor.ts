// The soak's extension: works with servers as another extension would, in the extension host of ours. Enters all that it
// begins and how it ends, and what nobody has caught. What to do it is told by `order.json` beside the workspace file.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeHeapSnapshot } from 'node:v8';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { chooseAction, GivenUp, type Scene, WrongAnswer } from './actions.js';
import { enter, type Outcome } from './ledger.js';
import { type Measure, measure } from './measure.js';
import { type Answer, faultPrefix, type Kind, ledgerName, obey, type Order } from './orders.js';
import { Random } from './random.js';

/** How long news may take. */
const newsMs = 20_000;
/** The lists of a server whose state has just changed may not be known yet. */
const calmMs = 3000;

/** A server as the soak knows it. */
interface Partner {
	/** Called when it has another number of tools. */
	readonly listeners: Set<() => void>;
	tools: number | undefined;
	state: string;
	since: number;
}

class Worker {
	private readonly partners = new Map<string, Partner>();
	private readonly open = new Set<Promise<void>>();
	/** By pool: which order it works for. */
	private readonly pools = new Map<string, object>();
	private count = 0;

	constructor(
		private readonly api: ExtensionApi,
		private readonly ledger: string,
		private readonly life: number,
	) {}

	/** Called when the state of servers may have changed. */
	look(): void {
		for (const { name, state, counts } of this.api.servers()) {
			const partner = this.partners.get(name);
			if (partner && partner.state !== state) {
				partner.state = state;
				partner.since = Date.now();
			}
			if (partner && partner.tools !== counts.tools) {
				partner.tools = counts.tools;
				[...partner.listeners].forEach(it => it());
			}
		}
	}

	work(order: Extract<Order, { do: 'work' }>): void {
		const { pool, seed, workers, kinds } = order;
		this.pools.set(pool, order);
		for (let index = 0; index < workers; index++) {
			void this.loop(new Random(seed * 1000 + index), kinds, () => this.pools.get(pool) !== order);
		}
	}

	async rest(): Promise<void> {
		this.pools.clear();
		const over = Promise.all(this.open);
		await Promise.race([over, delay(100_000)]);
	}

	/** Starts every healthy server. */
	async use(): Promise<void> {
		const healthy = this.api.servers().filter(it => !it.name.startsWith(faultPrefix));
		await Promise.all(
			healthy.map(({ name }) =>
				this.promise(name, 'use', false, async () => {
					await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: name });
				}),
			),
		);
	}

	private async loop(random: Random, kinds: Readonly<Record<string, Kind>>, isOver: () => boolean): Promise<void> {
		while (!isOver()) {
			// In the order of the plan: who runs is a matter of time, and would make other choices of the same seed.
			const name = random.pick(Object.keys(kinds));
			const [what, action] = chooseAction(kinds[name] ?? 'busy', random);
			const pause = random.below(100);
			if (this.api.servers().some(it => it.name === name)) {
				await this.promise(name, what, kinds[name] === 'fault', () => action(this.sceneOf(name, random)));
			}
			await delay(pause);
		}
	}

	/** Enters that it has begun, and what came of it. */
	private promise(server: string, what: string, isFault: boolean, run: () => Promise<void>): Promise<void> {
		const id = ++this.count;
		enter(this.ledger, { kind: 'began', at: Date.now(), id, server, what, ...(isFault && { isFault }) });
		const ended = run()
			.then((): Outcome => ({ kind: 'right' }), outcomeOf)
			.then(outcome => enter(this.ledger, { kind: 'ended', at: Date.now(), id, outcome }));
		this.open.add(ended);
		return ended.finally(() => this.open.delete(ended));
	}

	private sceneOf(name: string, random: Random): Scene {
		const partner = this.partnerOf(name);
		return {
			random,
			callTool: (tool, args, options) =>
				this.api.callTool({ server: name, tool, arguments: args, caller: 'fixture.soak' }, options),
			nonce: `${this.life}-${this.count}`,
			news: async cause => {
				const isCalm = partner.state === 'running' && Date.now() - partner.since > calmMs;
				if (!isCalm) {
					await cause();
					return;
				}
				let hear = (): void => undefined;
				const heard = new Promise<void>(resolve => {
					hear = resolve;
				});
				partner.listeners.add(hear);
				try {
					await cause();
					const late = new AbortController();
					const limit = delay(newsMs, undefined, { signal: late.signal }).then(() => {
						throw Object.assign(new Error(`nothing was told of it within ${newsMs} ms`), { code: 'noNews' });
					});
					await Promise.race([heard, limit]).finally(() => {
						limit.catch(() => undefined);
						late.abort();
					});
				} finally {
					partner.listeners.delete(hear);
				}
			},
		};
	}

	private partnerOf(name: string): Partner {
		let partner = this.partners.get(name);
		if (!partner) {
			partner = { listeners: new Set(), tools: undefined, state: '', since: Date.now() };
			this.partners.set(name, partner);
			this.look();
		}
		return partner;
	}
}

function outcomeOf(error: unknown): Outcome {
	if (error instanceof GivenUp) {
		return { kind: 'cancelled' };
	}
	if (error instanceof WrongAnswer) {
		return { kind: 'wrong', why: error.message };
	}
	const { code, message } = error as { code?: unknown; message?: unknown };
	return typeof code === 'string' && typeof message === 'string' && message !== ''
		? { kind: 'error', code, message }
		: { kind: 'wrong', why: `an error without a code: ${error instanceof Error ? error.stack : String(error)}` };
}

/**
 * An accident of what ships with the editor; or what every request to the editor ends with when its host ends, which the
 * editor itself does not count as one.
 */
function isOfEditor(reason: unknown): boolean {
	const { name, stack = '' } = reason instanceof Error ? reason : { name: '' };
	return name === 'Canceled' || /[\\/](vscode|app)[\\/]extensions[\\/]/.test(stack);
}

/** Counts the extension hosts of this workspace. */
function nextLife(folder: string): number {
	const file = path.join(folder, 'lives');
	const life = 1 + (fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0);
	fs.writeFileSync(file, String(life));
	return life;
}

function statesOf(api: ExtensionApi): Record<string, string> {
	return Object.fromEntries(api.servers().map(it => [it.name, it.state]));
}

/** The editor takes one change at a time, and is asked again until it has taken this one. @throws Error if it never does */
async function setFolder(folder: string, isThere: boolean): Promise<void> {
	const indexOf = (): number => vscode.workspace.workspaceFolders?.findIndex(it => it.uri.fsPath === folder) ?? -1;
	for (const limit = Date.now() + 20_000; indexOf() >= 0 !== isThere; await delay(200)) {
		const count = vscode.workspace.workspaceFolders?.length ?? 0;
		if (isThere) {
			vscode.workspace.updateWorkspaceFolders(count, 0, { uri: vscode.Uri.file(folder) });
		} else {
			vscode.workspace.updateWorkspaceFolders(indexOf(), 1);
		}
		if (Date.now() > limit) {
			throw new Error(`the editor does not change ${folder}`);
		}
	}
}

async function measured(snapshot: string | undefined): Promise<Measure> {
	const found = await measure();
	if (snapshot !== undefined) {
		writeHeapSnapshot(snapshot);
	}
	return found;
}

async function carryOut(order: Order, worker: Worker, api: ExtensionApi): Promise<Answer> {
	switch (order.do) {
		case 'work':
			worker.work(order);
			return {};
		case 'rest':
			await worker.rest();
			return {};
		case 'folder':
			await setFolder(order.path, order.isThere);
			return {};
		case 'reload':
			await vscode.commands.executeCommand('workbench.action.reloadWindow');
			return {};
		case 'measure':
			return { measure: await measured(order.snapshot) };
		case 'use':
			await worker.use();
			return { states: statesOf(api) };
		case 'states':
			return { states: statesOf(api) };
	}
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
	const { workspaceFile } = vscode.workspace;
	if (workspaceFile === undefined) {
		return;
	}
	const folder = path.dirname(workspaceFile.fsPath);
	const ledger = path.join(folder, ledgerName);
	const life = nextLife(folder);
	enter(ledger, { kind: 'life', at: Date.now(), life });
	const accident = (origin: string) => (reason: unknown) => {
		if (!isOfEditor(reason)) {
			const text = `${origin}: ${reason instanceof Error ? reason.stack : String(reason)}`;
			enter(ledger, { kind: 'accident', at: Date.now(), where: 'the extension host', text });
		}
	};
	process.on('unhandledRejection', accident('unhandled rejection'));
	process.on('uncaughtExceptionMonitor', accident('uncaught exception'));
	process.on('warning', accident('warning'));
	const api = await vscode.extensions.getExtension<ExtensionApi>('mcp-workbench.mcp-workbench')?.activate();
	if (api === undefined) {
		throw new Error('mcp-workbench is not installed');
	}
	// The editor's own server for JSON is a process with pipes and sockets: let it be there before anything is measured.
	await vscode.workspace.openTextDocument(workspaceFile);
	const worker = new Worker(api, ledger, life);
	api.onDidChangeServers(() => worker.look());
	let isOver = false;
	context.subscriptions.push({ dispose: () => (isOver = true) });
	void obey(
		folder,
		() => isOver,
		order => carryOut(order, worker, api),
	);
}

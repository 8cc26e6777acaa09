/**
 * The page of a tool in a bare page: its head, form, Run, results and earlier runs, with the extension's real side.
 * Over 600 lines: the tests share one setup.
 */
import * as assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { deferred } from '../../src/base/async.js';
import { Emitter } from '../../src/base/lifecycle.js';
import type { CallEnd, CallOutcome } from '../../src/core/calls/calls.js';
import type { HistoryEntry } from '../../src/core/history/historyEntry.js';
import { MessageRing } from '../../src/core/messages/messageRing.js';
import type { Server } from '../../src/core/servers/server.js';
import type { PageRun } from '../../src/editor/pages/runPage.js';
import type { RunPages } from '../../src/editor/pages/runPages.js';
import { createToolPages } from '../../src/features/tools/toolPages.js';
import type { JsonObject, Tool } from '../../src/mcp/index.js';
import { settings, ViewColumn, workspace } from '../support/vscodeDouble.js';
import { BarePage } from './barePage.js';
import { ended, text } from './resultView.js';
import { pageDeps } from './runPageDeps.js';

interface StartedRun {
	readonly args: JsonObject;
	readonly place: PageRun;
	end(it: CallEnd): void;
	fail(error: Error): void;
}

const fields = {
	name: { type: 'string', title: 'Who' },
	times: { type: 'integer', minimum: 1 },
	secret: { type: 'string', format: 'password' },
};
const greet: Tool = {
	name: 'greet',
	title: 'Greet',
	description: 'Greets <b>somebody</b>.',
	inputSchema: { type: 'object', properties: fields, required: ['name'] },
	annotations: { readOnlyHint: true },
};

describe('the page of a tool in a bare page', () => {
	let bare: BarePage;
	let pages: RunPages<Tool>;
	let tools: Tool[];
	let server: { state: { kind: string }; options: { disabledTools: string[]; hiddenFromModels: string[] } };
	const changes = new Emitter<void>();
	let ring: MessageRing;
	/** The runs that have begun. */
	let runs: StartedRun[] = [];
	/** The entries of the history. */
	let kept: HistoryEntry[] = [];
	/** The arguments of each opened comparison. */
	const diffs: unknown[] = [];

	before(async () => {
		bare = await BarePage.shared();
	});
	beforeEach(async () => {
		await bare.reset();
		ring = new MessageRing();
		tools = [greet];
		runs = [];
		kept = [];
		diffs.length = 0;
		server = fakeServer();
		pages = newPages();
	});
	afterEach(function () {
		pages.dispose();
		ring.dispose();
		assert.deepEqual(this.currentTest?.state === 'passed' ? bare.problems : [], []);
	});

	function newPages(): RunPages<Tool> {
		return createToolPages({
			...pageDeps(server as unknown as Server, changes.event, ring, {
				showDiff: async (...diff: unknown[]) => diffs.push(diff),
			}),
			accounts: { of: () => undefined },
			history: {
				get entries() {
					return kept;
				},
				loadMore: async () => undefined,
			},
			last: { get: () => undefined },
			changed: { has: () => false },
			toolTokens: { of: () => ({ tokens: 92, isEstimate: true }) },
			run: (_: Server, tool: Tool, args: JsonObject, place: PageRun) =>
				new Promise<void>((resolve, reject) => {
					const outcome = (end: CallEnd): CallOutcome =>
						({ id: place.id, server, tool, arguments: args, durationMs: 12, end }) as unknown as CallOutcome;
					const end = (it: CallEnd): void => {
						place.onOutcome(outcome(it));
						resolve();
					};
					runs.push({ args, place, end, fail: reject });
				}),
		});
	}
	function fakeServer(): typeof server {
		return {
			definition: { id: 'w#garden', name: 'garden', source: {} },
			name: 'garden',
			state: { kind: 'running' },
			options: { disabledTools: [], hiddenFromModels: [] },
			use: async () => undefined,
			catalog: {
				get tools() {
					return { kind: 'loaded', items: tools };
				},
				whenLoaded: async () => 'loaded',
			},
		} as unknown as typeof server;
	}
	async function open(): Promise<void> {
		pages.show(server as unknown as Server, greet, true);
		await bare.load();
	}
	const field = (name: string) => bare.page.getByLabel(name).first();
	async function fill(name: string, value: string): Promise<void> {
		await field(name).fill(value);
		await bare.settle();
	}
	const run = (): Promise<void> => bare.press('Control+Enter');

	it('shows what the server says about the tool as text, and the state of the server', async () => {
		await open();
		assert.equal(await bare.page.locator('h1').textContent(), 'Greet');
		assert.deepEqual(await bare.page.locator('.facts span').allTextContents(), [
			'greet',
			'garden',
			'≈ 92 tokens',
			'Running',
		]);
		assert.equal(await bare.page.locator('.quoted .text').textContent(), 'Greets <b>somebody</b>.');
		assert.deepEqual(await bare.page.locator('.badge').allTextContents(), ['Read-only', 'Uses external services']);
		assert.deepEqual(await bare.unnamed(), []);
	});

	it('is another one for a server whose name continues in the name of the tool', async () => {
		const named = (id: string) => ({ ...server, definition: { id, name: id, source: {} } }) as unknown as Server;
		pages.show(named('w#bank'), { ...greet, name: 'main/pay' }, false);
		const { panel } = bare;
		pages.show(named('w#bank/main'), { ...greet, name: 'pay' }, false);
		assert.notEqual(bare.panel, panel);
	});

	it('shows text of a server as plain text only', async () => {
		const attack = '$(zap) [free](command:x) <img src=x onerror="document.title=1"> \u202Elive\u200B';
		const inputSchema = {
			type: 'object',
			properties: { [attack]: { title: attack, description: attack, enum: [attack] } },
		};
		tools = [{ name: attack, title: attack, description: attack, inputSchema }];
		pages.show(server as unknown as Server, tools[0] as Tool, true);
		await bare.load();
		assert.equal(await bare.page.locator('body :is(a, img, iframe, script, link, style, .codicon)').count(), 0);
		assert.match(
			(await bare.page.locator('h1').textContent()) ?? '',
			/^\\u\{0024\}\(zap\) \[free\\u\{005d\}\(command:x\) <img/,
		);
		assert.doesNotMatch(await bare.page.locator('body').innerText(), /[\u202E\u200B]/);
		assert.notEqual(await bare.page.title(), '1');
	});

	it('runs by Ctrl+Enter from a field, and shows the result below', async () => {
		await open();
		await fill('Who', 'Ada');
		await run();
		assert.deepEqual(
			runs.map(it => it.args),
			[{ name: 'Ada' }],
		);
		runs[0]?.place.onProgress('3 s');
		await bare.settle();
		assert.equal(await bare.page.locator('.progress').textContent(), '3 s');
		runs[0]?.end(ended({ content: [text('Hello, Ada.')] }));
		await bare.settle();
		assert.equal(await bare.page.getByText('Done · 12 ms · 11 B', { exact: true }).count(), 1);
		assert.equal(await bare.page.locator('.panel.result pre').first().textContent(), 'Hello, Ada.');
	});

	it('shows the result of a run that was started while the schema was shown', async () => {
		await open();
		await fill('Who', 'Ada');
		await bare.click(bare.page.getByRole('tab', { name: 'Schema' }));
		await run();
		assert.equal(await bare.page.getByRole('tab', { name: 'Result' }).getAttribute('aria-selected'), 'true');
		await bare.click(bare.page.getByRole('tab', { name: 'Runs' }));
		await run();
		assert.equal(await bare.page.getByRole('tab', { name: 'Runs' }).getAttribute('aria-selected'), 'true');
	});

	it('runs again with one changed argument after one edit and one key', async () => {
		await open();
		await fill('Who', 'Ada');
		await run();
		runs[0]?.end(ended({}));
		await bare.settle();
		await fill('Who', 'Bob');
		await run();
		assert.deepEqual(
			runs.map(it => it.args),
			[{ name: 'Ada' }, { name: 'Bob' }],
		);
	});

	it('runs a tool without arguments at once, and again when the person asks for it again', async () => {
		const rest: Tool = { name: 'rest', inputSchema: { type: 'object' } };
		tools = [rest];
		pages.show(server as unknown as Server, rest, true);
		await bare.load();
		pages.show(server as unknown as Server, rest, true);
		await bare.settle();
		pages.show(server as unknown as Server, rest, false);
		await bare.settle();
		assert.deepEqual(
			runs.map(it => it.args),
			[{}, {}],
		);
	});

	it('focuses the first field of a tool with arguments, also if its page is already open', async () => {
		for (const name of ['Ada', 'Bob']) {
			pages.show(server as unknown as Server, greet, true);
			await (name === 'Ada' ? bare.load() : bare.settle());
			await bare.page.keyboard.press('Control+A');
			await bare.page.keyboard.type(name);
			await run();
		}
		assert.deepEqual(
			runs.map(it => it.args),
			[{ name: 'Ada' }, { name: 'Bob' }],
		);
	});

	it('waits for the arguments of a tool that accepts any arguments', async () => {
		const inputSchema = { type: 'object', additionalProperties: { type: 'string' } } as const;
		tools = [{ name: 'tag', inputSchema }];
		pages.show(server as unknown as Server, tools[0] as Tool, true);
		await bare.load();
		assert.equal(runs.length, 0);
		await run();
		assert.equal(runs.length, 1);
	});

	it('begins with the arguments of an earlier call, including arguments without a field', async () => {
		pages.showArguments(server as unknown as Server, greet, { name: 'Eve', loud: true });
		await bare.load();
		assert.equal(runs.length, 0);
		assert.equal(await field('Who').inputValue(), 'Eve');
		assert.equal(await bare.page.locator('.form').getByRole('group', { name: 'loud' }).count(), 1);
		await run();
		pages.showArguments(server as unknown as Server, greet, { name: 'Ada' });
		await bare.settle();
		await run();
		assert.deepEqual(
			runs.map(it => it.args),
			[{ name: 'Eve', loud: true }, { name: 'Ada' }],
		);
	});

	it('shows the outcome of a call from elsewhere, and uses its arguments, without taking the focus', async () => {
		const call = { id: 'h', server, tool: greet, arguments: { name: 'Eve' }, durationMs: 12 };
		const outcome = (it: string): CallOutcome =>
			({ ...call, end: ended({ content: [text(it)] }) }) as unknown as CallOutcome;
		pages.showOutcome(greet, outcome('Hello, Eve.'));
		assert.deepEqual(bare.panel?.place, { viewColumn: ViewColumn.Active, preserveFocus: true });
		await bare.load();
		assert.equal(await bare.page.locator('.panel.result pre').first().textContent(), 'Hello, Eve.');
		pages.showOutcome(greet, outcome('Hello again.'));
		await bare.settle();
		assert.equal(await bare.page.locator('.panel.result pre').first().textContent(), 'Hello again.');
		assert.ok(bare.panel?.reveals.every(([, preservesFocus]) => preservesFocus === true));
		await bare.click(bare.page.getByRole('tab', { name: 'Runs' }));
		await bare.click(bare.page.locator('.runs .run').nth(1).getByRole('button', { name: 'Use Arguments' }));
		assert.equal(await field('Who').inputValue(), 'Eve');
		assert.deepEqual(runs, []);
	});

	it('begins with the defaults of required arguments', async () => {
		const properties = { kind: { const: 'x' }, size: { type: 'integer', default: 3 }, more: { default: 1 } };
		tools = [{ ...greet, inputSchema: { type: 'object', properties, required: ['kind', 'size'] } }];
		await open();
		await run();
		assert.deepEqual(
			runs.map(it => it.args),
			[{ kind: 'x', size: 3 }],
		);
	});

	it('shows which value is invalid and does not run, but can run anyway', async () => {
		await open();
		await run();
		assert.equal(runs.length, 0);
		assert.equal(await field('Who').getAttribute('aria-invalid'), 'true');
		await bare.click(bare.button('Run Anyway'));
		assert.deepEqual(
			runs.map(it => it.args),
			[{}],
		);
	});

	it('cancels every run of the page', async () => {
		await open();
		await fill('Who', 'Ada');
		await run();
		await run();
		await bare.click(bare.button('Cancel'));
		assert.deepEqual(
			runs.map(it => it.place.signal.aborted),
			[true, true],
		);
	});

	it('lists its runs, shows the result of an earlier run, and uses its arguments', async () => {
		await open();
		for (const name of ['Ada', 'Bob']) {
			await fill('Who', name);
			await run();
			runs[runs.length - 1]?.end(ended({ content: [text(`Hello, ${name}.`)] }));
			await bare.settle();
		}
		await bare.click(bare.page.getByRole('tab', { name: 'Runs' }));
		assert.deepEqual(await bare.page.locator('.runs code').allTextContents(), ['{"name":"Bob"}', '{"name":"Ada"}']);
		await bare.click(bare.page.locator('.runs .run').nth(1).getByRole('button').first());
		assert.equal(await bare.page.locator('.panel.result pre').first().textContent(), 'Hello, Ada.');
		const shown = bare.page.locator('.runs .run:has([aria-current=true])');
		assert.deepEqual(await shown.locator('code').allTextContents(), ['{"name":"Ada"}']);
		const [time = ''] = (await shown.locator('button').first().textContent())?.split(' · ') ?? [];
		assert.equal(await bare.page.locator('.panel.result > .started').textContent(), `Started: ${time}`);
		await bare.click(bare.page.getByRole('tab', { name: 'Runs' }));
		await bare.click(bare.page.locator('.runs .run').nth(1).getByRole('button', { name: 'Use Arguments' }));
		assert.equal(await field('Who').inputValue(), 'Ada');
	});

	it('lists runs of the history, shows their results, and compares a result with the shown one', async () => {
		const entry = (id: string, args: JsonObject, more: object = {}): HistoryEntry => {
			const result = { content: [{ type: 'text', text: `Hello from ${id}.` }] };
			const end = { kind: 'answered', result, isError: false };
			const caller = { kind: 'person' };
			const of = { kind: 'call', serverId: 'w#garden', tool: 'greet', time: 1000, durationMs: 5, caller };
			return { ...of, id, arguments: args, end, isCut: { arguments: false, result: false }, ...more } as never;
		};
		kept = [
			entry('third', { name: 'Cy' }, { caller: { kind: 'model' } }),
			entry('second', { name: '<redacted>' }, { isCut: { arguments: true, result: false } }),
			entry('other', {}, { tool: 'dig' }),
			entry('elsewhere', {}, { serverId: 'w#other' }),
			entry('denied', {}, { end: { kind: 'denied' } }),
			entry('first', { name: 'Ada' }, { time: 500 }),
		];
		await open();
		await bare.click(bare.page.getByRole('tab', { name: 'Runs' }));
		const rows = bare.page.locator('.runs .run');
		const shown = ['{"name":"Cy"}', '{"name":"<redacted>"}', '{"name":"Ada"}'];
		assert.deepEqual(await rows.locator('code').allTextContents(), shown);
		assert.match((await rows.nth(0).getByRole('button').first().textContent()) ?? '', / · 5 ms · \d+ B · Model$/);
		assert.match((await rows.nth(2).getByRole('button').first().textContent()) ?? '', / · 5 ms · \d+ B$/);
		assert.equal(await rows.nth(1).getByRole('button', { name: 'Use Arguments' }).count(), 0);
		await bare.click(rows.nth(2).getByRole('button').first());
		assert.equal(await bare.page.locator('.panel.result pre').first().textContent(), 'Hello from first.');
		await bare.click(bare.page.getByRole('tab', { name: 'Runs' }));
		assert.equal(await rows.nth(2).getByRole('button', { name: 'Compare with Shown Result' }).count(), 0);
		await bare.click(rows.nth(0).getByRole('button', { name: 'Compare with Shown Result' }));
		const [[, left, right] = []] = diffs as string[][];
		assert.match(left ?? '', /Hello from first/);
		assert.match(right ?? '', /Hello from third/);
		await bare.click(rows.nth(0).getByRole('button', { name: 'Use Arguments' }));
		assert.equal(await field('Who').inputValue(), 'Cy');
		assert.deepEqual(await bare.unnamed(), []);
	});

	it('lists the messages of the shown run, and restores the arguments of a request', async () => {
		await open();
		await fill('Who', 'Ada');
		await run();
		const { place } = runs[0] as StartedRun;
		const source = { id: 'w#garden', name: 'garden' } as never;
		const recorder = ring.recorderFor(source);
		const channel = recorder.open({ connection: 1, direction: 'sent' });
		const send = (id: number, callId: string, args: JsonObject): void => {
			const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'greet', arguments: args } };
			const origin = { callId, caller: { kind: 'person' } };
			recorder.message(channel, { value: message, text: JSON.stringify(message) }, origin);
		};
		send(1, place.id, { name: 'Eve' });
		send(2, 'other', { name: 'Mallory' });
		runs[0]?.end(ended({}));
		await bare.settle();
		await bare.click(bare.page.getByRole('tab', { name: 'Messages' }));
		const rows = bare.page.locator('.panel.messages [role=rowgroup] [role=row]');
		assert.equal(await rows.count(), 1);
		await bare.click(rows.first());
		assert.match((await bare.page.locator('.panel.messages pre').first().textContent()) ?? '', /Eve/);
		const parts = bare.page.locator('.panel.messages .parts');
		assert.equal(await parts.evaluate(it => it.scrollHeight - it.clientHeight), 0, 'a short message is shown whole');
		await bare.click(bare.button('Edit and Resend'));
		assert.equal(await field('Who').inputValue(), 'Eve');
		assert.equal(await bare.page.locator('.progress').textContent(), 'The arguments are in the form.');
	});

	it('restored from an earlier session, shows the schema once its server lists the tool', async () => {
		await open();
		const state = { server: 'w#garden', name: 'greet' };
		await bare.page.evaluate(`sessionStorage.setItem('state', '${JSON.stringify(state)}')`);
		bare.panel?.dispose();
		tools = [];
		server.state.kind = 'stopped';
		await bare.restore();
		const names = (): Promise<string[]> => bare.page.getByRole('tab').allTextContents();
		assert.deepEqual(await names(), ['Result', 'Messages', 'Runs']);
		tools = [greet];
		server.state.kind = 'running';
		changes.fire();
		await bare.settle();
		assert.deepEqual(await names(), ['Result', 'Messages', 'Schema', 'Runs']);
		await bare.page.getByRole('tab', { name: 'Messages' }).focus();
		await bare.press('ArrowRight');
		assert.match((await bare.page.locator('.panel.schema pre').textContent()) ?? '', /"title": "Who"/);
	});

	it('has no problem that axe finds', async () => {
		await open();
		await run();
		assert.deepEqual(await bare.axeInThemes(), []);
		await fill('Who', 'Ada');
		await run();
		const structuredContent = { said: 'Hello', to: [{ name: 'Ada' }], count: 1, isLoud: false };
		runs[0]?.end(ended({ content: [text('Hello, Ada.')], structuredContent }));
		await bare.settle();
		await bare.click(bare.page.getByRole('treeitem', { name: 'to' }));
		assert.deepEqual(await bare.axeInThemes(), []);
		await bare.click(bare.page.getByRole('tab', { name: 'Runs' }));
		assert.deepEqual(await bare.axeInThemes(), []);
	});

	it('keeps what was entered when the schema of the tool changes', async () => {
		await open();
		await fill('Who', 'Ada');
		const properties = { ...fields, loud: { type: 'boolean' } };
		tools = [{ ...greet, inputSchema: { ...greet.inputSchema, properties } }];
		changes.fire();
		await bare.settle();
		assert.equal(await field('Who').inputValue(), 'Ada');
		assert.equal(await bare.page.locator('.form').getByText('loud').count(), 1);
	});

	it('shows why a run could not start, and that a tool is disabled', async () => {
		await open();
		await fill('Who', 'Ada');
		await run();
		runs[0]?.fail(new Error('The server is gone.'));
		await bare.settle();
		assert.equal(await bare.page.getByRole('alert').first().textContent(), 'The server is gone.');
		server.options.disabledTools = ['greet'];
		changes.fire();
		await bare.settle();
		assert.equal(await bare.page.locator('.notice span').first().textContent(), 'The tool is disabled.');
		assert.equal(await bare.button('Enable').count(), 1);
		await run();
		assert.equal(runs.length, 1);
		assert.equal(await bare.page.getByRole('alert').first().textContent(), 'The tool is disabled.');
		assert.equal(await bare.button('Cancel').isVisible(), false);
		assert.equal(await bare.page.getByRole('switch').count(), 0);
	});

	it('runs once while its key is held down', async () => {
		const { keyboard } = bare.page;
		await open();
		await fill('Who', 'Ada');
		await keyboard.down('Control');
		await keyboard.down('Enter');
		await bare.press('Enter');
		await keyboard.up('Control');
		assert.equal(runs.length, 1);
		await bare.button('Run Ctrl+Enter').focus();
		await keyboard.down('Enter');
		await bare.press('Enter');
		assert.equal(runs.length, 2);
	});

	it('ignores a key that was pressed before the page got the focus again', async () => {
		pages.showArguments(server as unknown as Server, greet, { name: 'Eve' });
		await bare.load();
		await bare.button('Run Ctrl+Enter').focus();
		await bare.press('Enter');
		assert.equal(runs.length, 0);
		await bare.press('Tab');
		await bare.press('Shift+Tab');
		await bare.press('Enter');
		assert.equal(runs.length, 1);
	});

	it('makes no call that was cancelled during the start of its server, or whose page was closed', async () => {
		const starting = deferred<void>();
		Object.assign(server, { use: () => starting.promise });
		await open();
		await fill('Who', 'Ada');
		await run();
		await bare.click(bare.button('Cancel'));
		assert.equal(await bare.page.locator('.progress.active').count(), 0);
		await run();
		bare.panel?.dispose();
		starting.resolve();
		await new Promise(setImmediate);
		assert.equal(runs.length, 0);
	});

	it('shows all arguments that it sends', async () => {
		const wrap = (name: string, of: JsonObject): JsonObject => ({ type: 'object', properties: { [name]: of } });
		const inputSchema = wrap('a', wrap('b', wrap('c', wrap('d', wrap('hidden', {})))));
		tools = [{ ...greet, inputSchema }];
		await open();
		const value = { a: { b: { c: { d: { hidden: 'x' } } } } };
		// Another extension can open a tab whose state ours gets after a reload of the window.
		const state = { server: 'w#garden', name: 'greet', form: { value, unfinished: [], variants: {} } };
		await bare.page.evaluate(`sessionStorage.setItem('state', '${JSON.stringify(state)}')`);
		await bare.load();
		await run();
		assert.deepEqual(runs[0]?.args, value);
		assert.ok(await field('hidden').isVisible());
	});

	it('lists no secrets', async () => {
		await open();
		await fill('Who', 'Ada');
		await fill('secret', 'hunter2');
		await run();
		assert.equal(await bare.page.locator('.runs code').textContent(), '{"name":"Ada","secret":"<redacted>"}');
		assert.equal(runs[0]?.args['secret'], 'hunter2');
	});

	it('turns the tool off for models in this workspace with one click, and on again in all scopes', async () => {
		workspace.workspaceFolders = [];
		const tools = 'mcpWorkbench.tools';
		try {
			await open();
			const models = bare.page.getByRole('switch', { name: 'On for models' });
			await models.click();
			await bare.settle();
			assert.deepEqual(settings.get(tools), { workspaceValue: { garden: { hiddenFromModels: ['greet'] } } });
			server.options.hiddenFromModels = ['greet'];
			settings.set(tools, {
				...settings.get(tools),
				globalValue: { garden: { hiddenFromModels: ['greet', 'other'] } },
			});
			pages.refresh();
			await bare.settle();
			assert.equal(await models.isChecked(), false);
			await models.click();
			await bare.settle();
			assert.deepEqual(settings.get(tools), {
				globalValue: { garden: { hiddenFromModels: ['other'] } },
				workspaceValue: undefined,
			});
		} finally {
			workspace.workspaceFolders = undefined;
			settings.clear();
		}
	});

	it('keeps the focus, or moves it nearby, when the focused element is replaced or hidden', async () => {
		const seen: string[] = [];
		/** Has the page redrawn while an element has the focus. */
		async function redraw(focused: Locator, change: () => unknown): Promise<void> {
			await focused.focus();
			await change();
			changes.fire();
			await bare.settle();
			await bare.until('the focus', 'document.activeElement !== document.body');
			seen.push(await bare.focused());
		}
		const end = (): void => runs[runs.length - 1]?.end(ended({ content: [text('Hello.')] }));
		server.options.disabledTools = ['greet'];
		await open();
		await redraw(bare.button('Enable'), () => (server.options.disabledTools = []));
		await redraw(bare.page.getByRole('switch'), () => (server.options.hiddenFromModels = ['greet']));
		await run();
		await fill('Who', 'Ada');
		await redraw(bare.button('Run Anyway'), () => bare.press('Enter'));
		await redraw(bare.button('Cancel'), end);
		await run();
		await redraw(bare.button('Copy As…'), end);
		await bare.click(bare.page.getByRole('tab', { name: 'Runs' }));
		await redraw(bare.page.locator('.runs .run').nth(1).getByRole('button').nth(1), run);
		await redraw(bare.page.locator('.runs .run').nth(1).getByRole('button').first(), () => bare.press('Enter'));
		assert.deepEqual(seen, [
			'Greet',
			'On for models',
			'Run\nCtrl+Enter',
			'Run\nCtrl+Enter',
			'Result',
			'Runs',
			'Result',
		]);
	});

	it('keeps no secret when the window is reloaded', async () => {
		await open();
		await fill('Who', 'Ada');
		await fill('secret', 'hunter2');
		await bare.page.evaluate('document.activeElement.blur()');
		const kept = await bare.page.evaluate<string>(`sessionStorage.getItem('state')`);
		assert.match(kept, /Ada/);
		assert.doesNotMatch(kept, /hunter2/);
	});

	it('keeps no value that looks like a secret when the window is reloaded', async () => {
		const secrets = '{"headers": {"Authorization": "hunter2"}, "list": ["ghp_0123456789abcdef"]}';
		tools = [{ ...greet, inputSchema: { type: 'object', properties: { any: {}, note: { type: 'string' } } } }];
		await open();
		await fill('note', 'ghp_0123456789abcdef');
		await fill('any', secrets.slice(0, -1));
		const kept = async (): Promise<string> => {
			await bare.page.evaluate('document.activeElement.blur()');
			return bare.page.evaluate<string>(`sessionStorage.getItem('state')`);
		};
		assert.doesNotMatch(await kept(), /hunter2|ghp_/);
		await fill('any', secrets);
		assert.match(await kept(), /"any":\{"headers":\{\},"list":\[\]\}/);
		await bare.click(bare.button('Edit as JSON'));
		assert.doesNotMatch(await kept(), /hunter2|ghp_/);
	});
});

/** The pages of prompts and resource templates in a bare page, with the real code on the extension's side. */
import * as assert from 'node:assert/strict';
import { deferred } from '../../src/base/async.js';
import { Emitter } from '../../src/base/lifecycle.js';
import type { CallOutcome } from '../../src/core/calls/calls.js';
import { MessageRing } from '../../src/core/messages/messageRing.js';
import type { Server } from '../../src/core/servers/server.js';
import type { RunPages } from '../../src/editor/pages/runPages.js';
import { createPromptPages } from '../../src/features/prompts/promptPages.js';
import { createTemplatePages } from '../../src/features/resources/templatePages.js';
import { type Prompt, type ResourceTemplate, RpcError } from '../../src/mcp/index.js';
import { commands, env } from '../support/vscodeDouble.js';
import { BarePage } from './barePage.js';
import { ended, text } from './resultView.js';
import { pageDeps } from './runPageDeps.js';

const weather: Prompt = {
	name: 'weather',
	title: 'Weather',
	description: 'Asks about <b>weather</b>.',
	arguments: [
		{ name: 'country', required: true },
		{ name: 'city', description: 'Of the country' },
	],
};
const note: ResourceTemplate = { name: 'Note', uriTemplate: 'lib://note/{id}{?part}' };

describe('in a bare page', () => {
	let bare: BarePage;
	let ring: MessageRing;
	let owned: { dispose(): void };
	const changes = new Emitter<void>();
	let prompts: readonly Prompt[];
	/** How much of the list of prompts has been loaded. */
	let listed: 'loading' | 'loaded';
	/** The requests that the server has received, with their parameters. */
	const asked: unknown[] = [];
	/** The values that the server suggests. */
	let suggested: readonly string[] = [];
	/** Resolved once values for `city` were requested. */
	let completed = deferred<void>();
	const server = {
		definition: { id: 'w#garden', name: 'garden', source: {} },
		name: 'garden',
		state: { kind: 'running' },
		onDidChange: changes.event,
		use: async () => undefined,
		client: {
			session: { protocolVersion: '2025-06-18' },
			offers: () => true,
			forgetResource: (uri: string) => asked.push(`forget ${uri}`),
			complete: async (ref: unknown, argument: { readonly name: string }, context: unknown) => {
				if (argument.name === 'city') {
					asked.push([ref, argument, context]);
					setImmediate(() => completed.resolve());
				}
				return { values: suggested, total: undefined, hasMore: false };
			},
		},
		catalog: {
			get prompts() {
				return { kind: listed, items: prompts };
			},
			resourceTemplates: { kind: 'loaded', items: [note] },
			whenLoaded: async () => 'loaded',
		},
	} as unknown as Server;

	before(async () => {
		bare = await BarePage.shared();
	});
	beforeEach(async () => {
		await bare.reset();
		ring = new MessageRing();
		asked.length = 0;
		suggested = [];
		prompts = [weather];
		listed = 'loaded';
		Object.assign(server, { state: { kind: 'running' } });
		completed = deferred<void>();
	});
	afterEach(function () {
		owned.dispose();
		ring.dispose();
		assert.deepEqual(this.currentTest?.state === 'passed' ? bare.problems : [], []);
	});

	const field = (name: string) => bare.page.getByLabel(name, { exact: true }).first();
	async function fill(name: string, value: string): Promise<void> {
		await field(name).fill(value);
		await bare.settle();
	}
	/** Gives the server another state and other prompts. */
	async function change(state: string, items: Prompt[]): Promise<void> {
		Object.assign(server, { state: { kind: state } });
		prompts = items;
		changes.fire();
		await bare.settle();
	}
	const tabs = (): Promise<string[]> => bare.page.getByRole('tab').allTextContents();

	describe('the page of a prompt', () => {
		let pages: RunPages<Prompt>;
		const used: string[] = [];

		beforeEach(() => {
			used.length = 0;
			owned = pages = createPromptPages(pageDeps(server, changes.event, ring), async (_, prompt, values, place) => {
				asked.push(values);
				place.onOutcome({
					server,
					tool: { name: `/${prompt.name}`, inputSchema: {} },
					arguments: values,
					durationMs: 5,
					end: ended({ content: [text('Sunny?'), text('Yes.')] }),
					prompt: { roles: ['user', 'assistant'], description: 'About <b>rain</b>\u202E.' },
					uses: [{ label: 'Insert at Cursor', icon: 'insert', run: () => used.push('insert') }],
				} satisfies CallOutcome);
			});
		});
		async function open(): Promise<void> {
			pages.show(server, weather, true);
			await bare.load();
		}

		it('has a field for each argument, and no parts that only tools have', async () => {
			await open();
			assert.equal(bare.panel?.title, '/weather · garden');
			assert.equal(await bare.page.locator('h1').textContent(), 'Weather');
			assert.deepEqual(await bare.page.locator('.facts span').allTextContents(), ['/weather', 'garden', 'Running']);
			assert.equal(await bare.page.locator('.quoted .text').textContent(), 'Asks about <b>weather</b>.');
			assert.deepEqual(await tabs(), ['Result', 'Messages', 'Runs']);
			const notes = await bare.page.locator('.panel .note').allTextContents();
			assert.deepEqual(notes, ['Run the prompt to see its result here.', 'No runs yet', 'No runs yet']);
			assert.equal(await bare.page.getByRole('switch').count(), 0);
			assert.deepEqual([await bare.unnamed(), await bare.axeInThemes()], [[], []]);
		});

		it('runs with text arguments, and shows the messages with buttons to use them', async () => {
			await open();
			await bare.press('Control+Enter');
			assert.deepEqual(asked, [], 'a required argument is missing');
			await fill('country', 'Peru');
			await bare.press('Control+Enter');
			assert.deepEqual(asked.at(-1), { country: 'Peru' });
			assert.deepEqual(await bare.page.locator('.block .role').allTextContents(), ['User', 'Assistant']);
			assert.deepEqual([await bare.unnamed(), await bare.axeInThemes()], [[], []]);
			const description = await bare.page.locator('.panel.result .quoted .text').textContent();
			assert.equal(description, 'About <b>rain</b>\\u{202e}.');
			const buttons = bare.page.locator('.toolbar button');
			assert.equal(await buttons.locator('.icon').count(), await buttons.count());
			await bare.click(bare.button('Insert at Cursor'));
			assert.deepEqual(used, ['insert']);
		});

		it('gets a click, although the field that it leaves gets a problem', async () => {
			await open();
			const tab = bare.page.getByRole('tab', { name: 'Runs' });
			await tab.hover();
			await bare.page.mouse.down();
			await bare.settle();
			await bare.page.mouse.up();
			await bare.settle();
			assert.equal(await tab.getAttribute('aria-selected'), 'true');
			await bare.page.locator('.field .problem', { hasText: 'Required' }).waitFor();
		});

		it('has the arguments of a run from elsewhere in its form, unless the person has filled it', async () => {
			const outcome = (country: string): CallOutcome => ({
				server,
				tool: { name: '/weather', inputSchema: {} },
				arguments: { country },
				durationMs: 5,
				end: ended({ content: [text('Sunny?')] }),
				prompt: { roles: ['user'], description: undefined },
			});
			pages.showOutcome(weather, outcome('Peru'));
			await bare.load();
			assert.equal(await field('country').inputValue(), 'Peru');
			await fill('country', 'Chile');
			pages.showOutcome(weather, outcome('Peru'));
			await bare.settle();
			assert.equal(await field('country').inputValue(), 'Chile');
		});

		it('suggests values by keyboard alone, until the prompt is run', async () => {
			suggested = ['Cusco', 'Lima'];
			await open();
			await fill('country', 'Peru');
			await bare.press('Tab');
			await completed.promise;
			await bare.settle();
			await bare.press('ArrowDown');
			await bare.press('Enter');
			assert.equal(await field('city').inputValue(), 'Cusco');
			completed = deferred();
			await bare.press('ArrowDown');
			await completed.promise;
			await bare.settle();
			const list = bare.page.getByRole('listbox', { name: 'city' });
			assert.equal(await list.isVisible(), true);
			await bare.press('Control+Enter');
			assert.equal(await list.isVisible(), false);
			completed = deferred();
			await bare.press('ArrowDown');
			await bare.press('Control+Enter');
			await completed.promise;
			await bare.settle();
			assert.equal(await list.isVisible(), false, 'values that come late are not shown');
		});

		it('suggests values for a field that Tab enters, and takes the one that an arrow key has chosen by Tab', async () => {
			suggested = ['Cusco', 'Lima'];
			await open();
			await fill('city', 'Lima');
			await completed.promise;
			await field('country').focus();
			const list = bare.page.getByRole('listbox', { name: 'city' });
			const enter = async (key: string): Promise<void> => {
				completed = deferred();
				await bare.press(key);
				await completed.promise;
				await bare.settle();
				assert.equal(await list.isVisible(), true);
			};
			await enter('Tab');
			assert.deepEqual(await list.getByRole('option').allTextContents(), ['Cusco']);
			await bare.press('Tab');
			assert.deepEqual([await bare.focused(), await field('city').inputValue()], ['Run\nCtrl+Enter', 'Lima']);
			await enter('Shift+Tab');
			await bare.press('ArrowDown');
			await bare.press('Tab');
			assert.deepEqual([await bare.focused(), await field('city').inputValue()], ['Run\nCtrl+Enter', 'Cusco']);
		});

		it('shows the field that has the focus above the buttons in a low page', async () => {
			await bare.page.setViewportSize({ width: 400, height: 300 });
			await open();
			await bare.press('Control+Enter');
			const buttons = await bare.page.locator('.bar').boundingBox();
			const focused = await bare.page.locator('.input:focus').boundingBox();
			assert.ok(buttons && focused && focused.y + focused.height <= buttons.y, JSON.stringify({ buttons, focused }));
		});

		it('shows the title that the server gives, and whole lines of a long description', async () => {
			prompts = [{ ...weather, title: 'Costs $(many)', description: 'Asks about weather. '.repeat(200) }];
			await open();
			assert.equal(await bare.page.locator('h1').textContent(), 'Costs $(many)');
			const lines = await bare.page.evaluate<number>(
				`(it => (it.getBoundingClientRect().height - 4) / parseFloat(getComputedStyle(it).lineHeight))(document.querySelector('.quoted'))`,
			);
			assert.equal(lines.toFixed(2), '9.00');
		});

		it('is said to be gone only after the prompts were listed', async () => {
			await open();
			listed = 'loading';
			await change('running', []);
			const notice = bare.page.locator('.notice');
			assert.equal(await notice.count(), 0);
			listed = 'loaded';
			await change('running', []);
			assert.equal(await notice.textContent(), 'The server no longer offers this prompt.');
		});

		it('completes an argument as it is typed, with the others as context', async () => {
			suggested = ['Cusco', 'Lima\u202E', 'C'];
			await open();
			await fill('country', 'Peru');
			await fill('city', 'C');
			await completed.promise;
			await bare.settle();
			const context = { country: 'Peru' };
			assert.deepEqual(asked, [[{ type: 'ref/prompt', name: 'weather' }, { name: 'city', value: 'C' }, context]]);
			const options = bare.page.getByRole('listbox', { name: 'city' }).getByRole('option');
			assert.deepEqual(await options.allTextContents(), ['Cusco', 'Lima\\u{202e}']);
			assert.deepEqual([await bare.unnamed(), await bare.axeInThemes()], [[], []]);
			await bare.press('ArrowDown');
			assert.equal(await bare.page.locator('[aria-selected=true][role=option]').textContent(), 'Cusco');
			await bare.press('Enter');
			assert.equal(await field('city').inputValue(), 'Cusco');
			assert.equal(await options.first().isVisible(), false);
			await bare.press('Control+Enter');
			assert.deepEqual(asked.at(-1), { country: 'Peru', city: 'Cusco' });
			assert.equal(await bare.page.evaluate('document.activeElement.value'), 'Cusco', 'the focus stays');
		});
	});

	describe('by keyboard alone', () => {
		const seen: string[] = [];
		/** Presses keys, and records what has the focus after each. */
		async function press(...keys: string[]): Promise<void> {
			for (const key of keys) {
				await bare.press(key);
				seen.push(`${key}: ${await bare.focused()}`);
			}
		}
		beforeEach(async () => {
			seen.length = 0;
			const pages = createPromptPages(pageDeps(server, changes.event, ring), async () => undefined);
			owned = pages;
			pages.show(server, weather, true);
			await bare.load();
		});

		it('goes from the head to the form, the buttons and the tabs', async () => {
			await bare.page.locator('h1').focus();
			await press(
				...Array.from({ length: 6 }, () => 'Tab'),
				'ArrowRight',
				'ArrowRight',
				'ArrowRight',
				'ArrowLeft',
				'Home',
				'End',
			);
			assert.deepEqual(seen, [
				'Tab: country',
				'Tab: city',
				'Tab: Run\nCtrl+Enter',
				'Tab: Edit as JSON',
				'Tab: Copy Request As…',
				'Tab: Result',
				'ArrowRight: Messages',
				'ArrowRight: Runs',
				'ArrowRight: Result',
				'ArrowLeft: Runs',
				'Home: Result',
				'End: Runs',
			]);
		});

		it('keeps Enter and Escape in a field', async () => {
			await bare.page.evaluate(`globalThis.keys = []; addEventListener('keydown', it => keys.push(it.key))`);
			suggested = ['Cusco'];
			await fill('city', 'C');
			await completed.promise;
			await bare.settle();
			const list = bare.page.getByRole('listbox');
			assert.ok(await list.isVisible());
			await press('Escape');
			assert.equal(await list.isVisible(), false);
			assert.equal(await field('city').inputValue(), 'C');
			await press('Enter', 'Escape');
			assert.deepEqual(seen, ['Escape: city', 'Enter: city', 'Escape: city']);
			assert.deepEqual(await bare.page.evaluate('keys'), ['Enter', 'Escape']);
		});

		it('stays in the form and its buttons', async () => {
			await field('city').focus();
			await press('Tab', 'Tab', 'Enter', 'Tab', 'Tab', 'Enter', 'Control+Enter', 'Tab', 'Tab', 'Tab', 'Enter');
			assert.deepEqual(seen, [
				'Tab: Run\nCtrl+Enter',
				'Tab: Edit as JSON',
				'Enter: JSON',
				'Tab: Run\nCtrl+Enter',
				'Tab: Edit as Form',
				'Enter: country',
				'Control+Enter: country',
				'Tab: city',
				'Tab: Run\nCtrl+Enter',
				'Tab: Run Anyway',
				'Enter: Run Anyway',
			]);
		});
	});

	it('shows what was entered before a reload of the window as soon as the server is started', async () => {
		const args = [{ name: 'country' }, { name: 'city' }, { name: 'token' }];
		prompts = [{ name: 'weather', arguments: args }];
		const newPages = () =>
			(owned = createPromptPages(pageDeps(server, changes.event, ring), async () => void asked.push('run')));
		newPages().show(server, { name: 'weather', arguments: args }, true);
		await bare.load();
		for (const { name } of args) {
			await fill(name, `my ${name}`);
		}
		await bare.page.evaluate('document.activeElement.blur()');
		owned.dispose();
		await change('stopped', []);
		// Without the completions, which a slow test has asked for during typing.
		asked.length = 0;
		newPages();
		await bare.restore();
		const notice = bare.page.locator('.notice');
		assert.equal(await notice.textContent(), 'Start the server to show the arguments. What you entered is kept.');
		await bare.press('Control+Enter');
		assert.deepEqual(asked, []);
		assert.deepEqual([await field('city').count(), await bare.button('Run Ctrl+Enter').isVisible()], [0, false]);
		assert.deepEqual([await bare.unnamed(), await bare.axeInThemes()], [[], []]);
		await bare.button('Start').focus();
		await change('running', [{ name: 'weather', arguments: args }]);
		assert.equal(await notice.count(), 0);
		await bare.page.locator('h1:focus').waitFor();
		const shown = args.map(({ name }) => field(name).inputValue());
		assert.deepEqual(await Promise.all(shown), ['my country', 'my city', '']);
	});

	it('keeps what was entered over JSON, a stopped server, other arguments, and a view that is created again', async () => {
		const { arguments: args = [] } = weather;
		const withToken = { ...weather, arguments: [...args, { name: 'token' }] };
		prompts = [withToken];
		const pages = createPromptPages(pageDeps(server, changes.event, ring), async (_, _prompt, values) => {
			asked.push(values);
		});
		owned = pages;
		pages.show(server, withToken, true);
		await bare.load();
		const values = { country: 'Peru\nand Chile', city: 'Lima', token: 'hunter2' };
		for (const [name, value] of Object.entries(values)) {
			await fill(name, value);
		}
		const run = async (what: string): Promise<void> => {
			await bare.press('Control+Enter');
			assert.deepEqual(asked.pop(), values, what);
		};
		await bare.click(bare.button('Edit as JSON'));
		await run('as JSON');
		await bare.click(bare.button('Edit as Form'));
		await run('as fields');
		await change('stopped', []);
		assert.equal(await field('city').inputValue(), 'Lima');
		await change('running', [weather]);
		assert.equal(await bare.page.getByRole('group', { name: 'token' }).locator('.masked').count(), 1, 'as an entry');
		await change('running', [withToken]);
		assert.equal(await field('token').getAttribute('type'), 'password');
		await run('with the argument again');
		await bare.load();
		await run('in a new view');
		await bare.click(bare.button('Edit as JSON'));
		const json = bare.page.getByRole('textbox', { name: 'JSON', exact: true });
		await json.fill('{"country": ');
		await bare.page.evaluate('document.activeElement.blur()');
		await bare.settle();
		await change('stopped', []);
		await change('running', [weather]);
		assert.equal(await json.inputValue(), '{"country": ');
	});

	describe('the page of a resource template', () => {
		let pages: RunPages<ResourceTemplate>;
		let contents: (signal: AbortSignal | undefined) => unknown;
		const { executeCommand } = commands;

		beforeEach(() => {
			contents = () => [{ uri: 'lib://note/7', text: 'Water the beans.' }];
			owned = pages = createTemplatePages({
				...pageDeps(server, changes.event, ring),
				pending: { mayHoldUp: () => false },
				interactions: {
					read: async ({ uri, caller, options }, signal) => {
						asked.push(`${caller.kind} reads ${uri}`);
						options?.onProgress?.({ progress: 2, total: 5, message: 'shelf 2' });
						return contents(signal) as never;
					},
				},
			});
			commands.executeCommand = async (command, ...args) =>
				void asked.push([command, ...args.map(it => JSON.stringify(it, ['uri']))].join(' '));
		});
		afterEach(() => {
			commands.executeCommand = executeCommand;
		});
		async function open(): Promise<void> {
			pages.show(server, note, false);
			await bare.load();
		}

		it('shows the URI for the entered variables, and reads the resource', async () => {
			await open();
			assert.deepEqual(await tabs(), ['Result', 'Messages', 'Runs']);
			assert.deepEqual([await bare.unnamed(), await bare.axeInThemes()], [[], []]);
			await fill('id', '7 8');
			await bare.press('Tab');
			assert.equal(await bare.page.locator('.preview').textContent(), 'lib://note/7%208');
			await fill('id', '7');
			await bare.press('Enter');
			assert.deepEqual([await field('id').inputValue(), asked.length], ['7', 0]);
			await bare.click(bare.button('Read Ctrl+Enter'));
			assert.deepEqual(asked.slice(-2), ['forget lib://note/7', 'person reads lib://note/7']);
			assert.equal(await bare.page.locator('.panel.result pre').first().textContent(), 'Water the beans.');
			assert.deepEqual([await bare.unnamed(), await bare.axeInThemes()], [[], []]);
			await bare.click(bare.button('Copy URI'));
			assert.equal(await env.clipboard.readText(), 'lib://note/7');
			await bare.click(bare.button('Open'));
			assert.deepEqual(asked.at(-1), 'mcpWorkbench.resource.open {"uri":"lib://note/7"}');
		});

		it('shows the progress of a slow server, and lists a run that was canceled', async () => {
			contents = signal =>
				new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
			await open();
			await fill('id', '7');
			await bare.press('Control+Enter');
			assert.match((await bare.page.locator('.progress').textContent()) ?? '', /2 of 5 · "shelf 2"$/);
			const panel = bare.page.locator('.panel.result');
			const shown = async (): Promise<unknown> => [await panel.innerText(), await panel.getAttribute('aria-busy')];
			assert.deepEqual(await shown(), ['', 'true']);
			await bare.click(bare.button('Cancel'));
			const [result] = (await shown()) as string[];
			assert.match(result ?? '', /Canceled/);
			assert.equal(await bare.page.locator('.run.cancelled').count(), 1);
			await bare.press('Control+Enter');
			assert.deepEqual(await shown(), [result, 'true'], 'the earlier result stays');
			await bare.click(bare.button('Cancel'));
			assert.equal(await panel.getAttribute('aria-busy'), 'false');
		});

		it('has its URI only once while its server has not told its name', async () => {
			const unlisted = 'lib://other/{id}';
			pages.show(server, { name: unlisted, uriTemplate: unlisted }, false);
			await bare.load();
			assert.equal(await bare.page.locator('h1').textContent(), unlisted);
			assert.deepEqual(await bare.page.locator('.facts span').allTextContents(), ['garden', 'Running']);
		});

		it('says the same of a required field that was cleared as the page of a prompt', async () => {
			const prompt = createPromptPages(pageDeps(server, changes.event, ring), async () => undefined);
			for (const [name, show] of [
				['id', () => pages.show(server, note, false)],
				['country', () => prompt.show(server, weather, false)],
			] as const) {
				show();
				await bare.load();
				await fill(name, 'x');
				await fill(name, '');
				assert.equal(await field(name).getAttribute('placeholder'), '');
				await bare.press('Tab');
				assert.equal(await bare.page.locator('.field .problem').first().textContent(), 'Required');
			}
			prompt.dispose();
		});

		it('says which variable is missing, and why a resource could not be read', async () => {
			await open();
			await bare.press('Control+Enter');
			assert.equal(await bare.page.locator('.field .problem').first().textContent(), 'Required');
			assert.deepEqual([await bare.unnamed(), await bare.axeInThemes()], [[], []]);
			assert.deepEqual(asked, []);
			contents = () => {
				throw new RpcError(-32002, 'No such note');
			};
			await fill('id', '9');
			await bare.press('Control+Enter');
			const failure = await bare.page.locator('.failure > p').textContent();
			assert.equal(failure, 'The server didn\'t return the resource: "No such note"');
			assert.deepEqual([await bare.unnamed(), await bare.axeInThemes()], [[], []]);
		});
	});
});

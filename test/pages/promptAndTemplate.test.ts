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
			prompts: { kind: 'loaded', items: [weather] },
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
					prompt: { roles: ['user', 'assistant'], description: undefined },
					uses: [{ label: 'Insert at Cursor', run: () => used.push('insert') }],
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
			assert.equal(await bare.page.getByRole('switch').count(), 0);
			assert.deepEqual([await bare.unnamed(), await bare.axe('body')], [[], []]);
		});

		it('runs with text arguments, and shows the messages with buttons to use them', async () => {
			await open();
			await bare.press('Control+Enter');
			assert.deepEqual(asked, [], 'a required argument is missing');
			await fill('country', 'Peru');
			await bare.press('Control+Enter');
			assert.deepEqual(asked.at(-1), { country: 'Peru' });
			assert.deepEqual(await bare.page.locator('.block .role').allTextContents(), ['User', 'Assistant']);
			await bare.click(bare.button('Insert at Cursor'));
			assert.deepEqual(used, ['insert']);
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
			assert.deepEqual([await bare.unnamed(), await bare.axe('body')], [[], []]);
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

	describe('the page of a resource template', () => {
		let pages: RunPages<ResourceTemplate>;
		let contents: () => readonly object[];
		const { executeCommand } = commands;

		beforeEach(() => {
			contents = () => [{ uri: 'lib://note/7', text: 'Water the beans.' }];
			owned = pages = createTemplatePages({
				...pageDeps(server, changes.event, ring),
				pending: { mayHoldUp: () => false },
				interactions: {
					read: async ({ uri, caller }) => {
						asked.push(`${caller.kind} reads ${uri}`);
						return contents() as never;
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
			assert.deepEqual([await bare.unnamed(), await bare.axe('body')], [[], []]);
			await fill('id', '7 8');
			await bare.press('Tab');
			assert.equal(await bare.page.locator('.preview').textContent(), 'lib://note/7%208');
			await fill('id', '7');
			await bare.click(bare.button('Read Ctrl+Enter'));
			assert.deepEqual(asked.slice(-2), ['forget lib://note/7', 'person reads lib://note/7']);
			assert.equal(await bare.page.locator('.panel.result pre').first().textContent(), 'Water the beans.');
			await bare.click(bare.button('Copy URI'));
			assert.equal(await env.clipboard.readText(), 'lib://note/7');
			await bare.click(bare.button('Open'));
			assert.deepEqual(asked.at(-1), 'mcpWorkbench.resource.open {"uri":"lib://note/7"}');
		});

		it('says which variable is missing, and why a resource could not be read', async () => {
			await open();
			await bare.press('Control+Enter');
			assert.equal(await bare.page.locator('.field .problem').first().textContent(), 'Required');
			assert.deepEqual(asked, []);
			contents = () => {
				throw new RpcError(-32002, 'No such note');
			};
			await fill('id', '9');
			await bare.press('Control+Enter');
			const failure = await bare.page.locator('.failure > p').textContent();
			assert.equal(failure, 'The server didn\'t return the resource: "No such note"');
		});
	});
});

/** The result view in a bare page: what it shows of an outcome, and what its buttons, keys and trees send. */
import * as assert from 'node:assert/strict';
import { AjvValidator } from '../../src/mcp/schema/ajvValidator.js';
import { type ContentBlock, McpError, RpcError, type SchemaCheck, type ToolResult } from '../../src/mcp/index.js';
import type { CallAgain, CallEnd, CallOutcome } from '../../src/core/calls/callOutcome.js';
import { ResultPanel } from '../../src/features/results/resultPanel.js';
import { commands, env, window } from '../support/vscodeDouble.js';
import { BarePage, extensionUri } from './barePage.js';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
/** One pixel that is red first and blue after a tenth of a second. */
const movingGif = Buffer.from(
	['ff0000', '0000ff'].reduce(
		(gif, colour) => `${gif}21f904040a0000002c000000000100010080${colour}0000000202440100`,
		'4749463839610100010000000021ff0b4e45545343415045322e300301000000',
	) + '3b',
	'hex',
).toString('base64');

const attack = [
	'<script>document.title = "owned"</script>',
	`<img src=x onerror="document.title = 'owned'">`,
	'[click](command:workbench.action.quit) $(zap) **bold**',
	'\u202Etxt.exe\u202C \u200Bhidden\u0007',
	'</pre></body><iframe src="https://example.com"></iframe>',
].join('\n');

const garden = {
	name: 'south',
	beds: [{ bed: 0 }, { bed: 1 }],
	soil: { ph: 6.4, notes: 'Heavy clay', tested: null },
};

const text = (it: string): ContentBlock => ({ type: 'text', text: it });

function wav(): string {
	const samples = Buffer.alloc(800, 128);
	const head = Buffer.from(
		'RIFF....WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data....',
		'latin1',
	);
	head.writeUInt32LE(36 + samples.length, 4);
	head.writeUInt32LE(samples.length, 40);
	return Buffer.concat([head, samples]).toString('base64');
}

describe('the result view in a bare page', () => {
	let bare: BarePage;
	let panel: ResultPanel;
	/** What the page's buttons have caused in the extension. */
	const done: string[] = [];
	const again: CallAgain = {
		run: async () => void done.push('run'),
		edit: async () => void done.push('edit'),
	};
	const { executeCommand } = commands;

	before(async () => {
		bare = await BarePage.open();
		commands.executeCommand = async (command, ...args) =>
			void done.push([command, ...args.map(it => JSON.stringify(it, ['id', 'uri']))].join(' '));
	});
	after(async () => {
		commands.executeCommand = executeCommand;
		await bare.close();
	});

	beforeEach(async () => {
		await bare.reset();
		done.length = 0;
		const documents = { showFile: async (name: string, content: string) => void done.push(`${name}: ${content}`) };
		panel = new ResultPanel(extensionUri, documents as never);
	});
	afterEach(() => {
		panel.dispose();
		assert.deepEqual(bare.problems, []);
	});

	const outcome = (end: CallEnd, more: Partial<CallOutcome> = {}): CallOutcome => ({
		id: 'call-1',
		server: { log: { show: () => done.push('log') } } as never,
		tool: { name: 'dig', inputSchema: {} },
		arguments: {},
		durationMs: 5,
		end,
		...more,
	});
	const ended = (result: Partial<ToolResult>, schemaCheck?: SchemaCheck): CallEnd => ({
		kind: 'result',
		result: { content: [], isError: false, ...result },
		schemaCheck,
	});
	/** Opens the view with an outcome. */
	async function show(end: CallEnd, more?: Partial<CallOutcome>, uses?: CallAgain['uses']): Promise<void> {
		panel.show('garden', outcome(end, more), uses ? { ...again, uses } : again);
		await bare.load();
	}
	/** Shows another outcome in the open view. */
	async function showNext(end: CallEnd, more?: Partial<CallOutcome>): Promise<void> {
		panel.show('garden', outcome(end, more), again);
		await bare.settle();
	}
	const structured = (value: unknown = garden, schema?: object): CallEnd =>
		ended({ structuredContent: value }, schema && new AjvValidator().check(schema, value));

	const status = (): Promise<string | null> => bare.page.locator('header .status').textContent();
	const announced = (): Promise<string | null> => bare.page.getByRole('status').textContent();
	const notes = (): Promise<string[]> => bare.page.locator('.block p.note').allTextContents();
	const tree = (name: string): ReturnType<typeof bare.page.getByRole> =>
		bare.page.getByRole('tree', { name, exact: true });
	/** The text of the focused line or button. */
	const focused = (): Promise<string | null> =>
		bare.page.evaluate<string | null>(
			`(document.activeElement.querySelector(':scope > .row') ?? document.activeElement).textContent`,
		);

	describe('what came of a call', () => {
		it('shows texts as they are', async () => {
			const markdown = '# Notes\n\nShown *as is*: `markdown`.\n\n- one\n- two';
			await show(ended({ content: [text(markdown), text('A second block.')] }));
			assert.deepEqual(await bare.page.locator('.block pre').allTextContents(), [markdown, 'A second block.']);
			assert.equal(await bare.page.locator('h1').textContent(), 'dig · garden');
			assert.equal(await status(), 'Done · 5 ms · 63 B');
			assert.equal(bare.panel?.title, 'dig · garden');
		});

		it('says that a result is empty', async () => {
			await show(ended({}));
			assert.equal(await bare.page.locator('.note').first().textContent(), 'The result is empty.');
		});

		it('marks an error that the tool reported', async () => {
			await show(ended({ content: [text('No such bed')], isError: true }));
			assert.equal(await status(), 'The tool reported an error · 5 ms · 11 B');
			assert.equal(await bare.page.locator('.status.toolError .icon-warning').count(), 1);
		});

		it('shows why a call failed, with the error code behind a disclosure', async () => {
			await show({ kind: 'failed', error: new RpcError(-32602, 'Bed "north" is not known', { beds: ['south'] }) });
			assert.equal(await status(), 'Failed · 5 ms');
			const said = await bare.page.locator('.failure > p').textContent();
			assert.equal(said, 'The server didn\'t run the tool: "Bed "north" is not known"');
			const details = bare.page.locator('.failure pre');
			assert.equal(await details.isVisible(), false);
			await bare.click(bare.page.getByText('Details'));
			assert.equal(await details.isVisible(), true);
			assert.equal(JSON.parse((await details.textContent()) ?? '').code, -32602);
		});

		it('shows that a server did not answer in time', async () => {
			const failure = { code: 'timeout', method: 'tools/call', ms: 60_000 } as const;
			await show({ kind: 'failed', error: new McpError(failure) });
			assert.match((await bare.page.locator('.failure > p').textContent()) ?? '', /No response to tools\/call/);
			assert.equal(await bare.page.locator('.status.failed .icon-cross').count(), 1);
		});

		it('shows that a call was canceled, and its arguments', async () => {
			await show({ kind: 'cancelled' }, { arguments: { bed: 'south' } });
			assert.equal(await status(), 'Canceled · 5 ms');
			assert.deepEqual(await bare.page.getByRole('heading', { level: 2 }).allTextContents(), ['Arguments']);
			assert.match((await tree('Arguments').textContent()) ?? '', /bed:"south"/);
		});

		it('replaces one outcome by the next, and tells screen readers', async () => {
			await show(ended({ content: [text('first')] }));
			assert.equal(await announced(), 'Done · 5 ms · 5 B · dig · garden');
			await showNext(ended({ content: [text('the second')] }), { tool: { name: 'sow', inputSchema: {} } });
			assert.equal(await announced(), 'Done · 5 ms · 10 B · sow · garden');
			assert.deepEqual(await bare.page.locator('.block pre').allTextContents(), ['the second']);
			assert.equal(bare.panel?.reveals, 1);
		});

		it('shows the same outcome after its page was loaded again', async () => {
			await show(ended({ content: [text('first')] }));
			await bare.load();
			assert.deepEqual(await bare.page.locator('.block pre').allTextContents(), ['first']);
		});

		it('shows who speaks in the messages of a prompt, and what can be done with it', async () => {
			const roles = ['user', 'user', 'assistant'] as const;
			const uses = [{ label: 'Open as Document', run: async () => void done.push('opened') }];
			const prompt = { roles, description: undefined };
			await show(ended({ content: roles.map(text) }), { prompt }, uses);
			assert.deepEqual(await bare.page.locator('.block .role').allTextContents(), ['User', 'Assistant']);
			assert.deepEqual(await bare.toolbar('Use Result'), ['Open as Document']);
			await bare.click(bare.button('Open as Document'));
			assert.deepEqual(done, ['opened']);
		});

		it('adds the uses that are known later', async () => {
			let resolve!: (uses: { label: string; run: () => Promise<void> }[]) => void;
			const promise = new Promise<{ label: string; run: () => Promise<void> }[]>(done => (resolve = done));
			await show(ended({}), {}, promise);
			assert.deepEqual(await bare.toolbar('Use Result'), []);
			resolve([{ label: 'Insert', run: async () => undefined }]);
			await bare.settle();
			assert.deepEqual(await bare.toolbar('Use Result'), ['Insert']);
		});
	});

	describe('images and audio', () => {
		const image = (data: string, mimeType = 'image/png'): ContentBlock => ({ type: 'image', data, mimeType });
		/** Resolves when so many images have been loaded or drawn at rest. */
		const drawn = (images: number, canvases: number): Promise<unknown> =>
			bare.page.waitForFunction(`(() => {
				const loaded = [...document.querySelectorAll('.frame img')].filter(it => it.complete && it.naturalWidth > 0);
				return loaded.length === ${images} && document.querySelectorAll('.frame canvas').length === ${canvases};
			})()`);

		it('shows an image by its name, and no base64', async () => {
			await show(ended({ content: [image(png)] }));
			await drawn(1, 0);
			const shown = bare.page.getByRole('img', { name: /^Image · image\/png · 70 B$/ });
			assert.match((await shown.getAttribute('src')) ?? '', /^blob:/);
			assert.ok(!(await bare.page.content()).includes(png.slice(0, 30)));
		});

		it('shows a player for audio', async () => {
			await show(ended({ content: [{ type: 'audio', data: wav(), mimeType: 'audio/wav' }] }));
			const player = bare.page.locator('.frame audio');
			assert.match((await player.getAttribute('aria-label')) ?? '', /^Audio · audio\/wav · /);
			assert.notEqual(await player.getAttribute('controls'), null);
		});

		it('says why an image is not shown', async () => {
			const truncated = Buffer.from('\x89PNG\r\n\x1A\n and no more', 'latin1').toString('base64');
			const gif = Buffer.from('GIF89a...').toString('base64');
			const svg = Buffer.from('<svg onload="alert(1)"/>').toString('base64');
			await show(ended({ content: [image('not base64!'), image(gif), image(svg, 'image/svg+xml'), image(truncated)] }));
			// The browser has to try the last one.
			await bare.page.waitForFunction(`document.querySelectorAll('.block p.note').length === 4`);
			assert.deepEqual(await notes(), [
				"The content can't be shown because its base64 data is invalid.",
				"Not shown because the content is image/gif, which doesn't match its type.",
				"Content of this type can't be shown here. Save it to open it in another program.",
				"The editor can't display this content. Save it to open it in another program.",
			]);
			assert.equal(await bare.page.locator('img').count(), 0);
		});

		it('stops moving images at their first frame while motion is reduced', async () => {
			await show(ended({ content: [image(movingGif, 'image/gif'), image(png)] }));
			await drawn(2, 0);
			await bare.setReducedMotion(true);
			await drawn(0, 2);
			const still = bare.page.getByRole('img', { name: /^Image · image\/gif/ });
			const pixel = `[...document.querySelector('canvas').getContext('2d').getImageData(0, 0, 1, 1).data]`;
			assert.deepEqual(await bare.page.evaluate(pixel), [255, 0, 0, 255]);
			assert.equal(await still.count(), 1);
			assert.deepEqual(await bare.unnamed(), []);
			await showNext(ended({ content: [image(movingGif, 'image/gif')] }));
			await drawn(0, 1);
		});

		it('releases the images of an outcome that is replaced', async () => {
			await show(ended({ content: [image(png)] }));
			await drawn(1, 0);
			const url = await bare.page.locator('img').getAttribute('src');
			await showNext(ended({}));
			const load = `new Promise(done => {
				const it = new Image();
				it.onload = () => done('loaded');
				it.onerror = () => done('released');
				it.src = ${JSON.stringify(url)};
			})`;
			assert.equal(await bare.page.evaluate(load), 'released');
			bare.problems.length = 0;
		});
	});

	describe('structured content', () => {
		it('expands level by level, and asks for members only then', async () => {
			await show(structured());
			const shown = tree('Structured result');
			assert.equal(await shown.getByRole('treeitem').count(), 4);
			bare.sent.length = 0;
			await bare.click(shown.getByText('soil', { exact: true }));
			assert.equal(await shown.getByText('"Heavy clay"').isVisible(), true);
			assert.equal(await shown.getByRole('treeitem', { name: 'tested: null', exact: true }).count(), 1);
			await bare.click(shown.getByText('soil', { exact: true }));
			assert.equal(await shown.getByText('"Heavy clay"').isVisible(), false);
			await bare.click(shown.getByText('soil', { exact: true }));
			assert.equal(bare.sent.length, 1, 'members that are known are not requested again');
		});

		it('names an item without its children', async () => {
			await show(structured());
			await bare.click(tree('Structured result').getByText('soil', { exact: true }));
			const item = tree('Structured result').getByRole('treeitem', { name: 'soil: {3}', exact: true });
			assert.equal(await item.getAttribute('aria-expanded'), 'true');
			assert.equal(await item.getAttribute('aria-level'), '2');
		});

		// covers: tools.outputSchema
		it('says that it matches the output schema', async () => {
			await show(structured(garden, { type: 'object', required: ['name'] }));
			assert.equal(await bare.page.locator('.check.valid').textContent(), 'Matches the output schema');
		});

		// covers: tools.outputSchema
		it('shows where it does not match the output schema', async () => {
			const schema = {
				type: 'object',
				properties: { soil: { type: 'object', properties: { ph: { type: 'string' } }, required: ['depth'] } },
			};
			await show(structured(garden, schema));
			assert.match((await status()) ?? '', /^Done, but the result doesn't match the output schema · /);
			const check = await bare.page.locator('.check.invalid').textContent();
			assert.match(check ?? '', /^Doesn't match the output schema at \/soil.* \(and 1 more\)$/);
			await bare.click(tree('Structured result').getByText('soil', { exact: true }));
			const problem = 'Value must be of type string';
			assert.equal(await tree('Structured result').locator('.problem', { hasText: problem }).count(), 1);
			assert.equal(await bare.page.getByRole('treeitem', { name: `ph: 6.4, ${problem}` }).count(), 1);
		});

		it('shows a hundred thousand members a hundred at a time', async () => {
			await show(structured(Array.from({ length: 100_000 }, (_, index) => index)));
			const shown = tree('Structured result');
			assert.equal(await shown.getByRole('treeitem').count(), 1 + 100 + 1);
			await bare.click(shown.getByText('Show more (99900 left)'));
			assert.equal(await shown.getByRole('treeitem').count(), 1 + 200 + 1);
			assert.equal(await shown.getByText('Show more (99800 left)').count(), 1);
			assert.equal(await focused(), '99:99', 'the focus stays where the new items begin');
		});

		it('is walked through with the keys of a tree', async () => {
			await show(structured(), { arguments: { a: 1 } });
			await tree('Structured result').getByRole('treeitem').first().focus();
			const pressed: string[] = [];
			for (const key of [
				'ArrowDown',
				'ArrowDown',
				'ArrowRight',
				'ArrowRight',
				'ArrowLeft',
				'ArrowLeft',
				'Enter',
				'Space',
				'End',
				'ArrowUp',
				'Home',
			]) {
				await bare.press(key);
				pressed.push(`${key}: ${await focused()} ${await bare.page.locator(':focus').getAttribute('aria-expanded')}`);
			}
			assert.deepEqual(pressed, [
				'ArrowDown: name:"south" null',
				'ArrowDown: beds:(2) [{1}, {1}] false',
				'ArrowRight: beds:(2) [{1}, {1}] true',
				'ArrowRight: 0:{1} false',
				'ArrowLeft: beds:(2) [{1}, {1}] true',
				'ArrowLeft: beds:(2) [{1}, {1}] false',
				'Enter: beds:(2) [{1}, {1}] true',
				'Space: beds:(2) [{1}, {1}] false',
				'End: soil:{3} false',
				'ArrowUp: beds:(2) [{1}, {1}] false',
				'Home: {3} true',
			]);
			assert.equal(await bare.page.locator('.tree [tabindex="0"]').count(), 2, 'one tab stop for each tree');
		});

		it('is opened in the editor', async () => {
			await show(structured({ a: 1 }));
			await bare.click(bare.button('Open in Editor'));
			assert.deepEqual(done, ['dig.json: {\n  "a": 1\n}']);
		});
	});

	describe('links and other content', () => {
		it('opens a link and an embedded resource in the editor', async () => {
			const link = { uri: 'garden://south.md', name: 'south.md', title: 'The southern bed', size: 1234 };
			await show(
				ended({
					content: [
						{ type: 'resource_link', ...link },
						{ type: 'resource', resource: { uri: 'garden://plans/spring.md', text: '# Spring' } },
					],
				}),
			);
			assert.equal(await bare.page.locator('.block.link p.link').textContent(), 'garden://south.md');
			assert.equal(await bare.page.locator('.block.link h3').textContent(), 'The southern bed · 1.2 KB');
			await bare.click(bare.page.locator('.block.link').getByRole('button', { name: 'Open in Editor' }));
			await bare.click(bare.page.locator('.block.text').getByRole('button', { name: 'Open in Editor' }));
			assert.deepEqual(done, ['mcpWorkbench.resource.open {"uri":"garden://south.md"}', 'spring.md: # Spring']);
		});

		it('shows content of an unknown type as a tree', async () => {
			await show(ended({ content: [{ type: 'unknown', raw: { type: 'hologram', depth: 3 } }] }));
			const title = 'Content of unknown type "hologram"';
			assert.equal(await bare.page.locator('h3').textContent(), title);
			assert.match((await tree(title).textContent()) ?? '', /depth:3/);
		});

		it('shows the beginning of a large text, and offers the rest', async () => {
			await show(ended({ content: [text('0123456789abcde\n'.repeat(62_500))] }));
			assert.deepEqual(await notes(), ['Showing the first 20 KB of 1 MB.']);
			assert.equal(((await bare.page.locator('.block pre').textContent()) ?? '').length, 20_000);
			const buttons = bare.page.locator('.block').getByRole('button');
			assert.deepEqual(await buttons.allTextContents(), ['Open in Editor', 'Save…']);
		});

		it('shows the first two hundred of many blocks', async () => {
			await show(ended({ content: Array.from({ length: 1000 }, () => text('x')) }));
			assert.equal(await bare.page.locator('.block').count(), 201);
			const last = await bare.page.locator('.block').last().textContent();
			assert.equal(last, "800 more blocks aren't shown. Save the result to see them.");
		});

		it('breaks long names and words instead of scrolling sideways', async () => {
			const tool = { name: 'a-tool-whose-name-goes-on-and-on'.repeat(10), inputSchema: {} };
			const result = {
				content: [text('unbroken'.repeat(60))],
				structuredContent: { ['key'.repeat(60)]: 'v'.repeat(300) },
			};
			await show(ended(result), { tool });
			for (const width of [800, 320]) {
				await bare.page.setViewportSize({ width, height: 600 });
				assert.ok((await bare.overflow()) <= 0, `${width} pixels wide`);
			}
		});
	});

	describe('words of a server', () => {
		it('become text and nothing else', async () => {
			const content: ContentBlock[] = [
				text(attack),
				{ type: 'resource_link', uri: 'command:workbench.action.quit', name: attack },
				{ type: 'unknown', raw: { type: attack, [attack]: attack } },
			];
			await show(ended({ content, structuredContent: { [attack]: attack } }), {
				tool: { name: attack, inputSchema: {} },
				arguments: { [attack]: attack },
			});
			const shown = (await bare.page.locator('.block pre').textContent()) ?? '';
			assert.match(shown, /^<script>document\.title = "owned"<\/script>\n<img src=x onerror/);
			assert.match(shown, /\\u\{202e\}txt\.exe\\u\{202c\} \\u\{200b\}hidden\\u\{0007\}/);
			assert.equal(await bare.page.locator('body :is(script, iframe, img, a, link, style, form)').count(), 0);
			assert.notEqual(await bare.page.title(), 'owned');
			assert.doesNotMatch(await bare.page.content(), /[\u202A-\u202E\u200B]/);
		});

		it('of an error become text and nothing else', async () => {
			await show({ kind: 'failed', error: new RpcError(-1, attack, { [attack]: attack }) });
			assert.equal(await bare.page.locator('body :is(script, iframe, img, a, link, style)').count(), 0);
			assert.notEqual(await bare.page.title(), 'owned');
			assert.doesNotMatch(await bare.page.content(), /[\u202A-\u202E\u200B]/);
		});

		it('do not turn the direction of our words around', async () => {
			await show(ended({ content: [text('\u05D0')] }), { tool: { name: '\u05D0\u05D1', inputSchema: {} } });
			const places = bare.page.locator('h1, .block pre');
			assert.deepEqual(await places.evaluateAll(all => all.map(it => it.getAttribute('dir'))), ['auto', 'auto']);
		});

		it('reach no network, even through a script', async () => {
			await show(ended({}));
			const fetched = `fetch('https://example.com').then(() => 'fetched', () => 'blocked')`;
			assert.equal(await bare.page.evaluate(fetched), 'blocked');
			assert.ok(bare.problems.every(it => it.includes('Content Security Policy')));
			bare.problems.length = 0;
		});
	});

	describe('buttons', () => {
		it('run the call again, change it, open its log and lead to the history', async () => {
			await show(ended({ content: [text('x')] }));
			const labels = ['Run Again', 'Edit and Run…', 'Copy As…', 'Save…', 'Compare Results…', 'Show in History'];
			assert.deepEqual(await bare.toolbar(), [...labels, 'Show Log']);
			for (const label of ['Run Again', 'Edit and Run…', 'Compare Results…', 'Show in History', 'Show Log']) {
				await bare.click(bare.button(label));
			}
			assert.deepEqual(done, [
				'run',
				'edit',
				'mcpWorkbench.history.compare {"id":"call-1"}',
				'mcpWorkbench.history.reveal {"id":"call-1"}',
				'log',
			]);
		});

		it('do not lead to the history if it has no such call', async () => {
			await show(ended({}), { id: undefined } as never);
			assert.deepEqual(await bare.toolbar(), ['Run Again', 'Edit and Run…', 'Copy As…', 'Save…', 'Show Log']);
		});

		it('copy a block, and tell screen readers', async () => {
			await show(ended({ content: [text('some words')] }));
			await bare.click(bare.button('Copy'));
			assert.equal(await env.clipboard.readText(), 'some words');
			assert.equal(await announced(), 'Copied');
		});

		it('are one tab stop, and arrow keys move between them', async () => {
			await show(ended({}));
			await bare.button('Run Again').focus();
			const seen: (string | null)[] = [];
			for (const key of ['ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'Home']) {
				await bare.press(key);
				seen.push(await focused());
			}
			assert.deepEqual(seen, ['Edit and Run…', 'Show Log', 'Run Again', 'Show Log', 'Run Again']);
			assert.equal(await bare.page.locator('.toolbar [tabindex="0"]').count(), 1);
		});

		it('keep the focus when the next outcome replaces them', async () => {
			await show(ended({ content: [text('first')] }));
			await bare.button('Edit and Run…').focus();
			await showNext(ended({ content: [text('second')] }));
			assert.equal(await focused(), 'Edit and Run…');
			await bare.button('Copy').focus();
			await showNext({ kind: 'cancelled' });
			assert.equal(await focused(), 'dig · garden', 'the title, where there is no such button');
		});

		it('do not repeat a call by a key that was pressed before the person came back', async () => {
			await show(ended({}));
			await bare.button('Run Again').focus();
			await bare.press('Enter');
			assert.deepEqual(done, []);
			await bare.press('ArrowRight');
			await bare.press('Home');
			await bare.press('Enter');
			assert.deepEqual(done, ['run']);
		});
	});

	describe('messages', () => {
		it('of anyone else are ignored by the page', async () => {
			await show(ended({ content: [text('ours')] }));
			for (const message of [undefined, 'page', {}, { type: 'page' }, { type: 'page', page: {}, strings: {} }]) {
				await bare.receive(message);
			}
			await bare.receive({ type: 'said', id: 999, text: 'forged' });
			assert.deepEqual(await bare.page.locator('.block pre').allTextContents(), ['ours']);
			assert.notEqual(await announced(), 'forged');
		});

		it('about an earlier outcome are ignored by the page', async () => {
			await show(structured({ a: { b: 1 } }));
			const [, expand] = bare.sent as readonly { id: number }[];
			await showNext(ended({ content: [text('second')] }));
			await bare.receive({ type: 'said', id: expand?.id, text: 'late' });
			assert.match((await announced()) ?? '', /^Done/);
		});

		it('that no button of the page sends are ignored by the extension', async () => {
			await show(ended({ content: [text('x')] }));
			const { id } = (bare.sent[1] ?? {}) as { id?: number };
			for (const message of [
				{ type: 'press', id: 999, action: 'runAgain' },
				{ type: 'press', id, action: 'format' },
				{ type: 'pressBlock', id, action: 'open', block: 0 },
				{ type: 'pressBlock', id, action: 'copyBlock', block: 7 },
				{ type: 'pressUse', id, use: 0 },
			]) {
				bare.panel?.receive(message);
			}
			await bare.settle();
			assert.deepEqual([done, window.messages], [[], []]);
		});
	});

	describe('names and roles', () => {
		it('tell screen readers the parts of the page', async () => {
			await show(structured(garden, { type: 'object' }), { arguments: { a: 1 } });
			const parts = await bare.page.locator('body').ariaSnapshot();
			for (const part of [
				'banner',
				'heading "dig · garden" [level=1]',
				'toolbar "Actions"',
				'main',
				'region "Structured result"',
				'tree "Structured result"',
				'region "Arguments"',
				'tree "Arguments"',
				'status',
			]) {
				assert.ok(parts.includes(`- ${part}`), `${part} in\n${parts}`);
			}
		});

		it('are there for everything that can have the focus', async () => {
			const content: ContentBlock[] = [
				text('x'),
				{ type: 'image', data: png, mimeType: 'image/png' },
				{ type: 'audio', data: wav(), mimeType: 'audio/wav' },
				{ type: 'resource_link', uri: 'a:b', name: 'b' },
				{ type: 'unknown', raw: { type: 'x', y: 1 } },
			];
			await show(ended({ content, structuredContent: garden }));
			assert.deepEqual(await bare.unnamed(), []);
			await showNext({ kind: 'failed', error: new RpcError(1, 'x') });
			assert.deepEqual(await bare.unnamed(), []);
		});
	});
});

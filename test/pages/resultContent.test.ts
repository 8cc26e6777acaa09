/** The content of results in a bare page: images, audio, trees, links, and the words of servers. */
import * as assert from 'node:assert/strict';
import { type ContentBlock, RpcError } from '../../src/mcp/index.js';
import { ended, garden, png, ResultView, structured, text, wav } from './resultView.js';

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

describe('the content of results in a bare page', () => {
	const view = ResultView.use();

	describe('images and audio', () => {
		const image = (data: string, mimeType = 'image/png'): ContentBlock => ({ type: 'image', data, mimeType });
		/** Resolves when so many images have been loaded or drawn at rest. */
		const drawn = (images: number, canvases: number): Promise<void> =>
			view.bare.until(
				'the images',
				`(() => {
				const loaded = [...document.querySelectorAll('.frame img')].filter(it => it.complete && it.naturalWidth > 0);
				return loaded.length === ${images} && document.querySelectorAll('.frame canvas').length === ${canvases};
			})()`,
			);

		it('shows an image by its name, and no base64', async () => {
			await view.show(ended({ content: [image(png)] }));
			await drawn(1, 0);
			const shown = view.bare.page.getByRole('img', { name: /^Image · image\/png · 70 B$/ });
			assert.match((await shown.getAttribute('src')) ?? '', /^blob:/);
			assert.ok(!(await view.bare.page.content()).includes(png.slice(0, 30)));
		});

		it('shows a player for audio', async () => {
			await view.show(ended({ content: [{ type: 'audio', data: wav(), mimeType: 'audio/wav' }] }));
			const player = view.bare.page.locator('.frame audio');
			assert.match((await player.getAttribute('aria-label')) ?? '', /^Audio · audio\/wav · /);
			assert.notEqual(await player.getAttribute('controls'), null);
		});

		it('says why an image is not shown', async () => {
			const truncated = Buffer.from('\x89PNG\r\n\x1A\n and no more', 'latin1').toString('base64');
			const gif = Buffer.from('GIF89a...').toString('base64');
			const svg = Buffer.from('<svg onload="alert(1)"/>').toString('base64');
			await view.show(
				ended({ content: [image('not base64!'), image(gif), image(svg, 'image/svg+xml'), image(truncated)] }),
			);
			// The browser has to try the last one.
			await view.bare.until('the reasons', `document.querySelectorAll('.block p.note').length === 4`);
			assert.deepEqual(await view.notes(), [
				"The content can't be shown because its base64 data is invalid.",
				"Not shown because the content is image/gif, which doesn't match its type.",
				"Content of this type can't be shown here. Save it to open it in another program.",
				"The editor can't display this content. Save it to open it in another program.",
			]);
			assert.equal(await view.bare.page.locator('img').count(), 0);
		});

		it('stops moving images at their first frame while motion is reduced', async () => {
			await view.show(ended({ content: [image(movingGif, 'image/gif'), image(png)] }));
			await drawn(2, 0);
			await view.bare.setReducedMotion(true);
			await drawn(0, 2);
			const still = view.bare.page.getByRole('img', { name: /^Image · image\/gif/ });
			const pixel = `[...document.querySelector('canvas').getContext('2d').getImageData(0, 0, 1, 1).data]`;
			assert.deepEqual(await view.bare.page.evaluate(pixel), [255, 0, 0, 255]);
			assert.equal(await still.count(), 1);
			assert.deepEqual(await view.bare.unnamed(), []);
			await view.showNext(ended({ content: [image(movingGif, 'image/gif')] }));
			await drawn(0, 1);
		});

		it('releases the images of an outcome that is replaced', async () => {
			await view.show(ended({ content: [image(png)] }));
			await drawn(1, 0);
			const url = await view.bare.page.locator('img').getAttribute('src');
			await view.showNext(ended({}));
			const load = `new Promise(done => {
				const it = new Image();
				it.onload = () => done('loaded');
				it.onerror = () => done('released');
				it.src = ${JSON.stringify(url)};
			})`;
			assert.equal(await view.bare.page.evaluate(load), 'released');
			view.bare.problems.length = 0;
		});
	});

	describe('structured content', () => {
		it('expands level by level, and requests members only then', async () => {
			await view.show(structured());
			const shown = view.tree();
			assert.equal(await shown.getByRole('treeitem').count(), 4);
			view.bare.sent.length = 0;
			await view.bare.click(shown.getByText('soil', { exact: true }));
			assert.equal(await shown.getByText('"Heavy clay"').isVisible(), true);
			assert.equal(await shown.getByRole('treeitem', { name: /^tested ?: null$/ }).count(), 1);
			await view.bare.click(shown.getByText('soil', { exact: true }));
			assert.equal(await shown.getByText('"Heavy clay"').isVisible(), false);
			await view.bare.click(shown.getByText('soil', { exact: true }));
			const requests = view.bare.sent.filter(it => (it as { readonly type: string }).type === 'result');
			assert.equal(requests.length, 1, 'members that are known are not requested again');
		});

		it('names an item without its children', async () => {
			await view.show(structured());
			await view.bare.click(view.tree().getByText('soil', { exact: true }));
			const item = view.tree().getByRole('treeitem', { name: /^soil ?: \{3\}$/ });
			assert.equal(await item.getAttribute('aria-expanded'), 'true');
			assert.equal(await item.getAttribute('aria-level'), '2');
		});

		// covers: tools.outputSchema
		it('says that it matches the output schema', async () => {
			await view.show(structured(garden, { type: 'object', required: ['name'] }));
			assert.equal(await view.bare.page.locator('.check.valid').textContent(), 'Matches the output schema');
		});

		// covers: tools.outputSchema
		it('shows where it does not match the output schema', async () => {
			const schema = {
				type: 'object',
				properties: { soil: { type: 'object', properties: { ph: { type: 'string' } }, required: ['depth'] } },
			};
			await view.show(structured(garden, schema));
			assert.match((await view.status()) ?? '', /^Done, but the result doesn't match the output schema · /);
			const check = await view.bare.page.locator('.check.invalid').textContent();
			assert.match(check ?? '', /^Doesn't match the output schema at \/soil.* \(and 1 more\)$/);
			await view.bare.click(view.tree().getByText('soil', { exact: true }));
			const problem = 'Value must be of type string';
			assert.equal(await view.tree().locator('.problem', { hasText: problem }).count(), 1);
			assert.equal(
				await view.bare.page.getByRole('treeitem', { name: /^ph ?: 6.4 Value must be of type string$/ }).count(),
				1,
			);
		});

		it('shows a hundred thousand members in steps of a hundred', async () => {
			await view.show(structured(Array.from({ length: 100_000 }, (_, index) => index)));
			const shown = view.tree();
			assert.equal(await shown.getByRole('treeitem').count(), 1 + 100 + 1);
			await view.bare.click(shown.getByText('Show more (99900 left)'));
			assert.equal(await shown.getByRole('treeitem').count(), 1 + 200 + 1);
			assert.equal(await shown.getByText('Show more (99800 left)').count(), 1);
			assert.equal(await view.focused(), '99:99', 'the focus stays where the new items begin');
		});

		it('is navigated with the keys of a tree', async () => {
			await view.show(structured(), { arguments: { a: 1 } });
			await view.tree().getByRole('treeitem').first().focus();
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
				await view.bare.press(key);
				pressed.push(
					`${key}: ${await view.focused()} ${await view.bare.page.locator(':focus').getAttribute('aria-expanded')}`,
				);
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
			assert.equal(await view.bare.page.locator('.tree [tabindex="0"]').count(), 2, 'one tab stop for each tree');
		});

		it('is opened in the editor', async () => {
			await view.show(structured({ a: 1 }));
			await view.bare.click(view.bare.button('Open in Editor'));
			assert.deepEqual(view.done, ['dig.json: {\n  "a": 1\n}']);
		});
	});

	describe('links and other content', () => {
		it('opens a link and an embedded resource in the editor', async () => {
			const link = { uri: 'garden://south.md', name: 'south.md', title: 'The southern bed', size: 1234 };
			await view.show(
				ended({
					content: [
						{ type: 'resource_link', ...link },
						{ type: 'resource', resource: { uri: 'garden://plans/spring.md', text: '# Spring' } },
					],
				}),
			);
			assert.equal(await view.bare.page.locator('.block.link p.link').textContent(), 'garden://south.md');
			assert.equal(await view.bare.page.locator('.block.link h3').textContent(), 'The southern bed · 1.2 KB');
			await view.bare.click(view.bare.page.locator('.block.link').getByRole('button', { name: 'Open in Editor' }));
			await view.bare.click(view.bare.page.locator('.block.text').getByRole('button', { name: 'Open in Editor' }));
			assert.deepEqual(view.done, ['mcpWorkbench.resource.open {"uri":"garden://south.md"}', 'spring.md: # Spring']);
		});

		it('shows content of an unknown type as a tree', async () => {
			await view.show(ended({ content: [{ type: 'unknown', raw: { type: 'hologram', depth: 3 } }] }));
			const title = 'Content of unknown type "hologram"';
			assert.equal(await view.bare.page.locator('h3').textContent(), title);
			assert.match((await view.tree(title).textContent()) ?? '', /depth:3/);
		});

		it('shows the beginning of a large text, and offers the rest', async () => {
			await view.show(ended({ content: [text('0123456789abcde\n'.repeat(62_500))] }));
			assert.deepEqual(await view.notes(), ['Showing the first 20 KB of 1 MB.']);
			assert.equal(((await view.bare.page.locator('.block pre').textContent()) ?? '').length, 20_000);
			const buttons = view.bare.page.locator('.block').getByRole('button');
			assert.deepEqual(await buttons.allTextContents(), ['Open in Editor', 'Save…']);
		});

		it('shows the first two hundred of many blocks', async () => {
			await view.show(ended({ content: Array.from({ length: 1000 }, () => text('x')) }));
			assert.equal(await view.bare.page.locator('.block').count(), 201);
			const last = await view.bare.page.locator('.block').last().textContent();
			assert.equal(last, "800 more blocks aren't shown. Save the result to see them.");
		});

		it('breaks long names and words instead of scrolling sideways', async () => {
			const tool = { name: 'a-tool-whose-name-goes-on-and-on'.repeat(10), inputSchema: {} };
			const result = {
				content: [text('unbroken'.repeat(60))],
				structuredContent: { ['key'.repeat(60)]: 'v'.repeat(300) },
			};
			await view.show(ended(result), { tool });
			for (const width of [800, 320]) {
				await view.bare.page.setViewportSize({ width, height: 600 });
				assert.ok((await view.bare.overflow()) <= 0, `${width} pixels wide`);
			}
		});
	});

	describe('text of a server', () => {
		it('are shown as text only', async () => {
			const content: ContentBlock[] = [
				text(attack),
				{ type: 'resource_link', uri: 'command:workbench.action.quit', name: attack },
				{ type: 'unknown', raw: { type: attack, [attack]: attack } },
			];
			await view.show(ended({ content, structuredContent: { [attack]: attack } }), {
				tool: { name: attack, inputSchema: {} },
				arguments: { [attack]: attack },
			});
			const shown = (await view.bare.page.locator('.block pre').textContent()) ?? '';
			assert.match(shown, /^<script>document\.title = "owned"<\/script>\n<img src=x onerror/);
			assert.match(shown, /\\u\{202e\}txt\.exe\\u\{202c\} \\u\{200b\}hidden\\u\{0007\}/);
			assert.equal(await view.bare.page.locator('body :is(script, iframe, img, a, link, style, form)').count(), 0);
			assert.notEqual(await view.bare.page.title(), 'owned');
			assert.doesNotMatch(await view.bare.page.content(), /[\u202A-\u202E\u200B]/);
		});

		it('in an error are shown as text only', async () => {
			await view.show({ kind: 'failed', error: new RpcError(-1, attack, { [attack]: attack }) });
			assert.equal(await view.bare.page.locator('body :is(script, iframe, img, a, link, style)').count(), 0);
			assert.notEqual(await view.bare.page.title(), 'owned');
			assert.doesNotMatch(await view.bare.page.content(), /[\u202A-\u202E\u200B]/);
		});

		it('do not change the direction of our own text', async () => {
			await view.show(ended({ content: [text('\u05D0')] }), { tool: { name: '\u05D0\u05D1', inputSchema: {} } });
			const places = view.bare.page.locator('h1, .block pre');
			assert.deepEqual(await places.evaluateAll(all => all.map(it => it.getAttribute('dir'))), ['auto', 'auto']);
		});

		it('loads nothing from the network, even through a script', async () => {
			await view.show(ended({}));
			const fetched = `fetch('https://example.com').then(() => 'fetched', () => 'blocked')`;
			assert.equal(await view.bare.page.evaluate(fetched), 'blocked');
			assert.ok(view.bare.problems.every(it => it.includes('Content Security Policy')));
			view.bare.problems.length = 0;
		});
	});
});

/** What servers write makes the workbench load no address and run no command. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { editorText, eventually, OwnWorkspace, pictureOnFailure } from './support.js';

const program = path.join(projectRoot, 'test', 'fixtures', 'servers', 'untrusted.mjs');

describe('untrusted text', function () {
	this.timeout(180_000);
	const workspace = new OwnWorkspace('untrusted', 'w');
	let bench: Workbench;
	/** Addresses at the beacon that the page or any frame in it has asked the network for. */
	let asked: string[];
	before(async () => {
		workspace.write('mcp.json', {
			servers: {
				beacon: { command: 'node', args: [program] },
				refusing: { command: 'node', args: [program, 'refusing'] },
			},
		});
		bench = await openWorkbench({
			workspace: workspace.folder,
			inPlace: true,
		});
		// What a policy of the page holds back never comes here.
		await bench.page.context().route(/beacon\.invalid/, async route => {
			asked.push(route.request().url());
			await route.abort();
		});
		await bench.openView('MCP Workbench');
		await bench.clickAction(bench.row('beacon'), 'Start Server');
		await bench.row('Tools').waitFor();
	});
	beforeEach(() => {
		asked = [];
	});
	after(async () => {
		await bench.dispose();
		workspace.remove();
	});
	pictureOnFailure(() => bench);

	/** Has the workbench ask for an address that its policy lets through, and waits for that alone. */
	async function expectNothingAsked(): Promise<void> {
		await bench.page.evaluate(`new Image().src = 'https://beacon.invalid/control'`);
		await eventually('a request that is made', () => assert.ok(asked.some(it => it.endsWith('/control'))));
		assert.deepEqual(
			asked.filter(it => !it.endsWith('/control')),
			[],
		);
	}

	/** By its title. */
	const tool = (): Locator => bench.row('beacon.invalid/markdown');
	const links = (place: Locator): Promise<string[]> =>
		place.locator('a').evaluateAll(all => all.map(it => it.getAttribute('data-href') ?? it.getAttribute('href') ?? ''));

	it('loads nothing from a result', async () => {
		await bench.toggle(bench.row('Tools'));
		await bench.runTool(tool());
		const frame = bench.resultFrame();
		await frame.locator('.block').nth(6).waitFor();
		await frame.locator('pre', { hasText: 'beacon.invalid/img' }).first().waitFor();
		const loading =
			'img, link:not([href*="page.css"], [href*="form.css"]), style:not([id]), iframe, object, video, picture, form, svg image, meta[http-equiv=refresh]';
		assert.equal(await frame.locator('body').locator(loading).count(), 0);
		await bench.screenshot('untrusted-1-result');
		await expectNothingAsked();
	});

	it('may load nothing in the view of a result, even if a script put it there', async () => {
		await bench.resultFrame().locator('body').evaluate<unknown, unknown>(`(async () => {
			const { body } = document;
			const beacon = name => 'https://beacon.invalid/' + name;
			const add = (tag, properties) => body.append(Object.assign(document.createElement(tag), properties));
			add('img', { src: beacon('img') });
			add('link', { rel: 'stylesheet', href: beacon('css') });
			add('link', { rel: 'prefetch', href: beacon('prefetch') });
			add('link', { rel: 'preload', as: 'image', href: beacon('preload') });
			add('link', { rel: 'modulepreload', href: beacon('module') });
			add('style', { textContent: '@import url(' + beacon('import') + '); body { background: url(' + beacon('background') + ') }' });
			add('iframe', { src: beacon('frame') });
			add('object', { data: beacon('object') });
			add('video', { src: beacon('video'), poster: beacon('poster') });
			add('script', { src: beacon('script') });
			body.style.backgroundImage = 'url(' + beacon('inline') + ')';
			await new FontFace('f', 'url(' + beacon('font') + ')').load().catch(() => undefined);
			navigator.sendBeacon(beacon('sent'), 'x');
			await fetch(beacon('fetched')).catch(() => undefined);
		})()`);
		await expectNothingAsked();
	});

	it('loads nothing and runs nothing in tree, tooltips and messages', async () => {
		// It is still where the click was made.
		await bench.page.mouse.move(0, 0);
		await tool().hover();
		await bench.page.locator('.monaco-hover', { hasText: 'beacon.invalid' }).first().waitFor();
		assert.deepEqual(await links(bench.page.locator('.monaco-hover').first()), []);
		await bench.page.mouse.move(0, 0);
		await bench.clickAction(bench.row('refusing'), 'Start Server');
		const toast = await bench.notification('toggleZenMode');
		assert.deepEqual(await links(toast.locator('.notification-list-item-message')), []);
		await bench.screenshot('untrusted-2-message');
		await bench.runCommand('Notifications: Clear All Notifications');
		await expectNothingAsked();
	});

	it('loads nothing from resources that open', async () => {
		await bench.toggle(bench.row('Resources'));
		for (const name of ['page.html', 'page.md']) {
			await bench.runCommand('MCP Workbench: Go to Resource…');
			await bench.quickInput().fill(`beacon://${name}`);
			await eventually('the hit', async () => assert.ok((await bench.readQuickInput()).items.length > 0));
			await bench.accept();
			await bench.tab(name).waitFor();
			await eventually('the text', async () => assert.match(await editorText(bench), /beacon\.invalid\/img/));
		}
		await bench.runCommand('MCP Workbench: Go to Resource…');
		await bench.quickInput().fill('beacon://drawing.svg');
		await bench.accept();
		await bench.tab('drawing.svg').waitFor();
		const isDrawn = `document.querySelector('img')?.complete === true`;
		await eventually('the drawing', async () => {
			const frames = bench.page.frames().map(it => it.evaluate<boolean>(isDrawn).catch(() => false));
			assert.ok((await Promise.all(frames)).includes(true));
		});
		await expectNothingAsked();
	});
});

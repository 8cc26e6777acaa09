/**
 * The page of a tool under load: many and large arguments, a schema that changes during typing, and a server that ends
 * during a call. Prints the longest task that each gesture causes in the page, which should take less than 100 ms.
 */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import type { JsonObject } from '../../src/mcp/index.js';
import { projectRoot } from '../host/paths.js';
import { until } from '../host/gestures.js';
import { RealTools } from './realTools.js';

describe('the page of a tool under load', function () {
	this.timeout(30_000);
	const tools = RealTools.use(() => ({
		file: path.join(projectRoot, 'test', 'fixtures', 'servers', 'heavy.mjs'),
		env: {},
	}));

	/** Makes a gesture, and prints the duration of the longest task that it causes in the page. */
	async function measured(what: string, gesture: () => Promise<unknown>): Promise<void> {
		const { page } = tools.bare;
		await page.evaluate(`(() => {
			globalThis.longest ??= { ms: 0 };
			longest.ms = 0;
			longest.observer ??= new PerformanceObserver(it => it.getEntries().forEach(keep));
			const keep = ({ duration }) => (longest.ms = Math.max(longest.ms, duration));
			longest.observer.observe({ type: 'longtask' });
		})()`);
		await gesture();
		await tools.bare.settle();
		const ms = await page.evaluate<number>('new Promise(done => setTimeout(() => done(longest.ms), 50))');
		console.log(`        ${what}: ${ms === 0 ? 'less than 50' : Math.round(ms)} ms`);
	}

	const button = (name: string) => tools.bare.page.getByRole('button', { name, exact: true });
	const deepOf = (levels: number, inner: unknown): unknown =>
		levels === 0 ? inner : { in: deepOf(levels - 1, inner) };

	it('sends exactly what was entered into 300 arguments, 10 levels, 5,000 choices and a text of 1 MB', async () => {
		const { page } = tools.bare;
		await tools.open('take');
		await measured('type into one of 300 fields', async () => {
			await tools.field('a295').click();
			await page.keyboard.type('last');
		});
		await measured('choose one of 5,000', async () => {
			await tools.field('zone').focus();
			await page.keyboard.type('zone 4999');
		});
		await measured('type into a text of 1 MB', async () => {
			await tools.field('big').press('Control+End');
			await page.keyboard.type('end');
		});
		await measured('run with a missing value at the tenth level', () => page.keyboard.press('Control+Enter'));
		await measured('type at the tenth level', () => page.keyboard.type('deepest'));
		await measured('edit as JSON', () => button('Edit as JSON').click());
		await measured('edit as form', () => button('Edit as Form').click());
		const end = await tools.run();
		assert.ok(end.kind === 'answered');
		const [block] = end.result.content;
		const received = JSON.parse(block?.type === 'text' ? block.text : '') as JsonObject;
		const { big, ...others } = received;
		assert.ok(big === `${'x '.repeat(500_000)}end`);
		assert.deepEqual(others, { a295: 'last', zone: 'Zone 4999', deep: deepOf(10, 'deepest') });
	});

	it('keeps the typed values when the schema changes meanwhile', async () => {
		const { page } = tools.bare;
		await tools.open('take');
		await tools.enter({ a0: 'zero', a1: 'one', count: '1.' });
		await tools.field('a2').click();
		await page.keyboard.type('half');
		await measured('take another schema', async () => {
			await tools.call('change', {});
			await until('the new argument', async () => {
				await tools.bare.settle();
				return (await tools.field('added').count()) > 0;
			});
		});
		await page.keyboard.type(' and half');
		assert.equal(await tools.field('a0').inputValue(), 'zero');
		assert.equal(await tools.field('a2').inputValue(), 'half and half');
		assert.equal(await tools.field('count').inputValue(), '1.');
		assert.equal(await page.getByRole('group', { name: 'a1', exact: true }).getByLabel('Value').inputValue(), '"one"');
	});

	it('keeps the typed values when the server ends during the call, and runs again', async () => {
		const { page } = tools.bare;
		await tools.open('end');
		await tools.enter({ why: 'now' });
		const end = await tools.run();
		assert.equal(end.kind, 'failed');
		assert.match(await page.getByRole('main').innerText(), /Failed/);
		assert.equal(await tools.field('why').inputValue(), 'now');
		await tools.field('why').fill('later');
		const next = await tools.run();
		assert.ok(next.kind === 'answered');
	});
});

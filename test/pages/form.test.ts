/** The form of a value in a bare page: every kind of field, groups, lists, variants, and the whole as JSON. */
import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Locator } from 'playwright-core';
import type { JsonObject } from '../../src/mcp/index.js';
import { anySchema } from '../support/anySchema.js';
import { FormView } from './formView.js';

const person = {
	type: 'object',
	properties: { name: { type: 'string' }, age: { type: 'integer' } },
	required: ['name'],
};
const circle = { title: 'Circle', type: 'object', properties: { r: { type: 'number' } }, required: ['r'] };
const box = {
	title: 'Box',
	type: 'object',
	properties: { w: { type: 'number' }, note: { type: 'string' } },
	required: ['w'],
};

/** The globals of the page that a test reads. */
interface Styles {
	getComputedStyle(of: unknown): Readonly<Record<string, string>>;
}

describe('the form in a bare page', () => {
	const view = FormView.use();
	const press = (key: string): Promise<void> => view.bare.press(key);

	describe('fields', () => {
		it('enter texts, numbers and dates, and leave out what is empty', async () => {
			const text = { type: 'string' };
			await view.showFields(
				{
					path: text,
					note: { ...text, description: 'More about it' },
					count: { type: 'integer' },
					day: { ...text, format: 'date' },
					time: { ...text, format: 'date-time' },
				},
				{ required: ['path'] },
			);
			assert.deepEqual(await view.value(), {});
			await view.field('path').fill('a.txt');
			await view.field('note').fill('two\nlines');
			await view.field('count').fill('12');
			await view.field('day').fill('2026-11-24');
			await view.field('time').fill('2026-11-24T09:00:00');
			const time = new Date('2026-11-24T09:00:00').toISOString().replace('.000', '');
			assert.deepEqual(await view.value(), { path: 'a.txt', note: 'two\nlines', count: 12, day: '2026-11-24', time });
			for (const label of ['path', 'note', 'count', 'day', 'time']) {
				await view.field(label).fill('');
			}
			assert.deepEqual(await view.value(), { path: '' }, 'a required text may be empty');
			assert.equal(await view.field('path').getAttribute('placeholder'), 'Empty text');
			assert.equal(await view.field('note').getAttribute('placeholder'), 'Not set');
		});

		it('begin with the defaults of required members, and show the defaults of optional ones', async () => {
			await view.showFields(
				{
					a: { type: 'string', default: 'x' },
					b: { type: 'string', default: 'y' },
					c: { type: 'boolean', default: true },
					d: { type: ['string', 'null'] },
				},
				{ required: ['a', 'd'] },
			);
			assert.deepEqual(await view.value(), { a: 'x', d: null });
			assert.equal(await view.field('b').getAttribute('placeholder'), 'Not set. Default: y');
			assert.equal(await view.field('c').locator('option:checked').textContent(), 'Not set. Default: Yes');
			assert.equal(await view.field('d').getAttribute('placeholder'), 'null');
			await view.field('d').fill('z');
			await view.field('d').fill('');
			assert.deepEqual(await view.value(), { a: 'x', d: null });
		});

		it('choose one or several of a few options', async () => {
			await view.showFields({
				unit: { enum: ['mm', 3, null] },
				flag: { type: 'boolean' },
				colors: { type: 'array', items: { enum: ['red', 'green'] } },
			});
			await view.field('unit').selectOption('3');
			await view.field('flag').selectOption('No');
			await view.field('green').check();
			await view.field('red').check();
			assert.deepEqual(await view.value(), { unit: 3, flag: false, colors: ['red', 'green'] });
			await view.field('unit').selectOption('Not set');
			await view.field('flag').selectOption('Not set');
			await view.field('green').uncheck();
			await view.field('red').uncheck();
			assert.deepEqual(await view.value(), {});
		});

		it('choose one or several of many options', async () => {
			const zones = Array.from({ length: 5000 }, (_, index) => `Zone ${index}`);
			await view.showFields(
				{ zone: { enum: zones }, names: { type: 'array', items: { enum: zones } } },
				{},
				{ zone: 'Zone 7', names: ['Zone 4999'] },
			);
			await view.field('zone').selectOption('Zone 12');
			await view.field('Search choices').fill('zone 151');
			assert.ok(!(await view.field('Zone 7').isVisible()));
			await view.field('Zone 1510').check();
			assert.deepEqual(await view.value(), { zone: 'Zone 12', names: ['Zone 1510', 'Zone 4999'] });
			await view.field('Search choices').fill('');
			assert.ok(await view.field('Zone 1510').isChecked());
		});

		it('mask secrets, which are not kept', async () => {
			await view.showFields({
				pass: { type: 'string', format: 'password' },
				api_key: { type: 'string' },
				login: { writeOnly: true },
				user: { type: 'string' },
			});
			await view.field('pass').fill('one');
			await view.field('api_key').fill('two');
			await view.field('login').fill('{"a": 1}');
			await view.field('user').fill('me');
			assert.equal(await view.field('pass').getAttribute('type'), 'password');
			assert.equal(await view.field('api_key').getAttribute('type'), 'password');
			assert.deepEqual(await view.value(), { pass: 'one', api_key: 'two', login: { a: 1 }, user: 'me' });
			assert.deepEqual(await view.state(), { value: { user: 'me' }, unfinished: [], variants: {}, json: undefined });
		});

		it('take JSON for schemas that have no field', async () => {
			await view.showFields({ any: {}, tuple: { type: 'array', prefixItems: [{}, { type: 'number' }] } });
			await view.field('any').fill('{"a": [1]}');
			await view.field('tuple').fill('[1');
			await view.leave();
			assert.deepEqual(await view.problems(), ['Value must be valid JSON']);
			await view.field('tuple').fill('[1, "x"]');
			await view.leave();
			assert.deepEqual(await view.problems(), ['Value must be of type number'], 'at its second element');
			await view.field('tuple').fill('[1, 2]');
			assert.deepEqual(await view.value(), { any: { a: [1] }, tuple: [1, 2] });
		});

		it('show a value of another type as JSON', async () => {
			await view.showFields({ a: { type: 'string' }, g: person }, {}, { a: { b: 1 }, g: 'text', other: true });
			assert.equal(await view.field('a').inputValue(), '{\n  "b": 1\n}');
			assert.equal(await view.field('g').inputValue(), '"text"');
			assert.deepEqual(await view.value(), { a: { b: 1 }, g: 'text', other: true });
			assert.equal(await view.bare.page.getByRole('group', { name: 'other' }).getByLabel('Value').inputValue(), 'true');
		});
	});

	describe('groups, lists and maps', () => {
		it('are added and removed as a whole', async () => {
			await view.showFields({ who: person, must: person }, { required: ['must'] });
			assert.deepEqual(await view.value(), { must: {} });
			await view.bare.click(view.bare.button('Add: who'));
			const who = view.bare.page.getByRole('group', { name: 'who' });
			await view.bare.page.keyboard.type('Ann');
			assert.deepEqual(await view.value(), { must: {}, who: { name: 'Ann' } }, 'the first field has the focus');
			await who.getByLabel('age').fill('5');
			assert.deepEqual(await view.value(), { must: {}, who: { name: 'Ann', age: 5 } });
			await view.bare.click(view.bare.button('Remove: who'));
			assert.deepEqual(await view.value(), { must: {} });
		});

		it('have rows that are added, moved and removed', async () => {
			await view.showFields({ tags: { type: 'array', items: { type: 'string' } } });
			await view.bare.click(view.bare.button('Add Item: tags'));
			await view.bare.page.keyboard.type('one');
			await view.bare.click(view.bare.button('Add Item: tags'));
			await view.bare.page.keyboard.type('two');
			await view.bare.click(view.bare.button('Add Item: tags'));
			await view.bare.page.keyboard.type('three');
			const third = view.bare.page.getByRole('group', { name: 'tags: 3' });
			await view.bare.click(third.getByRole('button', { name: 'Move Up' }));
			assert.deepEqual(await view.value(), { tags: ['one', 'three', 'two'] });
			await press('Enter');
			assert.deepEqual(await view.value(), { tags: ['three', 'one', 'two'] }, 'the focus moves with the row');
			await press('Enter');
			assert.deepEqual(await view.value(), { tags: ['three', 'one', 'two'] });
			await view.bare.click(
				view.bare.page.getByRole('group', { name: 'tags: 1' }).getByRole('button', { name: 'Remove' }),
			);
			assert.deepEqual(await view.value(), { tags: ['one', 'two'] });
			await view.bare.click(view.bare.button('Remove: tags'));
			assert.deepEqual(await view.value(), {});
		});

		it('have rows with groups, which move with their rows', async () => {
			await view.showFields(
				{ people: { type: 'array', items: person } },
				{},
				{ people: [{ name: 'a' }, { name: 'b' }] },
			);
			const second = view.bare.page.getByRole('group', { name: 'people: 2' });
			await second.getByLabel('age').fill('x');
			await view.bare.click(second.getByRole('button', { name: 'Move Up' }));
			assert.deepEqual(await view.value(), { people: [{ name: 'b', age: 'x' }, { name: 'a' }] });
			await view.leave();
			assert.deepEqual(await view.problems(), ['Enter a number']);
			await view.bare.page.getByRole('group', { name: 'people: 1' }).getByLabel('age').fill('7');
			assert.deepEqual(await view.value(), { people: [{ name: 'b', age: 7 }, { name: 'a' }] });
		});

		it('have entries whose names can be edited', async () => {
			await view.showFields(
				{ env: { type: 'object', additionalProperties: { type: 'number' } } },
				{},
				{ env: { a: 1, b: 2 } },
			);
			await view.bare.click(view.bare.button('Add Entry'));
			await view.bare.page.keyboard.type('b');
			assert.equal(await view.bare.page.locator('.key').last().getAttribute('aria-invalid'), 'true');
			assert.deepEqual(await view.value(), { env: { a: 1, b: 2, '': null } });
			await view.bare.page.keyboard.type('c');
			await press('Tab');
			await view.bare.page.keyboard.type('3');
			assert.deepEqual(await view.value(), { env: { a: 1, b: 2, bc: 3 } });
			await view.bare.click(
				view.bare.page.getByRole('group', { name: 'a', exact: true }).getByRole('button', { name: 'Remove' }),
			);
			assert.deepEqual(await view.value(), { env: { b: 2, bc: 3 } });
		});

		it('leave the focus in the form when the only entry is removed', async () => {
			await view.showFields({ a: { type: 'string' } }, { additionalProperties: false }, { a: 'x', other: 1 });
			await view.bare.button('Remove').focus();
			await press('Enter');
			assert.deepEqual([await view.value(), await view.bare.focused()], [{ a: 'x' }, 'a']);
		});

		it('are created when they are opened, and are open if they have a value', async () => {
			const tree = {
				type: 'object',
				properties: { name: { type: 'string' }, next: { $ref: '#/$defs/tree' } },
				required: ['name', 'next'],
			};
			const value = { tree: { name: '1', next: { name: '2', next: { name: '3', next: {} } } } };
			await view.showFields({ tree: { $ref: '#/$defs/tree' } }, { $defs: { tree } }, value);
			assert.equal(await view.field('name').count(), 3);
			await view.bare.page.getByRole('button', { name: 'next' }).last().click();
			assert.equal(await view.field('name').count(), 4);
			assert.deepEqual(await view.value(), value);
		});
	});

	describe('variants', () => {
		it('keep the values entered in the other variants', async () => {
			await view.showFields(
				{ shape: { oneOf: [circle, box, { type: 'string' }] } },
				{},
				{ shape: { w: 5, note: 'n' } },
			);
			const shape = view.bare.page.getByRole('combobox', { name: 'shape' });
			assert.equal(await shape.inputValue(), '1');
			await shape.selectOption('Circle');
			assert.deepEqual(await view.value(), { shape: {} });
			await view.field('r').fill('3');
			await shape.selectOption('Text');
			assert.deepEqual(await view.value(), {}, 'nothing is entered yet');
			await shape.selectOption('Box');
			assert.deepEqual(await view.value(), { shape: { w: 5, note: 'n' } });
			await shape.selectOption('Circle');
			assert.deepEqual(await view.value(), { shape: { r: 3 } });
			await shape.selectOption('Not set');
			assert.deepEqual(await view.value(), {});
		});

		it('show the problems of the chosen variant', async () => {
			await view.showFields({ shape: { oneOf: [circle, box] } }, { required: ['shape'] });
			await view.bare.page.getByRole('combobox', { name: 'shape' }).selectOption('Box');
			assert.ok(await view.attempt());
			assert.equal(await view.bare.page.locator('.problems li').textContent(), 'wRequired');
		});

		it('show a value that fits no variant as JSON', async () => {
			await view.showFields({ v: { type: ['string', 'number'] } }, {}, { v: [1] });
			assert.equal(await view.field('v').first().inputValue(), '-1');
			assert.deepEqual(await view.value(), { v: [1] });
		});

		it('can be the whole value', async () => {
			await view.show({ type: 'object', properties: { id: { type: 'string' } }, oneOf: [circle, box] });
			await view.field('id').fill('x');
			await view.field('r').fill('1');
			assert.deepEqual(await view.value(), { id: 'x', r: 1 });
		});
	});

	describe('problems', () => {
		it('are shown when their field is left, and disappear when the value is valid', async () => {
			await view.showFields({ a: { type: 'string', maxLength: 3 }, n: { type: 'number' } }, { required: ['a', 'n'] });
			await view.field('a').fill('long');
			assert.deepEqual(await view.problems(), []);
			await view.leave();
			assert.deepEqual(await view.problems(), ['Value must have at most 3 characters']);
			const a = view.field('a');
			assert.equal(await a.getAttribute('aria-invalid'), 'true');
			const described = (await a.getAttribute('aria-describedby'))?.split(' ').at(-1);
			assert.equal(await view.bare.page.locator(`#${described}`).textContent(), 'Value must have at most 3 characters');
			await a.fill('ok');
			await view.leave();
			assert.deepEqual(await view.problems(), []);
			assert.equal(await a.getAttribute('aria-invalid'), 'false');
		});

		it('color the border of their field and of the list of problems in high contrast', async () => {
			await view.showFields({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['a'] });
			await view.attempt();
			await view.leave();
			// High-contrast themes define this color so.
			await view.bare.page.evaluate(
				`document.documentElement.style.setProperty('--vscode-inputValidation-errorBorder', 'var(--vscode-contrastBorder)')`,
			);
			const colorOf = (part: string, of: Locator): Promise<string> =>
				of.evaluate((it, name) => (globalThis as unknown as Styles).getComputedStyle(it)[name] ?? '', part);
			const border = (of: Locator): Promise<string> => colorOf('borderTopColor', of);
			const error = await colorOf('color', view.bare.page.locator('.fields .problem').first());
			assert.deepEqual(await Promise.all([view.field('a'), view.bare.page.locator('.problems')].map(border)), [
				error,
				error,
			]);
			assert.notEqual(await border(view.field('b')), error);
		});

		it('are all shown after an attempt, and lead to their fields, also in closed groups', async () => {
			const deep = {
				type: 'object',
				properties: { x: { type: 'object', properties: { y: person }, required: ['y'] } },
				required: ['x'],
			};
			await view.showFields({ deep, n: { type: 'number' } }, { required: ['deep', 'n'] });
			await view.field('n').fill('1.');
			assert.equal(await view.attempt(), false, 'a number that is not finished');
			assert.equal(
				await view.bare.page.evaluate('document.activeElement === document.querySelector("[inputmode]")'),
				true,
			);
			const lines = view.bare.page.locator('.problems li');
			assert.deepEqual(await lines.allTextContents(), ['nEnter a number', 'nameRequired']);
			await lines.last().getByRole('button').click();
			await view.bare.page.keyboard.type('Ann');
			await view.field('n').fill('1');
			assert.equal(await view.attempt(), true);
			assert.deepEqual(await view.value(), { deep: { x: { y: { name: 'Ann' } } }, n: 1 });
			assert.equal(await lines.count(), 0);
		});

		it('are not shown if they are about an earlier value', async () => {
			await view.showFields({ a: { type: 'string' } });
			await view.bare.receive({
				type: 'formProblems',
				revision: 0,
				problems: [{ pointer: '/a', text: 'late' }],
				isAttempt: true,
			});
			assert.equal(await view.bare.page.locator('.problem:not(:empty)').count(), 0);
		});
	});

	describe('Edit as JSON', () => {
		const json = () => view.bare.page.getByRole('textbox', { name: 'JSON', exact: true });

		it('shows the whole value, accepts any object, and keeps members without a field', async () => {
			await view.showFields({ a: { type: 'string' }, n: { type: 'number' } }, {}, { a: 'x', more: [1] });
			await view.field('n').fill('1.');
			await view.toggleJson();
			assert.deepEqual(JSON.parse(await json().inputValue()), { a: 'x', more: [1], n: '1.' });
			await view.toggleJson();
			assert.equal(await view.field('n').inputValue(), '1.', 'nothing was changed');
			await view.toggleJson();
			await json().fill('{"a": "y", "other": {"b": null}}');
			assert.deepEqual(await view.value(), { a: 'y', other: { b: null } });
			await view.toggleJson();
			assert.equal(await view.field('a').inputValue(), 'y');
			assert.deepEqual(await view.value(), { a: 'y', other: { b: null } });
		});

		it('stays open with a message if the text is not JSON', async () => {
			await view.showFields({ a: { type: 'string' } });
			await view.toggleJson();
			for (const text of ['{"a": ', '[]', '5', '']) {
				await json().fill(text);
				await view.toggleJson();
				assert.equal(await json().inputValue(), text);
				assert.equal(await view.bare.page.locator('.form > .problem').textContent(), 'Value must be valid JSON');
				assert.equal(await view.attempt(), false);
			}
			await json().fill('{"a": "x"}');
			await view.toggleJson();
			assert.equal(await view.field('a').inputValue(), 'x');
			await view.toggleJson();
			await json().fill('{');
			await view.showNext({ type: 'object', properties: { a: { type: 'string' } } }, { a: 'other' });
			assert.equal(await json().inputValue(), '{\n  "a": "other"\n}');
			assert.equal(await view.bare.page.locator('.form > .problem').textContent(), '');
		});

		it('returns any value unchanged, as do the fields', async function () {
			this.timeout(60_000);
			await fc.assert(
				fc.asyncProperty(anySchema, async ({ schema, value }) => {
					// Playwright loses a member of that name.
					fc.pre(!JSON.stringify(schema).includes('__proto__'));
					await view.bare.reset();
					await view.show(schema, value as JsonObject);
					assert.deepEqual(await view.value(), value);
					// Every field is entered and left.
					await view.bare.page.evaluate(
						`for (const it of document.querySelectorAll('input,textarea,select')) { it.focus(); it.dispatchEvent(new Event('input')); it.blur(); }`,
					);
					assert.deepEqual(await view.value(), value);
					await view.toggleJson();
					await json().fill(JSON.stringify(value, undefined, 1));
					await view.toggleJson();
					assert.deepEqual(await view.value(), value);
					assert.deepEqual(await view.problems(), []);
				}),
				{ numRuns: 25 },
			);
		});
	});

	it('has names for screen readers, and fits in a narrow page', async () => {
		const kinds: JsonObject = {
			text: { type: 'string', description: 'Words' },
			number: { type: 'integer', minimum: 1 },
			flag: { type: 'boolean' },
			choice: { enum: ['a', 'b'] },
			many: { enum: Array.from({ length: 50 }, (_, index) => `n${index}`) },
			several: { type: 'array', items: { enum: ['c', 'd'] } },
			filtered: { type: 'array', items: { enum: Array.from({ length: 50 }, (_, index) => `m${index}`) } },
			day: { type: 'string', format: 'date' },
			pass: { type: 'string', format: 'password' },
			map: { type: 'object', additionalProperties: { type: 'string' } },
			list: { type: 'array', items: person },
			shape: { oneOf: [circle, box] },
			any: {},
		};
		const value = { map: { key: 'x' }, list: [{}], shape: {}, other: 1 };
		await view.showFields(kinds, { required: ['text', 'number', 'flag'] }, value);
		assert.deepEqual(await view.bare.axe('.form'), []);
		await view.attempt();
		assert.deepEqual(await view.bare.axe('.form'), []);
		for (const width of [400, 200]) {
			await view.bare.page.setViewportSize({ width, height: 600 });
			assert.equal(await view.bare.overflow(), 0);
		}
		await view.toggleJson();
		assert.deepEqual(await view.bare.axe('.form'), []);
	});

	it('stays quick with many and large arguments', async () => {
		const big = 'x '.repeat(500_000);
		const many = Array.from({ length: 298 }, (_, index) => [`a${index}`, { type: 'string' }] as const);
		let deep: JsonObject = { type: 'string' };
		for (let level = 0; level < 10; level++) {
			deep = { type: 'object', properties: { in: deep }, required: ['in'] };
		}
		await view.showFields(
			{ ...Object.fromEntries(many), big: { type: 'string', default: big }, deep },
			{ required: ['big', 'deep'] },
		);
		await view.field('a297').fill('last');
		assert.deepEqual(await view.value(), {
			big,
			deep: { in: { in: { in: { in: { in: { in: { in: { in: { in: {} } } } } } } } } },
			a297: 'last',
		});
		await view.attempt();
		await view.bare.page.locator('.problems button').click();
		await view.bare.page.keyboard.type('deep');
		const { deep: filled } = await view.value();
		assert.equal(JSON.stringify(filled).match(/"in":/g)?.length, 10);
		await view.toggleJson();
		await view.toggleJson();
		assert.equal(await view.field('a297').inputValue(), 'last');
	});

	describe('entered values', () => {
		it('stay when the schema changes, with the focus', async () => {
			await view.showFields({ a: { type: 'string' }, n: { type: 'number' } });
			await view.field('n').fill('1.');
			await view.field('a').fill('typed');
			await view.showNext({
				type: 'object',
				properties: { b: { type: 'boolean' }, a: { type: 'string' }, n: { type: 'number' } },
			});
			await view.bare.page.keyboard.type('!');
			assert.equal(await view.field('a').inputValue(), 'typed!');
			assert.equal(await view.field('n').inputValue(), '1.');
			await view.showNext({ type: 'object', properties: { b: { type: 'boolean' } } });
			assert.deepEqual(await view.value(), { a: 'typed!', n: '1.' });
		});

		it('stay when the schema changes, without taking the focus from an editor', async () => {
			await view.showFields({ a: { type: 'string' } });
			await view.field('a').fill('typed');
			await view.bare.page.evaluate('document.hasFocus = () => false');
			await view.showNext({ type: 'object', properties: { b: {}, a: { type: 'string' } } });
			assert.deepEqual([await view.value(), await view.bare.focused()], [{ a: 'typed' }, 'nothing']);
		});

		it('stay in their variant when variants are added, and when another variant also fits', async () => {
			const properties = { q: { type: 'string', default: 'x' } };
			const one = { title: 'One', type: 'object', properties, required: ['q'] };
			const like = { ...box, title: 'Like' };
			await view.showFields({ shape: { oneOf: [circle, box] } });
			const shape = view.bare.page.getByRole('combobox', { name: 'shape' });
			await shape.selectOption('Box');
			await view.field('note').fill('typed');
			const schema = { type: 'object', properties: { shape: { oneOf: [one, one, circle, box, like] } } };
			await view.showNext(schema);
			assert.deepEqual(await view.value(), { shape: { note: 'typed' } });
			assert.equal(await shape.inputValue(), '3');
			await shape.selectOption('Like');
			await view.field('note').fill('typed');
			await view.leave();
			await view.bare.load();
			await view.showNext(schema);
			assert.deepEqual(await view.value(), { shape: { note: 'typed' } });
			assert.equal(await shape.inputValue(), '4');
		});

		it('are restored after a reload', async () => {
			const schema = { type: 'object', properties: { a: {}, shape: { oneOf: [circle, box] } } };
			await view.show(schema);
			await view.field('a').fill('{"x"');
			await view.bare.page.getByRole('combobox', { name: 'shape' }).selectOption('Box');
			await view.field('note').fill('n');
			await view.leave();
			await view.bare.load();
			await view.showNext(schema);
			assert.equal(await view.field('a').inputValue(), '{"x"');
			assert.equal(await view.field('note').inputValue(), 'n');
			await view.toggleJson();
			await view.bare.page.getByRole('textbox', { name: 'JSON', exact: true }).fill('{"shape"');
			await view.leave();
			await view.bare.load();
			await view.showNext(schema);
			assert.equal(await view.bare.page.getByRole('textbox', { name: 'JSON', exact: true }).inputValue(), '{"shape"');
		});
	});
});

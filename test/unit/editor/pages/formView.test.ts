import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { findProblems, formStrings, shownForm } from '../../../../src/editor/pages/formView.js';
import { AjvValidator } from '../../../../src/mcp/schema/ajvValidator.js';
import { formModel, type JsonObject, type SchemaValidator } from '../../../../src/mcp/index.js';
import type { ShownNode } from '../../../../src/webviews/page/form/protocol.js';
import { readMessage } from '../../../../src/webviews/page/checks.js';
import { formFromView, formToView } from '../../../../src/webviews/page/form/protocol.js';
import { anySchema, replaced } from '../../../support/anySchema.js';

const ajv = new AjvValidator();
const validator: SchemaValidator = {
	check: async (schema, value) => ajv.check(JSON.stringify(schema), JSON.stringify(value)),
};

async function problems(schema: JsonObject, value: JsonObject, chosen = {}): Promise<string[]> {
	return (await findProblems(validator, schema, value, chosen)).map(({ pointer, text }) => `${pointer}: ${text}`);
}

/** What is shown for one property. */
function shown(property: unknown): ShownNode {
	const form = shownForm(formModel({ type: 'object', properties: { p: property } }));
	return form.nodes[form.nodes[form.root]?.members[0]?.node ?? -1] ?? assert.fail();
}

describe('the form of a tool', () => {
	it('shows cleaned texts', () => {
		const attack = 'a\u202Eb\nc';
		const form = shownForm(
			formModel({
				type: 'object',
				properties: { [attack]: { title: '', description: attack, enum: [attack], default: attack } },
			}),
		);
		const [member] = form.nodes[form.root]?.members ?? [];
		const node = form.nodes[member?.node ?? -1];
		assert.equal(member?.name, attack, 'the name as it is sent');
		assert.equal(member?.label, 'a\uFFFDb c');
		assert.equal(node?.options[0]?.title, 'a\uFFFDb c');
		assert.ok(!JSON.stringify([node?.description, node?.defaultText, node?.options[0]?.title]).includes('\u202E'));
		assert.equal(node?.options[0]?.value, attack);
	});

	it('shows the name beside a title that says something else', () => {
		const form = shownForm(
			formModel({
				type: 'object',
				properties: { max_results: { title: 'Max Results' }, q: { title: 'Query' }, plain: {} },
			}),
		);
		assert.deepEqual(
			form.nodes[form.root]?.members.map(it => [it.label, it.note]),
			[
				['Max Results', ''],
				['Query', 'q'],
				['plain', ''],
			],
		);
	});

	it('shows the kind of a text, its limits, and its default', () => {
		assert.deepEqual(
			[{}, { maxLength: 50 }, { format: 'uri' }, { format: 'date' }, { format: 'date-time' }].map(
				it => shown({ type: 'string', ...it }).kind,
			),
			['text', 'text', 'text', 'date', 'dateTime'],
		);
		assert.equal(shown({ type: 'integer', minimum: 1, maximum: 5 }).hint, 'Enter a whole number from 1 to 5.');
		assert.equal(shown({ type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 }).hint, 'Items: 1 to 3.');
		assert.equal(shown({ type: 'boolean', default: false }).defaultText, 'No');
		assert.equal(shown({ type: 'string', default: 'x'.repeat(1_000_000) }).defaultText.length, 60);
		assert.equal(shown({ type: 'string', format: 'password', default: 'x' }).defaultText, '••••');
		assert.deepEqual(
			shown({
				anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'object', properties: { a: {}, b: {} } }],
			}).variants.map(it => it.title),
			['Text', 'Number', 'a, b'],
		);
	});

	it('gives the variants of a value different titles', () => {
		const text = { type: 'string' };
		const titlesOf = (...anyOf: object[]): string[] => shown({ anyOf }).variants.map(it => it.title);
		assert.deepEqual(titlesOf(text, { ...text, format: 'date-time' }), ['Text', 'Text (date-time)']);
		assert.deepEqual(
			titlesOf({ ...text, description: 'A path' }, { ...text, description: 'A\nURL' }, { type: 'integer' }),
			['A path', 'A URL', 'Number'],
		);
		assert.deepEqual(titlesOf({ ...text, pattern: '^a' }, { type: 'integer' }, { ...text, pattern: '^b' }), [
			'Text 1',
			'Number',
			'Text 2',
		]);
		assert.deepEqual(titlesOf({ title: 'Size', type: 'integer' }, { title: 'Size', ...text }), ['Size 1', 'Size 2']);
	});

	it('passes the checks of the protocol, which reject anything else', () => {
		const form = shownForm(
			formModel({ type: 'object', properties: { a: { type: 'array', items: { enum: [1, null] } } } }),
		);
		const message = { type: 'form', form, strings: formStrings(), value: { a: [1] } };
		assert.deepEqual(readMessage(message, formToView), message);
		const nodes = form.nodes.map(it => ({ ...it, item: -1 }));
		for (const wrong of [
			{ ...message, form: { ...form, nodes } },
			{ ...message, form: { ...form, root: '0' } },
			{ ...message, value: 5 },
			{ ...message, strings: {} },
		]) {
			assert.equal(readMessage(wrong, formToView), undefined);
		}
		const changed = { type: 'formChanged', revision: 1, value: {}, variants: { '/a': 1 } };
		assert.deepEqual(readMessage(changed, formFromView), changed);
		assert.equal(readMessage({ ...changed, variants: { '/a': '1' } }, formFromView), undefined);
	});

	it('reports a problem once, at its part of the value', async () => {
		const schema = {
			type: 'object',
			required: ['a'],
			additionalProperties: false,
			properties: {
				a: { type: 'string', pattern: '^x', maxLength: 3 },
				n: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 2, uniqueItems: true },
				o: { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
			},
		};
		assert.deepEqual(await problems(schema, { a: 'x', n: [1, 2], o: { b: '' } }), []);
		assert.deepEqual(await problems(schema, { a: 'long', n: [0], o: {}, more: 1 }), [
			'/a: Value must have at most 3 characters',
			'/n/0: Value must be at least 1',
			'/o/b: Required',
			'/more: "more" isn\'t allowed',
			'/n: List must have 2 or more items',
		]);
		assert.deepEqual(await problems(schema, { a: 'y', n: [1, 1] }), [
			'/a: Value must match the pattern ^x',
			'/n: Values must be unique',
		]);
	});

	it('reports no problems of variants that were not chosen', async () => {
		const variants = ['circle', 'box'].map(kind => ({
			type: 'object',
			properties: { kind: { const: kind }, [`${kind}Size`]: { type: 'number' } },
			required: ['kind', `${kind}Size`],
		}));
		const schema = { type: 'object', properties: { shape: { oneOf: variants } } };
		assert.deepEqual(await problems(schema, { shape: { kind: 'box', boxSize: 'x' } }), [
			'/shape/boxSize: "x" isn\'t a number',
		]);
		assert.deepEqual(await problems(schema, { shape: { kind: 'box' } }, { '/shape': 0 }), [
			'/shape/kind: Value must be one of the choices',
			'/shape/circleSize: Required',
		]);
		assert.deepEqual(await problems(schema, { shape: 5 }), ['/shape: Value must have one of the allowed types']);
	});

	it('finds no problem in a valid value, and the problem of an invalid value at its part', async () => {
		await fc.assert(
			fc.asyncProperty(anySchema, async ({ schema, value, wrong }) => {
				assert.deepEqual(await problems(schema, value as JsonObject), []);
				for (const [pointer, part] of wrong.filter(it => it[0] !== '')) {
					const found = await findProblems(validator, schema, replaced(value, pointer, part) as JsonObject, {});
					assert.ok(found.length > 0, `${pointer} ${JSON.stringify(part)}`);
					assert.ok(
						found.every(it => it.pointer === pointer || it.pointer.startsWith(`${pointer}/`)),
						`${pointer}: ${JSON.stringify(found)}`,
					);
				}
			}),
		);
	});
});

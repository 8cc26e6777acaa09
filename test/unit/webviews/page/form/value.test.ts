import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { escapeStep, stepsOf } from '../../../../../src/base/jsonPointer.js';
import { readNumber } from '../../../../../src/base/readNumber.js';
import { formModel, type JsonObject } from '../../../../../src/mcp/index.js';
import { shownForm } from '../../../../../src/editor/pages/formView.js';
import type { ShownForm, ShownNode } from '../../../../../src/webviews/page/form/protocol.js';
import {
	emptyValue,
	fromLocalTime,
	holds,
	newItem,
	textOf,
	toLocalTime,
	variantFor,
	withoutSecrets,
} from '../../../../../src/webviews/page/form/value.js';

const formOf = (properties: JsonObject, more: JsonObject = {}): ShownForm =>
	shownForm(formModel({ type: 'object', properties, ...more }));

/** The form of one property, and the index of its node. */
function only(property: unknown): readonly [form: ShownForm, index: number, node: ShownNode] {
	const form = formOf({ p: property });
	const index = form.nodes[form.root]?.members[0]?.node ?? assert.fail();
	return [form, index, form.nodes[index] ?? assert.fail()];
}

const circle = {
	title: 'Circle',
	type: 'object',
	properties: { kind: { const: 'circle' }, r: { type: 'number' } },
	required: ['kind', 'r'],
};
const box = {
	title: 'Box',
	type: 'object',
	properties: { kind: { const: 'box' }, w: { type: 'number' } },
	required: ['kind', 'w'],
};

describe('values of a form', () => {
	it('begin with defaults and required members', () => {
		const table: readonly (readonly [schema: unknown, value: unknown])[] = [
			[{ type: 'string' }, undefined],
			[{ type: 'string', default: 'x' }, 'x'],
			[{ type: ['string', 'null'] }, null],
			[{ const: 'a' }, 'a'],
			[{ enum: ['a', 'b'] }, undefined],
			[{ type: 'boolean' }, undefined],
			[{ type: 'array', items: { type: 'string' } }, []],
			[
				{
					type: 'object',
					required: ['a', 'b'],
					properties: { a: { type: 'string', default: 'x' }, b: { type: 'number' }, c: { default: 1 } },
				},
				{ a: 'x' },
			],
			[{ oneOf: [box, circle] }, { kind: 'box' }],
			[{ type: ['number', 'string'] }, undefined],
		];
		for (const [schema, value] of table) {
			const [form, index] = only(schema);
			assert.deepEqual(emptyValue(form, index), value, JSON.stringify(schema));
		}
		const tree = {
			type: 'object',
			required: ['name', 'next'],
			properties: { name: { default: 'n' }, next: { $ref: '#/properties/p' } },
		};
		const [form, index] = only(tree);
		assert.deepEqual(emptyValue(form, index), { name: 'n', next: { name: 'n' } }, 'a schema that requires itself');
	});

	it('are never undefined in a new row', () => {
		assert.equal(newItem(...(only({ type: 'string' }).slice(0, 2) as [ShownForm, number])), '');
		assert.equal(newItem(...(only({ type: 'number' }).slice(0, 2) as [ShownForm, number])), null);
	});

	it('belong to the variant with most of their members', () => {
		const [form, , node] = only({
			oneOf: [circle, box, { type: 'string' }, { type: 'array', items: { type: 'string' } }],
		});
		assert.equal(variantFor(form, node, { kind: 'circle', r: 1 }), 0);
		assert.equal(variantFor(form, node, { kind: 'box' }), 1);
		assert.equal(variantFor(form, node, { w: 5 }), 1);
		assert.equal(variantFor(form, node, 'x'), 2);
		assert.equal(variantFor(form, node, ['x']), 3);
		assert.equal(variantFor(form, node, 5), -1);
		const [other, , numberFirst] = only({ type: ['number', 'string'] });
		assert.equal(variantFor(other, numberFirst, 'x'), 1, 'a text is no unfinished number here');
	});

	it('are read from texts exactly', () => {
		for (const [text, value] of [
			['5', 5],
			[' -0.50 ', -0.5],
			['1e3', 1000],
			['007', 7],
			['9007199254740992', 9007199254740992],
		] as const) {
			assert.equal(readNumber(text), value);
		}
		for (const text of ['', '1.', '.5', '0x1', 'x', '1e999', '9007199254740993']) {
			assert.equal(readNumber(text), undefined, text);
		}
	});

	it('are the same after conversion to the text of their field', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.double({ noNaN: true, noDefaultInfinity: true }), (value, it) => {
				assert.deepEqual(JSON.parse(textOf(value, true)), JSON.parse(JSON.stringify(value)));
				const read = readNumber(textOf(it, false));
				assert.ok(read === it || Object.is(it, -0));
			}),
		);
	});

	it('have dates and times in local time, if they have no fraction of a second', () => {
		for (const text of ['2026-11-24T09:00:00Z', '2026-11-24T09:00:00+02:00']) {
			const local = toLocalTime(text);
			assert.equal(Date.parse(fromLocalTime(local ?? '')), Date.parse(text));
		}
		assert.equal(toLocalTime('2026-11-24T09:00:00.5Z'), undefined);
		assert.equal(toLocalTime('tomorrow'), undefined);
	});

	it('are kept without secrets', () => {
		const secret = { type: 'string', format: 'password' };
		const form = formOf({
			user: { type: 'string' },
			pass: secret,
			apiKey: { type: 'string' },
			list: { type: 'array', items: secret },
			login: {
				anyOf: [{ type: 'string' }, { type: 'object', properties: { pass: secret, name: { type: 'string' } } }],
			},
		});
		const value = { user: 'u', pass: 'a', apiKey: 'b', list: ['c'], login: { pass: 'd', name: 'n' }, other: 1 };
		assert.deepEqual(withoutSecrets(form, form.root, value), { user: 'u', list: [], login: { name: 'n' }, other: 1 });
	});

	it('have pointers that can be parsed', () => {
		fc.assert(
			fc.property(fc.array(fc.string()), steps => {
				assert.deepEqual(stepsOf(steps.map(it => `/${escapeStep(it)}`).join('')), steps);
			}),
		);
	});

	it('are shown only by the controls of their type', () => {
		assert.ok(holds(only({ type: 'string' })[2], 'x') && !holds(only({ type: 'string' })[2], 5));
		assert.ok(holds(only({ enum: ['a', { b: 1 }] })[2], { b: 1 }) && !holds(only({ enum: ['a'] })[2], 'b'));
		assert.ok(!holds(only({ type: 'array', items: { enum: ['a'] } })[2], ['b']));
	});
});

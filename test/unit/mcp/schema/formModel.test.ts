import * as assert from 'node:assert/strict';
import { formModel, type FormNode } from '../../../../src/mcp/schema/formModel.js';
import type { JsonObject } from '../../../../src/mcp/index.js';

/** A node and those below as a short text; `…` for a node around it. */
function outline(schema: JsonObject): string {
	const { root, nodes } = formModel(schema);
	const text = (index: number, outer: readonly number[]): string => {
		const node = nodes[index] as FormNode;
		const within = [...outer, index];
		const kind = (): string => {
			switch (node.kind) {
				case 'object': {
					const members = node.members.map(it => `${it.name}${it.required ? '*' : ''}: ${text(it.node, within)}`);
					return `{${[...members, ...(node.additional === undefined ? [] : [`[]: ${text(node.additional, within)}`])].join(', ')}}`;
				}
				case 'list':
					return `[${text(node.item, within)}]`;
				case 'variants':
					return `<${node.variants.map(it => `${it.title ?? ''}: ${text(it.node, within)}`).join(' | ')}>`;
				case 'choice':
					return node.options.map(it => it.title).join('/');
				default:
					return node.kind;
			}
		};
		return outer.includes(index) ? '…' : `${kind()}${node.nullable ? '?' : ''}${node.isSecret ? '!' : ''}`;
	};
	return text(root, []);
}

/** The outline of one property. */
const of = (property: unknown, more: JsonObject = {}): string =>
	/^\{p: (.*)\}$/.exec(outline({ type: 'object', properties: { p: property }, ...more }))?.[1] ?? '';

describe('formModel', () => {
	it('has fields for simple properties, required ones first', () => {
		const properties = {
			a: { type: 'string' },
			b: { type: 'integer' },
			c: { enum: ['x', 'y'] },
			d: { type: 'boolean' },
		};
		assert.equal(
			outline({ type: 'object', properties, required: ['b'] }),
			'{b*: integer, a: string, c: x/y, d: boolean}',
		);
	});

	it('has groups, maps and lists', () => {
		const table: readonly (readonly [schema: unknown, outline: string])[] = [
			[{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, '{a*: string}'],
			[{ properties: { a: { type: 'string' } } }, '{a: string}'],
			[{ type: 'object', required: ['a'] }, '{a*: json}'],
			[{ type: 'object', additionalProperties: { type: 'number' } }, '{[]: number}'],
			[{ type: 'object', patternProperties: { '^x': { type: 'number' } } }, '{[]: number}'],
			[{ type: 'object', properties: { a: {} }, additionalProperties: true }, '{a: json, []: json}'],
			[{ type: 'array', items: { type: 'string' } }, '[string]'],
			[{ items: { type: 'array', items: { type: 'integer' } } }, '[[integer]]'],
			[{ type: 'array', items: { enum: ['a', 'b'] } }, 'choices'],
			// What has no form.
			[{ type: 'object' }, 'json'],
			[{ type: 'object', additionalProperties: true }, 'json'],
			[{ type: 'array' }, 'json'],
			[{ type: 'array', items: true }, 'json'],
			[{ type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'string' } }, 'json'],
			[{ type: 'array', items: [{ type: 'string' }] }, 'json'],
			[{}, 'json'],
			[true, 'json'],
			['wrong', 'json'],
			[{ type: 'string', properties: { a: {} } }, 'string'],
		];
		for (const [schema, expected] of table) {
			assert.equal(of(schema), expected, JSON.stringify(schema));
		}
	});

	it('has variants with titles', () => {
		const circle = {
			type: 'object',
			properties: { kind: { const: 'circle' }, r: { type: 'number' } },
			required: ['r'],
		};
		const table: readonly (readonly [schema: unknown, outline: string])[] = [
			[{ type: ['string', 'number'] }, '<: string | : number>'],
			[{ type: ['string', 'number', 'null'] }, '<: string | : number>?'],
			[{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, '<: string | : [string]>'],
			[{ oneOf: [{ title: 'One', type: 'string' }, circle] }, '<One: string | circle: {r*: number, kind: circle}>'],
			[
				{ anyOf: [{ $ref: '#/$defs/Circle' }, { type: 'null' }, { type: 'string' }] },
				'<circle: {r*: number, kind: circle} | : string>?',
			],
			[{ anyOf: [{ $ref: '#/$defs/Name' }, { type: 'integer' }] }, '<Name: string | : integer>'],
			// Members beside the variants belong to each of them.
			[
				{
					type: 'object',
					properties: { a: { type: 'string' } },
					required: ['a'],
					oneOf: [
						{ title: 'B', properties: { b: {} } },
						{ title: 'C', required: ['c'], properties: { c: {} } },
					],
				},
				'<B: {a*: string, b: json} | C: {c*: json, a*: string}>',
			],
			// Those that only require members are checked, not shown.
			[
				{ type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
				'{a: string}',
			],
		];
		for (const [schema, expected] of table) {
			assert.equal(
				of(schema, { $defs: { Circle: circle, Name: { type: 'string' } } }),
				expected,
				JSON.stringify(schema),
			);
		}
	});

	it('has one node for a recursive schema', () => {
		const tree = {
			type: 'object',
			properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
		};
		const model = formModel({ type: 'object', properties: { tree: { $ref: '#/$defs/tree' } }, $defs: { tree } });
		assert.ok(model.nodes.length < 10, `${model.nodes.length} nodes`);
		assert.equal(outline({ ...tree, $defs: { tree } }), '{name: string, children: [{name: string, children: …}]}');
		const loop = { type: 'object', properties: { a: {} }, oneOf: [{ $ref: '#' }, { $ref: '#' }] };
		assert.ok(formModel(loop).nodes.length < 50);
		assert.ok(formModel({ $ref: '#' }).nodes.length < 10);
	});

	it('has JSON in place of variants that would multiply without end', () => {
		const level = (of: string): JsonObject => ({
			properties: { id: {} },
			anyOf: Array.from({ length: 60 }, (_, at) => ({ title: `${at}`, $ref: `#/$defs/${of}` })),
		});
		const schema = { properties: { a: level('b') }, $defs: { b: level('c'), c: level('d'), d: {} } };
		const { nodes } = formModel(schema);
		assert.ok(nodes.length < 2000, `${nodes.length} nodes`);
	});

	it('follows the references and compositions of the root', () => {
		const a = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
		const b = { type: 'object', properties: { b: { type: 'integer' } } };
		assert.equal(outline({ $ref: '#/$defs/a', $defs: { a } }), '{a*: string}');
		assert.equal(outline({ allOf: [{ $ref: '#/$defs/a' }, b], $defs: { a } }), '{a*: string, b: integer}');
		assert.equal(
			outline({
				type: 'object',
				oneOf: [
					{ title: 'A', ...a },
					{ title: 'B', ...b },
				],
			}),
			'<A: {a*: string} | B: {b: integer}>',
		);
		assert.equal(outline({ type: 'object', properties: {} }), '{}');
		assert.equal(outline({ type: 'object' }), '{}', 'a tool without arguments');
		assert.equal(outline({}), '{[]: json}');
		assert.equal(outline({ $ref: 'https://example.com/schema' }), '{[]: json}');
		assert.equal(outline({ type: 'object', additionalProperties: { type: 'string' } }), '{[]: string}');
	});

	it('knows which parts are secrets', () => {
		const password = { type: 'string', format: 'password' };
		assert.equal(of(password), 'string!');
		assert.equal(of({ anyOf: [password, { type: 'null' }] }), 'string?!');
		assert.equal(of({ type: 'object', properties: { a: password, b: { type: 'string' } } }), '{a: string!, b: string}');
		assert.equal(of({ type: 'object', writeOnly: true, properties: { b: { type: 'string' } } }), '{b: string!}!');
	});

	it('keeps defaults that have the type of the value', () => {
		const defaultOf = (property: JsonObject): unknown => {
			const { nodes } = formModel({ type: 'object', properties: { p: property } });
			return nodes.at(-1)?.default;
		};
		assert.equal(defaultOf({ type: 'string', default: 'x' }), 'x');
		assert.equal(defaultOf({ type: 'string', default: 5 }), undefined);
		assert.equal(defaultOf({ type: ['string', 'null'], default: null }), undefined);
		const [list] = formModel({
			type: 'object',
			properties: { p: { type: 'array', items: { type: 'string' }, default: ['a'] } },
		}).nodes.filter(it => it.kind === 'list');
		assert.deepEqual(list?.default, ['a']);
	});
});

import * as assert from 'node:assert/strict';
import { AjvValidator } from '../../../../src/mcp/schema/ajvValidator.js';
import type { SchemaCheck } from '../../../../src/mcp/schema/validator.js';

const validator = new AjvValidator();

/** `valid`, `/path code …`, or `unchecked: why detail`. */
function verdict(schema: unknown, value: unknown): string {
	return describeCheck(check(schema, value));
}

function check(schema: unknown, value: unknown): SchemaCheck {
	return validator.check(JSON.stringify(schema), JSON.stringify(value));
}

function describeCheck(check: SchemaCheck): string {
	switch (check.kind) {
		case 'valid':
			return 'valid';
		case 'invalid':
			return check.problems.map(it => `${it.path} ${it.code} ${Object.values(it.data).join(' ')}`.trim()).join('; ');
		case 'unchecked':
			return `unchecked: ${check.why}`;
	}
}

/** Each row: a schema, then values with their verdicts. */
function table(rows: readonly (readonly [schema: unknown, ...expected: (readonly [unknown, string])[]])[]): void {
	for (const [row, [schema, ...expected]] of rows.entries()) {
		assert.deepEqual(
			expected.map(([value]) => verdict(schema, value)),
			expected.map(([, text]) => text),
			`row ${row}`,
		);
	}
}

const draft7 = 'http://json-schema.org/draft-07/schema#';
const draft2019 = 'https://json-schema.org/draft/2019-09/schema';
const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

describe('AjvValidator', function () {
	// The first check compiles the dialect's own schema; two cores are shared with everything else.
	this.timeout(20_000);

	// covers: schema.dialects
	it('checks three dialects, 2020-12 where none is named', () => {
		const tuple = { items: [{ type: 'string' }], additionalItems: false };
		const prefix = { prefixItems: [{ type: 'string' }], items: false };
		table([
			[
				{ type: 'object', properties: { a: { type: 'integer', minimum: 1 } }, required: ['a'] },
				[{ a: 1 }, 'valid'],
				[{}, 'required a'],
				[{ a: 0.5 }, '/a type integer; /a minimum >= 1'],
				[null, 'type object'],
			],
			[{ $schema: draft7, ...tuple }, [['a'], 'valid'], [['a', 1], 'additionalItems 1']],
			[{ $schema: draft2020, ...prefix }, [['a'], 'valid'], [['a', 1], 'items 1']],
			[prefix, [['a'], 'valid'], [['a', 1], 'items 1']],
			// A tuple of draft-07 is no schema of 2020-12.
			[tuple, [['a'], 'unchecked: invalidSchema']],
			[{ $schema: draft7.slice(0, -1), type: 'string' }, ['a', 'valid']],
			[{ $schema: draft7.replace('http', 'https'), type: 'string' }, [1, 'type string']],
			[{ $schema: 'http://json-schema.org/draft-04/schema#' }, [1, 'unchecked: unknownDialect']],
			[{ $schema: draft2019, ...tuple }, [['a'], 'valid'], [['a', 1], 'additionalItems 1']],
			[{ $schema: 5 }, [1, 'unchecked: unknownDialect']],
			[{}, [{ a: [null] }, 'valid']],
		]);
	});

	// covers: schema.noNetworkRef
	it('follows references inside the schema and never leaves it', () => {
		const tree = {
			$id: 'https://example.com/tree',
			$dynamicAnchor: 'node',
			type: 'object',
			properties: { children: { type: 'array', items: { $dynamicRef: '#node' } } },
		};
		table([
			[{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, ['x', 'valid'], [1, 'type string']],
			[{ $schema: draft7, $ref: '#/definitions/a', definitions: { a: { type: 'string' } } }, [1, 'type string']],
			[{ $ref: '#a', $defs: { x: { $anchor: 'a', type: 'string' } } }, ['x', 'valid'], [1, 'type string']],
			[{ $schema: draft7, $ref: '#a', definitions: { x: { $id: '#a', type: 'string' } } }, [1, 'type string']],
			[{ $ref: '#/components/schemas/a', components: { schemas: { a: { type: 'string' } } } }, [1, 'type string']],
			[{ $id: 'https://a/b', $ref: 'c', $defs: { x: { $id: 'c', type: 'string' } } }, [1, 'type string']],
			[tree, [{ children: [{ children: [] }] }, 'valid'], [{ children: [1] }, '/children/0 type object']],
			[
				{ type: 'object', properties: { n: { $ref: '#' } } },
				[{ n: { n: {} } }, 'valid'],
				[{ n: { n: 1 } }, '/n/n type object'],
			],
			[{ $ref: 'https://example.com/x.json' }, [1, 'unchecked: remoteRef']],
			[{ properties: { a: { $ref: 'other.json#/a' } } }, [1, 'unchecked: remoteRef']],
			[{ $ref: 'file:///etc/passwd' }, [1, 'unchecked: remoteRef']],
			[{ $ref: draft2020 }, [1, 'unchecked: remoteRef']],
			[{ $ref: '#/$defs/missing' }, [1, 'unchecked: invalidSchema']],
			[{ $ref: '#missing' }, [1, 'unchecked: invalidSchema']],
			[{ $ref: '#' }, [1, 'unchecked: tooDeep']],
		]);
	});

	it('says of a wrong schema that it is one', () => {
		const wrong = [
			{ type: 'strin' },
			{ minLength: -1 },
			{ required: true },
			{ properties: [] },
			{ enum: 5 },
			{ $ref: 5 },
			{ minimum: '1' },
			{ exclusiveMinimum: true },
			{ anyOf: [] },
			5,
			'x',
			null,
			[],
			true,
			undefined,
		];
		for (const schema of wrong) {
			assert.equal(verdict(schema, 1), 'unchecked: invalidSchema', JSON.stringify(schema));
		}
		const said = check({ properties: { a: { type: 'strin' } } }, 1);
		assert.match(said.kind === 'unchecked' ? said.detail : '', /^\/properties\/a\/type must be/);
	});

	it('checks formats, and leaves unknown ones', () => {
		const formats: Record<string, readonly [good: string, bad: string]> = {
			email: ['a@b.cd', 'a@'],
			uri: ['https://a/b?c', 'a b'],
			'uri-reference': ['/a?b', 'a b\\'],
			'uri-template': ['/a/{b}', '/a/{b'],
			date: ['2024-02-29', '2024-02-30'],
			time: ['12:00:00Z', '25:00:00Z'],
			'date-time': ['2024-02-29T12:00:00Z', '2024-02-29'],
			duration: ['P1D', '1D'],
			uuid: ['123e4567-e89b-12d3-a456-426614174000', '123'],
			ipv4: ['127.0.0.1', '256.0.0.1'],
			ipv6: ['::1', ':::1'],
			hostname: ['a-b.example', '-a'],
			regex: ['^a+$', '('],
			byte: ['QUJD', 'QUJ'],
			'json-pointer': ['/a/0', 'a'],
		};
		for (const [format, [good, bad]] of Object.entries(formats)) {
			table([[{ format }, [good, 'valid'], [bad, `format ${format}`], [5, 'valid']]]);
		}
		table([[{ format: 'color' }, ['x', 'valid']]]);
	});

	it('checks patterns of every kind, also those that are no Unicode patterns', () => {
		table([
			[{ pattern: '^(?=.*\\d)[a-z\\d]+$' }, ['a1', 'valid'], ['a', 'pattern ^(?=.*\\d)[a-z\\d]+$']],
			[{ properties: { a: { pattern: '^(.)\\1$' } } }, [{ a: 'xx' }, 'valid'], [{ a: 'xy' }, '/a pattern ^(.)\\1$']],
			[{ pattern: '^[\\w-.]$' }, ['-', 'valid'], ['+', 'pattern ^[\\w-.]$']],
			[{ patternProperties: { '^(?!a)': { type: 'number' } } }, [{ a: '', b: '' }, '/b type number']],
			[{ pattern: '(' }, ['b', 'unchecked: invalidSchema']],
		]);
	});

	it('says so where it is nested too deeply', () => {
		const nested = (begin: string, end: string): string => `${begin.repeat(10_000)}1${end.repeat(10_000)}`;
		assert.deepEqual(
			[
				validator.check(nested('{"not":', '}'), '1'),
				validator.check('{"items":{"$ref":"#"}}', nested('[', ']')),
				validator.check('{"$ref":"#"}', '1'),
			].map(describeCheck),
			['unchecked: tooDeep', 'unchecked: tooDeep', 'unchecked: tooDeep'],
		);
	});
});

// Spec 2026-07-28, streamable-http: "Value Encoding" and "Custom Headers from Tool Parameters".
import * as assert from 'node:assert/strict';
import { encodeHeaderValue, paramHeaders, readParamHeaders } from '../../../../src/mcp/transport/httpHeaders.js';

// covers: http.modern.paramHeaderInvalid
describe('httpHeaders', () => {
	const values: readonly (readonly [value: string, encoded: string])[] = [
		// The examples of the spec.
		['us-west1', 'us-west1'],
		['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
		[' padded ', '=?base64?IHBhZGRlZCA=?='],
		['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
		['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
		// More examples.
		['', ''],
		['x', 'x'],
		['us west 1', 'us west 1'],
		[' us', '=?base64?IHVz?='],
		['us ', '=?base64?dXMg?='],
		['\tindented', '=?base64?CWluZGVudGVk?='],
		['a\tb', '=?base64?YQli?='],
		['line1\r\nline2', '=?base64?bGluZTENCmxpbmUy?='],
		['=?BASE64?x?=', '=?BASE64?x?='],
		['=?base64?open', '=?base64?open'],
		['=?base64?a\nb?=', '=?base64?PT9iYXNlNjQ/YQpiPz0=?='],
		['\u007f', '=?base64?fw==?='],
		['\ufeffx', '=?base64?77u/eA==?='],
	];
	for (const [value, encoded] of values) {
		it(`${JSON.stringify(value)} travels as ${encoded}`, () => {
			assert.equal(encodeHeaderValue(value), encoded);
		});
	}

	const string = (name: unknown, type: unknown = 'string'): object => ({ type, 'x-mcp-header': name });
	const properties = (value: object): object => ({ type: 'object', properties: value });

	// covers: http.modern.paramHeader
	it('collects what is annotated, at any depth, and leaves out what is absent or null', () => {
		const schema = properties({
			region: string('Region'),
			count: string('Count', 'integer'),
			dry: string('Dry', 'boolean'),
			zone: string('Zone', ['string', 'null']),
			missing: string('Missing'),
			nothing: string('Nothing'),
			wrong: string('Wrong'),
			toString: string('Inherited'),
			plain: { type: 'string' },
			deep: properties({ inner: properties({ key: string("A!#$%&'*+-.^_`|~0z") }) }),
		});
		const { headers, problems } = readParamHeaders(schema);
		assert.deepEqual(problems, []);
		assert.deepEqual(
			paramHeaders(headers, {
				region: 'ä',
				count: -7,
				dry: false,
				zone: '',
				nothing: null,
				wrong: { a: 1 },
				plain: 'x',
				deep: { inner: { key: 'v' } },
			}),
			{
				'mcp-param-region': '=?base64?w6Q=?=',
				'mcp-param-count': '-7',
				'mcp-param-dry': 'false',
				'mcp-param-zone': '',
				"mcp-param-a!#$%&'*+-.^_`|~0z": 'v',
			},
		);
		assert.deepEqual(paramHeaders(headers, { deep: 'no object' }), {});
	});

	const invalid: readonly (readonly [schema: object, ...problems: string[]])[] = [
		[properties({ a: string('') }), '/properties/a empty'],
		[properties({ a: string(7) }), '/properties/a notString'],
		[properties({ a: string('My Region') }), '/properties/a notToken'],
		[properties({ a: string('Region:') }), '/properties/a notToken'],
		[properties({ a: string('Région') }), '/properties/a notToken'],
		[properties({ a: string('Re\ngion') }), '/properties/a notToken'],
		[properties({ a: string('Region\n') }), '/properties/a notToken'],
		[properties({ a: string('A', 'object') }), '/properties/a notPrimitive'],
		[properties({ a: string('A', 'array') }), '/properties/a notPrimitive'],
		[properties({ a: string('A', 'null') }), '/properties/a notPrimitive'],
		[properties({ a: string('A', 'number') }), '/properties/a notPrimitive'],
		[properties({ a: { 'x-mcp-header': 'A' } }), '/properties/a notPrimitive'],
		[properties({ a: string('A', ['string', 'integer']) }), '/properties/a notPrimitive'],
		[properties({ a: string('Region'), b: string('Region') }), '/properties/b duplicate'],
		[
			properties({ a: string('Region'), b: properties({ c: string('REGION') }) }),
			'/properties/b/properties/c duplicate',
		],
		[properties({ a: { type: 'array', items: string('A') } }), '/properties/a/items unreachable'],
		[{ type: 'object', anyOf: [properties({ a: string('A') })] }, '/anyOf/0/properties/a unreachable'],
		[{ $defs: { d: string('A') }, properties: { a: { $ref: '#/$defs/d' } } }, '/$defs/d unreachable'],
		[{ type: 'object', additionalProperties: string('A') }, '/additionalProperties unreachable'],
		[{ if: properties({ a: string('A') }) }, '/if/properties/a unreachable'],
		[{ type: 'object', 'x-mcp-header': 'A' }, ' notPrimitive'],
		[{ type: 'string', 'x-mcp-header': 'A' }, ' unreachable'],
	];
	for (const [schema, ...problems] of invalid) {
		it(`${JSON.stringify(schema)}: ${problems.join()}`, () => {
			assert.deepEqual(readParamHeaders(schema).problems, problems);
		});
	}

	it('a property of that name, or one in an example, is no annotation', () => {
		const schema = properties({
			'x-mcp-header': { type: 'string' },
			a: { type: 'string', default: { 'x-mcp-header': '' }, examples: [{ 'x-mcp-header': '' }], enum: [] },
		});
		assert.deepEqual(readParamHeaders(schema), { headers: [], problems: [] });
		assert.deepEqual(readParamHeaders(undefined), { headers: [], problems: [] });
	});

	it('a schema that is hostile in depth is no danger', () => {
		let schema: object = string('A');
		for (let depth = 0; depth < 5000; depth++) {
			schema = properties({ a: schema });
		}
		assert.deepEqual(readParamHeaders(schema), { headers: [], problems: [] });
	});
});

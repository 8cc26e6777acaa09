// What a check may cost: rows in any number, constants, patterns, and time.
import * as assert from 'node:assert/strict';
import { clock as systemClock, setClock } from '../../src/base/clock.js';
import { AjvValidator } from '../../src/mcp/schema/ajvValidator.js';

/** `valid`, `unchecked: why`, or the first problem. */
function verdict(schema: unknown, value: unknown): string {
	const check = new AjvValidator().check(schema, value);
	switch (check.kind) {
		case 'valid':
			return 'valid';
		case 'invalid':
			return (
				check.problems.slice(0, 1).map(it => `${it.path} ${it.code} ${Object.values(it.data).join(' ')}`.trim())[0] ??
				''
			);
		case 'unchecked':
			return `unchecked: ${check.why}`;
	}
}

describe('the cost of a check', function () {
	this.timeout(30_000);

	// Verdicts don't depend on how busy the machine is.
	let clock: { step: number; now: number };
	beforeEach(() => {
		clock = { step: 0, now: 0 };
		setClock({ ...systemClock, elapsed: () => (clock.now += clock.step) });
	});
	afterEach(() => setClock());

	// covers: schema.bounded
	it('finds what is wrong in the last of very many rows, unless it takes too long', () => {
		const row = (count: number): Record<string, unknown> =>
			Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, index % 2 ? 'text' : 1]));
		const rows = (columns: number, count: number): object[] => [
			...Array.from({ length: count - 1 }, () => row(columns)),
			{ ...row(columns), p0: 'x' },
		];
		const schema = (columns: number): object => ({
			items: {
				properties: Object.fromEntries(
					Object.entries(row(columns)).map(([name, value]) => [name, { type: typeof value }]),
				),
				required: Object.keys(row(columns)),
			},
		});
		for (const [columns, count] of [
			[20, 100_000],
			[600, 1000],
			[1500, 80],
		] as const) {
			assert.equal(verdict(schema(columns), rows(columns, count)), `/${count - 1}/p0 type number`, `${columns}`);
		}
		// Two looks at the clock are more than 400 ms apart.
		clock.step = 401;
		assert.equal(verdict(schema(20), rows(20, 17_000)), 'unchecked: tooCostly');
		assert.equal(verdict(schema(20), rows(20, 100)), '/99/p0 type number');
	});

	it('compiles thousands of constants, and no thousands of patterns', () => {
		const properties = (count: number, schema: (index: number) => object): object => ({
			properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema(index)])),
		});
		for (const keyword of ['const', 'enum']) {
			const schema = properties(3900, it => ({ [keyword]: [it] }));
			assert.equal(verdict(schema, { p7: 8 }), `/p7 ${keyword}`);
		}
		const pattern = (distinct: number) => properties(500, it => ({ pattern: `^${it % distinct}$` }));
		assert.equal(verdict(pattern(300), { p7: '8' }), '/p7 pattern ^7$');
		assert.equal(verdict(pattern(301), { p7: '8' }), 'unchecked: tooCostly');
		clock.step = 301;
		assert.equal(verdict({ pattern: '^slow$' }, 'x'), 'unchecked: tooCostly');
	});

	it('compiles no schema whose code would be far larger than the schema', () => {
		const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `p${index}`);
		const map = (count: number, of: unknown): object => Object.fromEntries(names(count).map(it => [it, of]));
		const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' };
		const far = 'x'.repeat(100_000);
		for (const [what, schema] of Object.entries({
			'a list that is in the code of each of its names': { dependentRequired: { p: names(4000) } },
			'the same in draft-07': { ...draft7, dependencies: { p: names(4000) } },
			'very many names': { allOf: Array.from({ length: 100 }, () => ({ required: names(190) })) },
			'schemas that are false': { properties: map(4001, false) },
			'an id that each reference is resolved against': { $id: far, properties: map(100, { $ref: '#' }) },
			'a path within an unknown keyword': { 'x-unknown': { [far]: map(100, {}) } },
			'a path that is in the code of each property': {
				properties: { [far]: { properties: map(100, { type: 'null' }) } },
			},
		})) {
			assert.equal(verdict(schema, {}), 'unchecked: tooLarge', what);
		}
		for (const skipped of [
			{ example: { [far]: map(100, {}) } },
			{ ...draft7, dependentRequired: { [far]: map(100, {}) } },
		]) {
			assert.equal(verdict(skipped, {}), 'valid');
		}
		assert.match(verdict({ dependentRequired: { p: names(200) } }, { p: 1 }), /^dependentRequired p p0 200 /);
		assert.equal(verdict({ properties: map(3900, { type: 'null' }), required: names(3900) }, map(3900, null)), 'valid');
	});

	it('counts what the members of an object demand of each other', () => {
		const names = Array.from({ length: 300 }, (_, index) => `p${index}`);
		const full = Object.fromEntries(names.map(it => [it, 1]));
		const check = (items: object, row: object): boolean => {
			const rows = Array.from({ length: 1000 }, () => row);
			const { kind, ...rest } = new AjvValidator({ maxCost: 100_000 }).check({ items }, rows);
			return kind === 'unchecked' && 'why' in rest && rest.why === 'tooCostly';
		};
		assert.ok(check({ dependentRequired: { p0: names } }, { p0: 1 }));
		assert.ok(check({ dependencies: { p0: names } }, { p0: 1 }));
		assert.ok(check({ dependentSchemas: Object.fromEntries(names.map(it => [it, { type: 'null' }])) }, full));
		assert.ok(!check({ dependentRequired: { p0: names.slice(0, 10) } }, { p0: 1 }));
	});
});

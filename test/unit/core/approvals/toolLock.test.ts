import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonObject, Tool } from '../../../../src/mcp/index.js';
import {
	listChangedParts,
	hashDefinition,
	formatLock,
	type ToolLock,
	parseLock,
	type CurrentTool,
	findLocked,
	lockedParts,
	findLockProblem,
	addToLock,
	compareTool,
	type ParsedLock,
} from '../../../../src/core/approvals/toolLock.js';

const tool: Tool = {
	name: 'water',
	title: 'Water a plant',
	description: 'Waters it.\nOnce.',
	inputSchema: { type: 'object', properties: { plant: { type: 'string' }, litres: { type: 'number' } } },
	annotations: { readOnlyHint: false },
};
const part = { server: 'garden', tool, instructions: 'Be kind.' };

function read(text: string): ToolLock {
	const parsed = parseLock(text);
	assert.ok(parsed.kind === 'read');
	return parsed.lock;
}

describe('the tool lock', () => {
	let locked: ToolLock;
	/** A lock file with one tool. */
	let whole: string;
	beforeEach(() => {
		locked = addToLock({}, part);
		whole = formatLock(locked);
	});

	it('are written to be read: names in order, texts by line', () => {
		const lock = addToLock(locked, { ...part, tool: { name: 'dig', inputSchema: {} } });
		assert.equal(
			formatLock(lock).replaceAll('\t', ' '),
			`{
 "servers": {
  "garden": {
   "instructions": "Be kind.",
   "tools": {
    "dig": {
     "inputSchema": {}
    },
    "water": {
     "annotations": {
      "readOnlyHint": false
     },
     "description": [
      "Waters it.",
      "Once."
     ],
     "inputSchema": {
      "properties": {
       "litres": {
        "type": "number"
       },
       "plant": {
        "type": "string"
       }
      },
      "type": "object"
     },
     "title": "Water a plant"
    }
   }
  }
 },
 "version": 1
}
`,
		);
	});

	it('come back as they were, whatever the server wrote', () => {
		const text = fc.option(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '"', '\u202e', '\\') }), {
			nil: undefined,
		});
		const name = fc.constantFrom('a', '__proto__', 'constructor', '', 'x\ny', '"');
		const schema = fc.dictionary(fc.string(), fc.jsonValue());
		fc.assert(
			fc.property(
				name,
				name,
				text,
				text,
				text,
				schema,
				(server, toolName, title, description, instructions, inputSchema) => {
					const it: Tool = JSON.parse(JSON.stringify({ name: toolName, title, description, inputSchema })) as Tool;
					const one = { server, tool: it, instructions };
					const lock = read(formatLock(addToLock({}, one)));
					assert.deepEqual(listChangedParts(lock, one), []);
					assert.deepEqual(lock, addToLock({}, one));
					assert.equal(formatLock(lock), formatLock(addToLock({}, one)));
				},
			),
		);
	});

	const changes: readonly (readonly [what: string, changed: Partial<Tool>, parts: readonly string[]])[] = [
		['nothing', {}, []],
		[
			'the order of keys',
			{ inputSchema: { properties: { litres: { type: 'number' }, plant: { type: 'string' } }, type: 'object' } },
			[],
		],
		['the title', { title: 'x' }, ['title']],
		['one blank of the description', { description: 'Waters it. \nOnce.' }, ['description']],
		['the schema', { inputSchema: { type: 'object' } }, ['inputSchema']],
		['an output schema that was not there', { outputSchema: {} }, ['outputSchema']],
		['a hint', { annotations: { readOnlyHint: true } }, ['annotations']],
		['two things', { title: 'x', annotations: {} }, ['title', 'annotations']],
		['what is not locked', { taskSupport: 'optional' }, []],
	];
	for (const [what, changed, parts] of changes) {
		it(`notice ${what}`, async () => {
			const now = { ...part, tool: { ...tool, ...changed } };
			assert.deepEqual(listChangedParts(locked, now), parts);
			assert.equal((await hashDefinition(now)) === (await hashDefinition(part)), parts.length === 0);
		});
	}

	it('notice other instructions, in every tool of the server, locked or not', async () => {
		for (const instructions of ['Be quick.', undefined]) {
			assert.deepEqual(listChangedParts(locked, { ...part, instructions }), ['instructions']);
			assert.deepEqual(listChangedParts(locked, { ...part, tool: { ...tool, name: 'dig' }, instructions }), [
				'instructions',
			]);
			assert.notEqual(await hashDefinition({ tool, instructions }), await hashDefinition(part));
		}
		assert.deepEqual(
			listChangedParts(addToLock(locked, { ...part, instructions: undefined }), { ...part, instructions: undefined }),
			[],
		);
	});

	it('have no entry for a tool or a server that was not locked', () => {
		for (const name of ['weed', 'toString', '__proto__']) {
			assert.equal(listChangedParts(locked, { ...part, tool: { ...tool, name } }), undefined);
			assert.equal(listChangedParts(locked, { ...part, server: name }), undefined);
		}
	});

	it('compare a definition of any depth, and say which cannot be locked', async () => {
		const nested = (levels: number): JsonObject => {
			let value: JsonObject = {};
			for (let level = 0; level < levels; level++) {
				value = { deep: [value] };
			}
			return value;
		};
		const of = (inputSchema: JsonObject): CurrentTool => ({ ...part, tool: { ...tool, inputSchema } });
		const deep = of(nested(50_000));
		assert.deepEqual(listChangedParts(locked, deep), ['inputSchema']);
		assert.match(await hashDefinition(deep), /^[0-9a-f]{64}$/);
		assert.deepEqual(
			[
				part,
				of(nested(50)),
				of(nested(70)),
				deep,
				of({ x: 'x'.repeat(1_000_000) }),
				of({ x: 'x'.repeat(1_100_000) }),
			].map(findLockProblem),
			[undefined, undefined, 'tooDeep', 'tooDeep', undefined, 'tooLarge'],
		);
		assert.equal(findLockProblem({ ...part, instructions: 'x'.repeat(1_100_000) }), 'tooLarge');
		assert.equal(findLockProblem({ ...part, tool: { ...tool, annotations: nested(70) } }), 'tooDeep');
		// What can be locked can be read again.
		const written = formatLock(addToLock({}, of(nested(63))));
		assert.equal(findLockProblem(of(nested(63))), undefined);
		assert.deepEqual(listChangedParts(read(written), of(nested(63))), []);
	});

	const broken: readonly (readonly [what: string, text: (whole: string) => string])[] = [
		['half a file', it => it.slice(0, 80)],
		['what git leaves where two changed the same', it => it.replace('"tools"', '<<<<<<< HEAD\n"tools"')],
		['a list', () => '[]'],
		['another version', it => it.replace('"version": 1', '"version": 2')],
		['servers that are none', () => '{ "version": 1, "servers": { "a": 5 } }'],
		[
			'a tool without a schema beside one that has one',
			() => '{ "version": 1, "servers": { "a": { "tools": { "b": {}, "c": { "inputSchema": {} } } } } }',
		],
		['a title that is no text', it => it.replace('"Water a plant"', '5')],
		['instructions that are no text', it => it.replace('"Be kind."', '{}')],
		['more levels than are read', () => `{ "version": 1, "servers": ${'{"a":'.repeat(100_000)}`],
		['more than is read', it => `${it}${' '.repeat(17 * 1024 * 1024)}`],
		['hints that are none', it => it.replace(/"annotations": \{[^}]*\}/, '"annotations": "x"')],
	];
	for (const [what, text] of broken) {
		it(`of ${what} are not taken`, () => {
			assert.notEqual(text(whole), whole);
			assert.equal(parseLock(text(whole)).kind, 'broken');
		});
	}

	it('keep what another version has added', () => {
		const newer = JSON.parse(whole) as { servers: { garden: { tools: { water: object } } } };
		const { garden } = newer.servers;
		Object.assign(garden, { since: 3 });
		Object.assign(garden.tools.water, { icons: [1] });
		const lock = read(JSON.stringify(newer));
		assert.deepEqual(listChangedParts(lock, part), []);
		assert.deepEqual(findLocked(lock, 'garden', tool)?.tool, lockedParts(tool));
		const again = formatLock(addToLock(lock, { ...part, tool: { name: 'dig', inputSchema: {} } }));
		assert.deepEqual(again.match(/"(since|icons)"/g), ['"since"', '"icons"']);
	});

	it('of an empty file are none', () => {
		assert.deepEqual(read(' \n'), {});
		assert.deepEqual(lockedParts({ name: 'a', inputSchema: {} }), { inputSchema: {} });
	});
});

describe('compareTool', () => {
	const water: Tool = { name: 'water', title: 'Water', description: 'Waters.', inputSchema: {} };
	const current = { server: 'garden', tool: water, instructions: undefined };
	const broken: ParsedLock = { kind: 'broken', error: undefined };
	const lockOf = (changes: Partial<Tool> = {}, instructions?: string): ToolLock =>
		addToLock({}, { server: 'garden', tool: { ...water, ...changes }, instructions });
	const file = (lock: ToolLock): ParsedLock => ({ kind: 'read', lock });
	const [same, other] = [lockOf(), lockOf({ title: 'A' })];

	it('shows what the lock file has, unless only what ran here differs or is known', () => {
		const b = lockOf({ description: 'B' });
		for (const [lock, ran, expected] of [
			[file(other), b, { title: 'A' }],
			[file(same), b, { description: 'B' }],
			[file({}), b, { description: 'B' }],
			[file(other), {}, { title: 'A' }],
			[file(same), {}, {}],
			[file(other), same, { title: 'A' }],
			[broken, b, { description: 'B' }],
		] as const) {
			const { name: _, ...all } = { ...water, ...expected };
			assert.deepEqual(compareTool(lock, ran, current).locked?.tool, all);
		}
		assert.equal(compareTool(file({}), {}, current).locked, undefined);
		assert.equal(compareTool(broken, {}, current).locked, undefined);
	});

	it('names what differs from either, once', () => {
		const changesOf = (lock: ParsedLock, ran: ToolLock): unknown => compareTool(lock, ran, current).changes;
		const both = lockOf({ title: 'B', description: 'B' });
		assert.deepEqual(changesOf(file(other), both), ['title', 'description']);
		assert.deepEqual(changesOf(file(same), lockOf({}, 'Be kind.')), ['instructions']);
		assert.deepEqual(changesOf(broken, same), []);
	});

	it('says how a tool compares with each, and with both: what asks most counts', () => {
		for (const [lock, ran, ...expected] of [
			[file({}), {}, 'new', 'new', 'new'],
			[file({}), same, 'same', 'new', 'same'],
			[file(same), {}, 'same', 'same', 'new'],
			[file(same), same, 'same', 'same', 'same'],
			[file(same), other, 'changed', 'same', 'changed'],
			[file(other), {}, 'changed', 'changed', 'new'],
			[broken, same, 'unreadable', 'unreadable', 'same'],
			[broken, other, 'unreadable', 'unreadable', 'changed'],
		] as const) {
			const { state, lock: inFile, ran: here } = compareTool(lock, ran, current);
			assert.deepEqual([state, inFile, here], expected);
		}
	});

	it('says of a tool that cannot be kept what asks first', () => {
		const large = { ...current, tool: { ...water, description: 'x'.repeat(2_000_000) } };
		const stateOf = (lock: ParsedLock): unknown => compareTool(lock, {}, large).state;
		assert.deepEqual([file({}), file(same), broken].map(stateOf), ['notLocked', 'changed', 'unreadable']);
	});
});

import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonObject, Tool } from '../../../../src/mcp/index.js';
import {
	areInstructionsChanged,
	changesOfPin,
	dayOf,
	fingerprintOf,
	formatLock,
	type Lock,
	parseLock,
	type PinnedPart,
	pinnedIn,
	pinOf,
	problemOfPin,
	withPin,
} from '../../../../src/core/approvals/pins.js';

const tool: Tool = {
	name: 'water',
	title: 'Water a plant',
	description: 'Waters it.\nOnce.',
	inputSchema: { type: 'object', properties: { plant: { type: 'string' }, litres: { type: 'number' } } },
	annotations: { readOnlyHint: false },
};
const part = { server: 'garden', tool, instructions: 'Be kind.' };

function read(text: string): Lock {
	const parsed = parseLock(text);
	assert.ok(parsed.kind === 'read');
	return parsed.lock;
}

describe('pins of tools', () => {
	let pinned: Lock;
	/** A lock file with one tool. */
	let whole: string;
	beforeEach(() => {
		pinned = withPin({}, part);
		whole = formatLock(pinned);
	});

	it('are written to be read: names in order, texts by line', () => {
		const lock = withPin(pinned, { ...part, tool: { name: 'dig', inputSchema: {} } });
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

	it('name the day, which makes no difference to anything else', () => {
		const dated = read(formatLock(withPin(pinned, part, '2026-11-03')));
		assert.deepEqual(pinnedIn(dated, 'garden', tool), {
			...pinnedIn(pinned, 'garden', tool),
			pinned: '2026-11-03',
		});
		assert.deepEqual(changesOfPin(dated, part), []);
		// Another tool that is approved later leaves the line of this one alone.
		const later = withPin(dated, { ...part, tool: { ...tool, name: 'weed' } }, '2026-12-24');
		assert.equal(pinnedIn(later, 'garden', tool)?.pinned, '2026-11-03');
		assert.equal(formatLock(later).match(/"pinned": "2026-\d\d-\d\d"/g)?.length, 2);
	});

	it('have the day that version 0.1.0 called that of an approval', () => {
		const old = formatLock(withPin(pinned, part, '2026-11-03')).replace('"pinned"', '"approved"');
		const lock = read(old);
		assert.equal(pinnedIn(lock, 'garden', tool)?.pinned, '2026-11-03');
		assert.doesNotMatch(formatLock(lock), /approved/);
	});

	it('are taken without a day, and with what is none', () => {
		const remarks = ['(\u202e)2026-11-03', '2026-11-03 (\u202e)', ['2026-11-03']];
		for (const day of ['3 Nov', '2026-99-99', '2026-11-03\u202E', ...remarks, 5, null]) {
			const text = formatLock(withPin({}, part, 'x')).replace('"x"', JSON.stringify(day));
			assert.deepEqual(read(text), pinned);
		}
		assert.deepEqual(pinnedIn(pinned, 'garden', tool), { tool: pinOf(tool), instructions: 'Be kind.' });
		assert.equal(dayOf(new Date(2026, 0, 2, 23, 59)), '2026-01-02');
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
					const lock = read(formatLock(withPin({}, one)));
					assert.deepEqual(changesOfPin(lock, one), []);
					assert.deepEqual(lock, withPin({}, one));
					assert.equal(formatLock(lock), formatLock(withPin({}, one)));
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
		['what is not pinned', { taskSupport: 'optional' }, []],
	];
	for (const [what, changed, parts] of changes) {
		it(`notice ${what}`, async () => {
			const now = { ...part, tool: { ...tool, ...changed } };
			assert.deepEqual(changesOfPin(pinned, now), parts);
			assert.equal((await fingerprintOf(now)) === (await fingerprintOf(part)), parts.length === 0);
		});
	}

	it('notice other instructions, in every tool of the server, pinned or not', async () => {
		for (const instructions of ['Be quick.', undefined]) {
			assert.deepEqual(changesOfPin(pinned, { ...part, instructions }), ['instructions']);
			assert.deepEqual(changesOfPin(pinned, { ...part, tool: { ...tool, name: 'dig' }, instructions }), [
				'instructions',
			]);
			assert.notEqual(await fingerprintOf({ tool, instructions }), await fingerprintOf(part));
		}
		assert.deepEqual(
			changesOfPin(withPin(pinned, { ...part, instructions: undefined }), { ...part, instructions: undefined }),
			[],
		);
	});

	it('know nothing of a tool, or a server, that nobody pinned', () => {
		for (const name of ['weed', 'toString', '__proto__']) {
			assert.equal(changesOfPin(pinned, { ...part, tool: { ...tool, name } }), undefined);
			assert.equal(changesOfPin(pinned, { ...part, server: name }), undefined);
		}
	});

	it('do not come of a fingerprint of two things run together', async () => {
		const a = { tool: { name: 'a', inputSchema: {}, description: 'b' }, instructions: undefined };
		const b = { tool: { name: 'a', inputSchema: {}, title: 'b' }, instructions: undefined };
		assert.notEqual(await fingerprintOf(a), await fingerprintOf(b));
		assert.match(await fingerprintOf(a), /^[0-9a-f]{64}$/);
	});

	it('compare a definition of any depth, and say which cannot be pinned', async () => {
		const nested = (levels: number): JsonObject => {
			let value: JsonObject = {};
			for (let level = 0; level < levels; level++) {
				value = { deep: [value] };
			}
			return value;
		};
		const of = (inputSchema: JsonObject): PinnedPart => ({ ...part, tool: { ...tool, inputSchema } });
		const deep = of(nested(50_000));
		assert.deepEqual(changesOfPin(pinned, deep), ['inputSchema']);
		assert.match(await fingerprintOf(deep), /^[0-9a-f]{64}$/);
		assert.deepEqual(
			[
				part,
				of(nested(50)),
				of(nested(70)),
				deep,
				of({ x: 'x'.repeat(1_000_000) }),
				of({ x: 'x'.repeat(1_100_000) }),
			].map(problemOfPin),
			[undefined, undefined, 'tooDeep', 'tooDeep', undefined, 'tooLarge'],
		);
		assert.equal(problemOfPin({ ...part, instructions: 'x'.repeat(1_100_000) }), 'tooLarge');
		assert.equal(problemOfPin({ ...part, tool: { ...tool, annotations: nested(70) } }), 'tooDeep');
		// What can be pinned can be read again.
		const written = formatLock(withPin({}, of(nested(63))));
		assert.equal(problemOfPin(of(nested(63))), undefined);
		assert.deepEqual(changesOfPin(read(written), of(nested(63))), []);
	});

	it('tell a name from another, and instructions that are new from none', async () => {
		assert.notEqual(
			await fingerprintOf({ tool: { ...tool, name: 'dig' }, instructions: undefined }),
			await fingerprintOf({ tool, instructions: undefined }),
		);
		const without = withPin({}, { ...part, instructions: undefined });
		assert.equal(areInstructionsChanged(without, 'garden', 'Be kind.'), true);
		assert.deepEqual(changesOfPin(without, part), ['instructions']);
		assert.equal(areInstructionsChanged(without, 'shed', 'Be kind.'), false);
	});

	const broken: readonly (readonly [what: string, text: (whole: string) => string])[] = [
		['half a file', it => it.slice(0, 80)],
		['what git leaves where two changed the same', it => it.replace('"tools"', '<<<<<<< HEAD\n"tools"')],
		['a list', () => '[]'],
		['another version', it => it.replace('"version": 1', '"version": 2')],
		['no version', it => it.replace('"version"', '"Version"')],
		['servers that are none', () => '{ "version": 1, "servers": { "a": 5 } }'],
		['tools that are a list', () => '{ "version": 1, "servers": { "a": { "tools": [] } } }'],
		['a tool without a schema', () => '{ "version": 1, "servers": { "a": { "tools": { "b": {} } } } }'],
		[
			'a tool without a schema beside one that has one',
			() => '{ "version": 1, "servers": { "a": { "tools": { "b": {}, "c": { "inputSchema": {} } } } } }',
		],
		['a title that is no text', it => it.replace('"Water a plant"', '5')],
		['a description that is no text', it => it.replace('"Once."', '5')],
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
		assert.deepEqual(changesOfPin(lock, part), []);
		assert.deepEqual(pinnedIn(lock, 'garden', tool)?.tool, pinOf(tool));
		const again = formatLock(withPin(lock, { ...part, tool: { name: 'dig', inputSchema: {} } }));
		assert.deepEqual(again.match(/"(since|icons)"/g), ['"since"', '"icons"']);
	});

	it('have no instructions where the server has none', () => {
		const without = withPin({}, { ...part, instructions: undefined });
		assert.deepEqual(without, { garden: { tools: { water: pinOf(tool) } } });
		assert.deepEqual(read(formatLock(without)), without);
		assert.equal(pinnedIn(without, 'shed', tool), undefined);
	});

	it('can be as large as 1 MB, and hold nothing', () => {
		const of = (length: number): PinnedPart => ({ ...part, instructions: 'x'.repeat(length) });
		const rest = JSON.stringify([tool.name, pinOf(tool), '']).length;
		assert.deepEqual([of(1024 * 1024 - rest), of(1024 * 1024 - rest + 1)].map(problemOfPin), [undefined, 'tooLarge']);
		assert.equal(problemOfPin({ ...part, tool: { ...tool, inputSchema: { default: null } } }), undefined);
	});

	it('say why a file is no JSON', () => {
		const parsed = parseLock('{');
		assert.match(parsed.kind === 'broken' ? (parsed.error ?? '') : '', /JSON/);
	});

	it('of an empty file are none', () => {
		assert.deepEqual(read(' \n'), {});
		assert.deepEqual(pinOf({ name: 'a', inputSchema: {} }), { inputSchema: {} });
	});
});

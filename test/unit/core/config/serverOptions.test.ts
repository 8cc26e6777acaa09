import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
	isLonger,
	type OptionKey,
	type OptionPlaces,
	readServerOptions,
	type ServerOptions,
	valueOfOption,
	withOption,
} from '../../../../src/core/config/serverOptions.js';

const unset: ServerOptions = {
	requestTimeoutMs: undefined,
	toolTimeoutsMs: {},
	era: 'auto',
	start: 'onUse',
	folderChoices: [],
	disabledTools: [],
	hiddenFromModels: [],
};

/** The whole setting in each place; the general time-out is a minute, and the workspace is trusted. */
function places(it: Partial<OptionPlaces>): OptionPlaces {
	return { user: undefined, workspace: undefined, folder: undefined, generalTimeout: 60, isTrusted: true, ...it };
}

const ofPerson: readonly (readonly [entry: unknown, options: Partial<ServerOptions>])[] = [
	[undefined, {}],
	[{}, {}],
	[
		{ requestTimeout: 1.5, era: 'modern', start: 'atActivation' },
		{ requestTimeoutMs: 1500, era: 'modern', start: 'atActivation' },
	],
	[{ requestTimeout: 0 }, { requestTimeoutMs: 0 }],
	[{ requestTimeout: 60 }, { requestTimeoutMs: 60_000 }],
	[{ requestTimeout: -1 }, {}],
	[{ requestTimeout: Number.POSITIVE_INFINITY }, {}],
	[{ requestTimeout: Number.NaN }, {}],
	[{ requestTimeout: 1e308 }, { requestTimeoutMs: 2_000_000_000 }],
	[{ requestTimeout: 1e-320 }, { requestTimeoutMs: 1 }],
	[{ requestTimeout: '5' }, {}],
	[{ requestTimeout: null }, {}],
	[{ toolTimeouts: { a: 1, b: 0 } }, { toolTimeoutsMs: { a: 1000, b: 0 } }],
	[{ toolTimeouts: { a: 1, b: 'x' } }, { toolTimeoutsMs: { a: 1000 } }],
	[{ toolTimeouts: JSON.parse('{ "__proto__": 1 }') }, { toolTimeoutsMs: JSON.parse('{ "__proto__": 1000 }') }],
	[{ toolTimeouts: 5 }, {}],
	[{ era: 'old' }, {}],
	[{ start: true }, {}],
	[{ roots: [] }, { folderChoices: [[]] }],
	[{ roots: ['a'] }, { folderChoices: [['a']] }],
	[{ roots: 'a' }, { folderChoices: [['a']] }],
	[{ roots: ['a', 5] }, { folderChoices: [['a']] }],
	[{ roots: null }, { folderChoices: [[]] }],
	[{ disabledTools: ['a', 'b'] }, { disabledTools: ['a', 'b'] }],
	[{ disabledTools: 'a' }, { disabledTools: ['a'] }],
	[{ disabledTools: ['a', null] }, { disabledTools: ['a'] }],
	[{ hiddenFromModels: 'a' }, { hiddenFromModels: ['a'] }],
	[{ hiddenFromModels: ['a', 5] }, { hiddenFromModels: ['a'] }],
	[{ timeout: 5 }, {}],
	['modern', {}],
];

describe('a time-out', () => {
	it('is longer than another, or waits for ever', () => {
		const rows = [
			[6, 5, true],
			[5, 5, false],
			[5, 6, false],
			[0, 5, true],
			[5, 0, false],
			[0, 0, false],
		] as const;
		assert.deepEqual(
			rows.map(([a, b]) => [a, b, isLonger(a, b)]),
			rows,
		);
	});
});

/** What each place sets, and what counts of it; every option is here. */
const combined: readonly (readonly [
	user: unknown,
	workspace: unknown,
	folder: unknown,
	options: Partial<ServerOptions>,
])[] = [
	// Loosening has no effect, whether the person has set something or left the default.
	[{ disabledTools: ['a'] }, { disabledTools: [] }, { disabledTools: null }, { disabledTools: ['a'] }],
	[{ hiddenFromModels: ['a'] }, { hiddenFromModels: [] }, undefined, { hiddenFromModels: ['a'] }],
	[{ roots: ['a'] }, { roots: ['a', 'b'] }, undefined, { folderChoices: [['a'], ['a', 'b']] }],
	[{ requestTimeout: 5 }, { requestTimeout: 50 }, { requestTimeout: 0 }, { requestTimeoutMs: 5000 }],
	[undefined, { requestTimeout: 61 }, { requestTimeout: 0 }, {}],
	[{ toolTimeouts: { a: 5 } }, { toolTimeouts: { a: 50 } }, undefined, { toolTimeoutsMs: { a: 5000 } }],
	[{ requestTimeout: 5 }, { toolTimeouts: { a: 50 } }, undefined, { requestTimeoutMs: 5000 }],
	[undefined, { toolTimeouts: { a: 0 } }, { toolTimeouts: { a: 1e308 } }, {}],
	[undefined, { start: 'atActivation' }, { start: 'atActivation' }, {}],
	[{ start: 'onUse' }, { start: 'atActivation' }, undefined, {}],
	[{ start: 'often' }, { start: 'atActivation' }, undefined, {}],
	// Tightening has.
	[{ disabledTools: ['a'] }, { disabledTools: ['b', 'a'] }, { disabledTools: 'c' }, { disabledTools: ['a', 'b', 'c'] }],
	[undefined, { hiddenFromModels: ['b'] }, { hiddenFromModels: ['c'] }, { hiddenFromModels: ['b', 'c'] }],
	[undefined, { roots: ['a'] }, { roots: null }, { folderChoices: [['a'], []] }],
	[{ requestTimeout: 50 }, { requestTimeout: 40 }, { requestTimeout: 30 }, { requestTimeoutMs: 30_000 }],
	[{ requestTimeout: 0 }, { requestTimeout: 40 }, undefined, { requestTimeoutMs: 40_000 }],
	[undefined, { requestTimeout: 5 }, undefined, { requestTimeoutMs: 5000 }],
	[{ requestTimeout: 90 }, { requestTimeout: 60 }, undefined, { requestTimeoutMs: 60_000 }],
	[{ toolTimeouts: { a: 50 } }, { toolTimeouts: { a: 5 } }, undefined, { toolTimeoutsMs: { a: 5000 } }],
	[undefined, { toolTimeouts: { a: 5 } }, { toolTimeouts: { a: 4 } }, { toolTimeoutsMs: { a: 4000 } }],
	[
		{ toolTimeouts: { a: 50 } },
		{ requestTimeout: 5 },
		undefined,
		{ requestTimeoutMs: 5000, toolTimeoutsMs: { a: 5000 } },
	],
	[{ start: 'atActivation' }, { start: 'onUse' }, undefined, {}],
	[{ start: 'atActivation' }, { start: 'atActivation' }, { start: 'onUse' }, {}],
	[{ start: 'atActivation' }, { start: 'sometimes' }, { start: null }, { start: 'atActivation' }],
	// Neither looser nor stricter: the nearest place.
	[{ era: 'legacy' }, { era: 'modern' }, undefined, { era: 'modern' }],
	[{ era: 'legacy' }, { era: 'modern' }, { era: 'auto' }, { era: 'auto' }],
	[{ era: 'legacy' }, { era: 'old' }, undefined, { era: 'legacy' }],
];

describe('options of a server', () => {
	for (const [entry, options] of ofPerson) {
		it(JSON.stringify(entry) ?? 'none', () => {
			const user = { other: { era: 'legacy' }, it: entry };
			assert.deepEqual(readServerOptions(places({ user }), 'it'), { ...unset, ...options });
		});
	}

	for (const [user, workspace, folder, options] of combined) {
		it(`of the person ${JSON.stringify(user)}, the workspace ${JSON.stringify(workspace)}, a folder ${JSON.stringify(folder)}`, () => {
			const all = places({ user: { it: user }, workspace: { it: workspace }, folder: { it: folder } });
			assert.deepEqual(readServerOptions(all, 'it'), { ...unset, ...options });
		});
	}

	it('of a workspace that is not trusted count where they are stricter', () => {
		const workspace = { it: { era: 'modern', disabledTools: ['a'], start: 'atActivation' } };
		const options = readServerOptions(places({ user: { it: { era: 'legacy' } }, workspace, isTrusted: false }), 'it');
		assert.deepEqual(options, { ...unset, era: 'legacy', disabledTools: ['a'] });
	});

	it('are none where the setting is something else, or names something every object has', () => {
		for (const user of [undefined, null, 5, 'it', [], { __proto__: { it: { era: 'modern' } } }]) {
			assert.deepEqual(readServerOptions(places({ user, workspace: user, folder: user }), 'it'), unset);
		}
		assert.deepEqual(readServerOptions(places({ user: {} }), 'constructor'), unset);
	});

	it('are never looser with a workspace than without, whatever it sets', () => {
		const seconds = fc.oneof(fc.constantFrom(0, 1, 60, 61, 1e308, -1, '5', null), fc.double());
		const names = fc.oneof(fc.subarray(['a', 'b', 'c']), fc.jsonValue());
		const entry = fc.record(
			{
				requestTimeout: seconds,
				toolTimeouts: fc.dictionary(fc.constantFrom('a', 'b'), seconds),
				start: fc.constantFrom('onUse', 'atActivation', 5),
				roots: names,
				disabledTools: names,
				hiddenFromModels: names,
			},
			{ requiredKeys: [] },
		);
		const forEver = (ms: number): number => (ms === 0 ? Number.POSITIVE_INFINITY : ms);
		fc.assert(
			fc.property(entry, entry, entry, (user, workspace, folder) => {
				const alone = readServerOptions(places({ user: { it: user } }), 'it');
				const all = { user: { it: user }, workspace: { it: workspace }, folder: { it: folder } };
				const both = readServerOptions(places(all), 'it');
				const request = (it: ServerOptions): number => it.requestTimeoutMs ?? 60_000;
				const tool = (it: ServerOptions, name: string): number => it.toolTimeoutsMs[name] ?? request(it);
				assert.ok(forEver(request(both)) <= forEver(request(alone)));
				assert.ok(['a', 'b', 'c'].every(it => forEver(tool(both, it)) <= forEver(tool(alone, it))));
				assert.ok(both.start === 'onUse' || alone.start === 'atActivation');
				assert.deepEqual(both.folderChoices.slice(0, alone.folderChoices.length), alone.folderChoices);
				assert.ok(alone.disabledTools.every(it => both.disabledTools.includes(it)));
				assert.ok(alone.hiddenFromModels.every(it => both.hiddenFromModels.includes(it)));
			}),
		);
	});

	it('change one at a time; nothing empty stays behind', () => {
		const setting = { other: 5, it: { era: 'modern', strange: [1] } };
		assert.deepEqual(withOption(setting, 'it', 'start', 'atActivation'), {
			other: 5,
			it: { era: 'modern', strange: [1], start: 'atActivation' },
		});
		assert.deepEqual(withOption(setting, 'it', 'era', undefined), { other: 5, it: { strange: [1] } });
		assert.deepEqual(withOption({ it: { era: 'modern' } }, 'it', 'era', undefined), undefined);
		assert.deepEqual(withOption(undefined, 'it', 'roots', []), { it: { roots: [] } });
		assert.deepEqual(withOption(undefined, 'it', 'roots', undefined), undefined);
	});

	it('are read as they were written, whatever the setting held', () => {
		const key = fc.constantFrom<OptionKey>('era', 'roots', 'toolTimeouts');
		fc.assert(
			fc.property(fc.jsonValue(), fc.string(), key, fc.jsonValue(), (setting, server, option, value) => {
				assert.deepEqual(valueOfOption(withOption(setting, server, option, value), server, option), value);
				readServerOptions(places({ user: withOption(setting, server, option, value) }), server);
			}),
		);
	});
});

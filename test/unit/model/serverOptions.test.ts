import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
	isDefault,
	type OptionKey,
	readServerOptions,
	type ServerOptions,
	valueOfOption,
	withOption,
} from '../../../src/model/serverOptions.js';

const unset: ServerOptions = {
	requestTimeoutMs: undefined,
	toolTimeoutsMs: {},
	era: 'auto',
	start: 'onUse',
	roots: undefined,
	disabledTools: [],
	hiddenFromModels: [],
};

type Row = readonly [entry: unknown, options: Partial<ServerOptions>];

const table: readonly Row[] = [
	[undefined, {}],
	[{}, {}],
	[
		{ requestTimeout: 1.5, era: 'modern', start: 'atActivation' },
		{ requestTimeoutMs: 1500, era: 'modern', start: 'atActivation' },
	],
	[{ requestTimeout: 0 }, { requestTimeoutMs: 0 }],
	[{ requestTimeout: -1 }, {}],
	[{ requestTimeout: Number.POSITIVE_INFINITY }, {}],
	[{ requestTimeout: '5' }, {}],
	[{ toolTimeouts: { a: 1, b: 0 } }, { toolTimeoutsMs: { a: 1000, b: 0 } }],
	[{ toolTimeouts: { a: 1, b: 'x' } }, { toolTimeoutsMs: { a: 1000 } }],
	[{ toolTimeouts: 5 }, {}],
	[{ era: 'old' }, {}],
	[{ start: true }, {}],
	[{ roots: [] }, { roots: [] }],
	[{ roots: ['a'] }, { roots: ['a'] }],
	[{ roots: 'a' }, { roots: ['a'] }],
	[{ roots: ['a', 5] }, { roots: ['a'] }],
	[{ roots: null }, { roots: [] }],
	[{ disabledTools: ['a', 'b'] }, { disabledTools: ['a', 'b'] }],
	[{ disabledTools: 'a' }, { disabledTools: ['a'] }],
	[{ disabledTools: ['a', null] }, { disabledTools: ['a'] }],
	[{ hiddenFromModels: 'a' }, { hiddenFromModels: ['a'] }],
	[{ hiddenFromModels: ['a', 5] }, { hiddenFromModels: ['a'] }],
	[{ timeout: 5 }, {}],
	['modern', {}],
];

describe('options of a server', () => {
	for (const [entry, options] of table) {
		it(JSON.stringify(entry) ?? 'none', () => {
			const setting = { other: { era: 'legacy' }, it: entry };
			assert.deepEqual(readServerOptions(setting, 'it'), { ...unset, ...options });
		});
	}

	it('are none where the setting is something else, or names something every object has', () => {
		for (const setting of [undefined, null, 5, 'it', [], { __proto__: { it: { era: 'modern' } } }]) {
			assert.deepEqual(readServerOptions(setting, 'it'), unset);
		}
		assert.deepEqual(readServerOptions({}, 'constructor'), unset);
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

	it('say what holds anyway, or something else', () => {
		const defaults: readonly (readonly [OptionKey, unknown, boolean])[] = [
			['requestTimeout', undefined, true],
			['requestTimeout', 0, false],
			['toolTimeouts', {}, true],
			['toolTimeouts', { a: 0 }, false],
			['era', 'auto', true],
			['era', 'legacy', false],
			['start', 'onUse', true],
			['start', 'atActivation', false],
			['roots', undefined, true],
			['roots', [], false],
			['disabledTools', [], true],
			['disabledTools', ['a'], false],
		];
		for (const [key, value, expected] of defaults) {
			assert.equal(isDefault(key, value), expected, `${key} ${JSON.stringify(value)}`);
		}
	});

	it('are read as they were written, whatever the setting held', () => {
		const key = fc.constantFrom<OptionKey>('era', 'roots', 'toolTimeouts');
		fc.assert(
			fc.property(fc.jsonValue(), fc.string(), key, fc.jsonValue(), (setting, server, option, value) => {
				assert.deepEqual(valueOfOption(withOption(setting, server, option, value), server, option), value);
				readServerOptions(withOption(setting, server, option, value), server);
			}),
		);
	});
});

import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
	type OwnOptions,
	readServerOptions,
	readToolOptions,
	settingEntry,
	type ToolOptions,
	type ToolPlaces,
	withOption,
} from '../../../../src/core/config/serverOptions.js';
import { defaultLimits } from '../../../../src/mcp/index.js';

const megabyte = 1024 * 1024;

const unset: OwnOptions = {
	requestTimeoutMs: 60_000,
	toolTimeoutsMs: {},
	pingMs: 60_000,
	messageBytes: defaultLimits.messageBytes,
	era: 'auto',
	start: 'onUse',
	usePathOfShell: false,
};

const own: readonly (readonly [entry: unknown, options: Partial<OwnOptions>])[] = [
	[undefined, {}],
	['modern', {}],
	[
		{ requestTimeout: 1.5, era: 'modern', start: 'atActivation', usePathOfShell: true },
		{ requestTimeoutMs: 1500, era: 'modern', start: 'atActivation', usePathOfShell: true },
	],
	[{ requestTimeout: 0 }, { requestTimeoutMs: 0 }],
	[{ requestTimeout: -1 }, {}],
	[{ requestTimeout: '5' }, {}],
	[{ requestTimeout: 1e308 }, { requestTimeoutMs: 2_000_000_000 }],
	[{ requestTimeout: 1e-320 }, { requestTimeoutMs: 1 }],
	[{ toolTimeouts: { a: 1, b: 0, c: 'x' } }, { toolTimeoutsMs: { a: 1000, b: 0 } }],
	[{ toolTimeouts: JSON.parse('{ "__proto__": 1 }') }, { toolTimeoutsMs: JSON.parse('{ "__proto__": 1000 }') }],
	[{ pingInterval: 0 }, { pingMs: 0 }],
	[{ pingInterval: 'often' }, {}],
	[{ messageSize: 2.5 }, { messageBytes: 2 * megabyte }],
	[{ messageSize: 1000 }, { messageBytes: 512 * megabyte }],
	[{ messageSize: 0 }, {}],
	[{ era: 'old', start: true, usePathOfShell: 'yes' }, {}],
];

describe('options of a server', () => {
	for (const [entry, options] of own) {
		it(JSON.stringify(entry) ?? 'none', () => {
			const setting = { other: { era: 'legacy' }, it: entry };
			assert.deepEqual(readServerOptions(setting, 'it', 60), { ...unset, ...options });
		});
	}

	it('are those of all servers where the server has none', () => {
		const setting = { '*': { era: 'legacy', requestTimeout: 5 }, it: { requestTimeout: 7 } };
		assert.deepEqual(readServerOptions(setting, 'it', 60), { ...unset, era: 'legacy', requestTimeoutMs: 7000 });
		assert.deepEqual(readServerOptions(setting, 'other', 60), { ...unset, era: 'legacy', requestTimeoutMs: 5000 });
	});

	it('are none where the setting is something else, or names something every object has', () => {
		for (const setting of [undefined, null, 5, 'it', [], { __proto__: { it: { era: 'modern' } } }]) {
			assert.deepEqual(readServerOptions(setting, 'it', 60), unset);
		}
		assert.deepEqual(readServerOptions({}, 'constructor', 60), unset);
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
	});

	it('are read as they were written, whatever the setting held', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.string(), fc.jsonValue(), (setting, server, value) => {
				assert.deepEqual(settingEntry(withOption(setting, server, 'era', value), server)['era'], value);
				readServerOptions(withOption(setting, server, 'toolTimeouts', value), server, 60);
			}),
		);
	});
});

describe('tools and roots of a server, by place', () => {
	const none: ToolOptions = { folderChoices: [], disabledTools: [], hiddenFromModels: [] };
	const read = (places: Partial<Record<keyof ToolPlaces, unknown>>): ToolOptions => {
		const setting = (place: keyof ToolPlaces): unknown => ({ it: places[place] });
		const all = { user: setting('user'), workspace: setting('workspace'), folder: setting('folder') };
		return readToolOptions(all, 'it');
	};

	it('are joined, and a folder must be in every list', () => {
		assert.deepEqual(
			read({
				user: { disabled: ['a'], hiddenFromModels: 'x', roots: ['one', 'two'] },
				workspace: { disabled: ['b', 'a'], roots: ['two'] },
				folder: { disabled: 'c', hiddenFromModels: ['y', 5] },
			}),
			{
				folderChoices: [['one', 'two'], ['two']],
				disabledTools: ['a', 'b', 'c'],
				hiddenFromModels: ['x', 'y'],
			},
		);
		assert.deepEqual(read({}), none);
	});

	it('that are invalid count as not set, but expose no folder', () => {
		assert.deepEqual(read({ user: { disabled: 5, hiddenFromModels: null, roots: null } }), {
			...none,
			folderChoices: [[]],
		});
	});

	it('can only be taken away by a workspace, whatever it sets', () => {
		const names = fc.oneof(fc.subarray(['a', 'b', 'c']), fc.jsonValue());
		const entry = fc.record({ roots: names, disabled: names, hiddenFromModels: names }, { requiredKeys: [] });
		fc.assert(
			fc.property(entry, entry, entry, (user, workspace, folder) => {
				const alone = read({ user });
				const together = read({ user, workspace, folder });
				assert.deepEqual(together.folderChoices.slice(0, alone.folderChoices.length), alone.folderChoices);
				assert.ok(alone.disabledTools.every(it => together.disabledTools.includes(it)));
				assert.ok(alone.hiddenFromModels.every(it => together.hiddenFromModels.includes(it)));
			}),
		);
	});
});

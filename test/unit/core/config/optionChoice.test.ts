import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type OptionChoice, writesFor } from '../../../../src/core/config/optionChoice.js';
import { type OptionPlaces, readServerOptions } from '../../../../src/core/config/serverOptions.js';
import type { SettingPlace } from '../../../../src/core/config/settings.js';

/** `it` in each place. */
type Entries = Partial<Record<SettingPlace, unknown>>;

function places(entries: Entries): OptionPlaces {
	const wrap = (it: unknown): unknown => (it === undefined ? undefined : { it });
	const { user, workspace, folder } = entries;
	return {
		user: wrap(user),
		workspace: wrap(workspace),
		folder: wrap(folder),
		generalTimeout: 60,
		isTrusted: true,
	};
}

function written(before: Entries, target: SettingPlace, choice: OptionChoice): Entries {
	return Object.fromEntries(
		writesFor(places(before), 'it', target, choice).map(({ place, setting }) => [
			place,
			(setting as { readonly it: unknown } | undefined)?.it,
		]),
	);
}

type Row = readonly [before: Entries, choice: OptionChoice, written: Entries];

const ofWorkspace: readonly Row[] = [
	[{}, { key: 'requestTimeout', seconds: 5 }, { workspace: { requestTimeout: 5 } }],
	[{}, { key: 'requestTimeout', seconds: 500 }, { user: { requestTimeout: 500 } }],
	[{}, { key: 'requestTimeout', seconds: 0 }, { user: { requestTimeout: 0 } }],
	[{ user: { requestTimeout: 0 } }, { key: 'requestTimeout', seconds: 500 }, { workspace: { requestTimeout: 500 } }],
	[
		{ workspace: { requestTimeout: 5 } },
		{ key: 'requestTimeout', seconds: 90 },
		{ user: { requestTimeout: 90 }, workspace: { requestTimeout: 90 } },
	],
	[{ workspace: { requestTimeout: 5 } }, { key: 'requestTimeout', seconds: undefined }, { workspace: undefined }],
	[{}, { key: 'toolTimeouts', tool: 'a', seconds: 5 }, { workspace: { toolTimeouts: { a: 5 } } }],
	[
		{ user: { toolTimeouts: { a: 9, b: 8 } } },
		{ key: 'toolTimeouts', tool: 'a', seconds: 5 },
		{ workspace: { toolTimeouts: { a: 5 } } },
	],
	[
		{ user: { toolTimeouts: { a: 9, b: 8 } }, workspace: { requestTimeout: 2 } },
		{ key: 'toolTimeouts', tool: 'a', seconds: 10 },
		{ user: { toolTimeouts: { b: 8, a: 10 } }, workspace: { requestTimeout: 2, toolTimeouts: { a: 10 } } },
	],
	[
		{ workspace: { toolTimeouts: { a: 5, b: 6 } } },
		{ key: 'toolTimeouts', tool: 'a', seconds: undefined },
		{ workspace: { toolTimeouts: { b: 6 } } },
	],
	[{}, { key: 'era', mode: 'legacy' }, { workspace: { era: 'legacy' } }],
	[{}, { key: 'era', mode: 'auto' }, {}],
	[{ user: { era: 'legacy' } }, { key: 'era', mode: 'auto' }, { workspace: { era: 'auto' } }],
	[{ user: { era: 'legacy' }, workspace: { era: 'auto' } }, { key: 'era', mode: 'legacy' }, { workspace: undefined }],
	[{}, { key: 'start', mode: 'atActivation' }, { user: { start: 'atActivation' } }],
	[{}, { key: 'start', mode: 'onUse' }, {}],
	[{ user: { start: 'atActivation' } }, { key: 'start', mode: 'onUse' }, { workspace: { start: 'onUse' } }],
	[
		{ user: { start: 'atActivation' }, workspace: { start: 'onUse' } },
		{ key: 'start', mode: 'atActivation' },
		{ workspace: undefined },
	],
	[{}, { key: 'disabledTools', tools: ['a'] }, { workspace: { disabledTools: ['a'] } }],
	[
		{ user: { disabledTools: ['a'] } },
		{ key: 'disabledTools', tools: ['a', 'b'] },
		{ workspace: { disabledTools: ['b'] } },
	],
	[{ user: { disabledTools: ['a'], era: 'auto' } }, { key: 'disabledTools', tools: [] }, { user: { era: 'auto' } }],
	[
		{ user: { hiddenFromModels: ['a', 'b'] }, workspace: { hiddenFromModels: ['b', 'c'] } },
		{ key: 'hiddenFromModels', tools: ['a', 'd'] },
		{ user: { hiddenFromModels: ['a'] }, workspace: { hiddenFromModels: ['d'] } },
	],
	[
		{ user: { roots: ['x'] } },
		{ key: 'roots', list: ['y'], added: { user: ['file:///y'] } },
		{ user: { roots: ['x', 'file:///y'] }, workspace: { roots: ['y'] } },
	],
	[{ user: { roots: ['x'] } }, { key: 'roots', list: undefined, added: {} }, {}],
	[
		{ workspace: { roots: ['x'] } },
		{ key: 'roots', list: ['y'], added: { user: ['file:///y'], workspace: ['file:///y'] } },
		{ workspace: { roots: ['y'] } },
	],
	[
		{ workspace: { start: 'atActivation' } },
		{ key: 'start', mode: 'atActivation' },
		{ user: { start: 'atActivation' } },
	],
];

describe('an option that a person chooses', () => {
	for (const [before, choice, expected] of ofWorkspace) {
		it(`${JSON.stringify(choice)} after ${JSON.stringify(before)}`, () => {
			assert.deepEqual(written(before, 'workspace', choice), expected);
		});
	}

	it('of the person’s own server is written into their settings', () => {
		assert.deepEqual(written({}, 'user', { key: 'start', mode: 'atActivation' }), { user: { start: 'atActivation' } });
		assert.deepEqual(written({ user: { start: 'atActivation' } }, 'user', { key: 'start', mode: 'onUse' }), {
			user: undefined,
		});
	});

	it('counts from then on, whatever was set where', () => {
		const seconds = fc.constantFrom(0, 5, 60, 90, undefined);
		const entry = fc.record(
			{
				requestTimeout: seconds,
				toolTimeouts: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom(0, 5, 60, 90)),
				era: fc.constantFrom('auto', 'legacy', 'modern'),
				start: fc.constantFrom('onUse', 'atActivation'),
				disabledTools: fc.subarray(['a', 'b', 'c']),
				hiddenFromModels: fc.subarray(['a', 'b', 'c']),
			},
			{ requiredKeys: [] },
		);
		const wanted = fc.constantFrom(0, 5, 60, 90);
		const choices = fc.oneof(
			wanted.map((it): OptionChoice => ({ key: 'requestTimeout', seconds: it })),
			wanted.map((it): OptionChoice => ({ key: 'toolTimeouts', tool: 'a', seconds: it })),
			fc.constantFrom('auto', 'legacy', 'modern').map((mode): OptionChoice => ({ key: 'era', mode })),
			fc.constantFrom('onUse', 'atActivation').map((mode): OptionChoice => ({ key: 'start', mode })),
			fc.subarray(['a', 'b', 'c']).map((tools): OptionChoice => ({ key: 'disabledTools', tools })),
			fc.subarray(['a', 'b', 'c']).map((tools): OptionChoice => ({ key: 'hiddenFromModels', tools })),
		);
		// As the host chooses it: where something is set already, or beside the definition.
		const target = (before: Entries, key: string, own: boolean): SettingPlace =>
			(['folder', 'workspace'] as const).find(it => Object.hasOwn(before[it] ?? {}, key)) ??
			(own ? 'user' : 'workspace');
		fc.assert(
			fc.property(entry, entry, entry, fc.boolean(), choices, (user, workspace, folder, own, choice) => {
				const before = { user, workspace, folder };
				const after = { ...before, ...written(before, target(before, choice.key, own), choice) };
				const now = readServerOptions(places(after), 'it');
				switch (choice.key) {
					case 'requestTimeout':
						assert.equal((now.requestTimeoutMs ?? 60_000) / 1000, choice.seconds);
						break;
					case 'toolTimeouts':
						assert.equal((now.toolTimeoutsMs['a'] ?? now.requestTimeoutMs ?? 60_000) / 1000, choice.seconds);
						break;
					case 'disabledTools':
					case 'hiddenFromModels':
						assert.deepEqual(now[choice.key].toSorted(), choice.tools.toSorted());
						break;
					case 'roots':
						break;
					default:
						assert.equal(now[choice.key], choice.mode);
				}
			}),
		);
	});
});

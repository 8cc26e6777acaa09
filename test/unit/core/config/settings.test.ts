// What the person, a workspace and a folder of it set, and what counts: a row for every setting of the manifest.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as fc from 'fast-check';
import { Settings } from '../../../../src/editor/contributions.js';
import { readServerOptions } from '../../../../src/core/config/serverOptions.js';
import {
	type PlacedValues,
	problemsOf,
	readSetting,
	type SettingKey,
	type SettingRule,
	settingRules,
} from '../../../../src/core/config/settings.js';
import { projectRoot } from '../../../host/paths.js';

interface Property {
	readonly default: unknown;
	readonly scope?: string;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly enum?: readonly unknown[];
}

const manifest = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
	readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
	readonly contributes: {
		readonly configuration: readonly { readonly properties: Readonly<Record<string, Property>> }[];
	};
};
const properties = Object.assign({}, ...manifest.contributes.configuration.map(it => it.properties)) as Readonly<
	Record<string, Property>
>;

type Row = readonly [user: unknown, workspace: unknown, folder: unknown, effective: unknown];

const servers = { mine: { command: 'mine' } };
const theirs = { theirs: { command: 'theirs' } };

/** What a workspace and a folder set is no part of what counts. */
function ownOnly(own: unknown, theirsFirst: unknown, theirsSecond: unknown, preset: unknown): readonly Row[] {
	return [
		[own, theirsFirst, theirsSecond, own],
		[own, undefined, theirsSecond, own],
		[undefined, theirsFirst, undefined, preset],
		[undefined, undefined, theirsSecond, preset],
		[undefined, undefined, undefined, preset],
	];
}

/** The same of a number, and every value that is none, too small or too large. */
function ownNumber(preset: number, least: number, most: number): readonly Row[] {
	const others = [null, '7', true, [7], {}, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, -1e308];
	return [
		...ownOnly(least + 1, most, 1e308, preset),
		[least, undefined, undefined, least],
		[0, undefined, undefined, least],
		[most, undefined, undefined, most],
		[most + 1, undefined, undefined, most],
		[1e308, undefined, undefined, most],
		...others.map(it => [it, undefined, undefined, preset] as const),
		...others.map(it => [preset, it, it, preset] as const),
	];
}

const table: Readonly<Record<Exclude<SettingKey, 'serverOptions'>, readonly Row[]>> = {
	servers: ownOnly(servers, theirs, theirs, undefined),
	inputs: ownOnly([{ id: 'mine' }], [{ id: 'theirs' }], [], undefined),
	demoServer: [...ownOnly(true, false, false, false), ['true', undefined, undefined, false]],
	confirmServers: [
		...ownOnly('never', 'newOrChanged', 'newOrChanged', 'newOrChanged'),
		...ownOnly('newOrChanged', 'never', 'never', 'newOrChanged'),
		['Never', undefined, undefined, 'newOrChanged'],
		[false, 'never', undefined, 'newOrChanged'],
	],
	policy: [...ownOnly({ default: 'deny' }, { rules: [] }, {}, undefined), ['nonsense', {}, {}, 'nonsense']],
	clientMetadataUrl: [...ownOnly('https://a', 'https://b', 'https://c', ''), [5, 'https://b', undefined, '']],
	authServers: ownOnly({ 'https://a': {} }, { 'https://b': {} }, {}, undefined),
	usePathOfShell: [...ownOnly(true, false, false, false), [false, true, true, false]],
	completeInEditors: [
		[undefined, undefined, undefined, ['markdown', 'plaintext']],
		[['a', 'b'], undefined, undefined, ['a', 'b']],
		[['a', 'b'], ['b', 'c'], undefined, ['b']],
		[['a', 'b'], ['b', 'c'], ['a', 'c'], []],
		[['a', 'b'], [], undefined, []],
		[undefined, ['python', 'markdown'], undefined, ['markdown']],
		[['a', 5], undefined, undefined, ['a']],
		['a', undefined, undefined, ['markdown', 'plaintext']],
		[['a'], 'a', null, ['a']],
	],
	keepHistory: [
		...ownOnly(false, true, true, true),
		[true, false, false, true],
		['false', undefined, undefined, true],
		[null, false, undefined, true],
	],
	requestTimeout: [...ownNumber(60, 0, 2_000_000), [0.4, 9, undefined, 0.4], [1e-320, undefined, undefined, 0.001]],
	pingInterval: [...ownNumber(60, 0, 2_000_000), [0.4, 9, undefined, 0.4], [1e-320, undefined, undefined, 0.001]],
	messageSize: [...ownNumber(64, 1, 512), [0.5, undefined, undefined, 1]],
};

const keys = Object.keys(settingRules) as readonly SettingKey[];

describe('settings', () => {
	for (const [key, rows] of Object.entries(table) as [keyof typeof table, readonly Row[]][]) {
		it(`${Settings[key]}: what counts of all places`, () => {
			for (const [user, workspace, folder, expected] of rows) {
				const placed = { user, workspace, folder };
				assert.deepEqual(readSetting(key, placed), expected, describePlaced(placed));
			}
		});
	}

	it('have a rule each', () => {
		assert.deepEqual(keys.map(it => Settings[it]).toSorted(), Object.keys(properties).toSorted());
	});

	it('have the defaults, bounds and choices of the manifest', () => {
		for (const key of keys) {
			const rule: SettingRule<unknown> = settingRules[key];
			const property = properties[Settings[key]];
			assert.ok(property);
			const { default: preset, minimum, maximum } = property;
			assert.deepEqual(rule.preset ?? preset, preset, `${key}: default`);
			assert.deepEqual([minimum, maximum], rule.bounds ?? [undefined, undefined], `${key}: bounds`);
			for (const it of property.enum ?? []) {
				assert.equal(rule.read(it), it, `${key}: ${String(it)}`);
			}
		}
	});

	it('have a scope that keeps a workspace out, unless the two are combined', () => {
		const shared = keys.filter(it => {
			const rule: SettingRule<unknown> = settingRules[it];
			return rule.stricter !== undefined || rule.isPerServer === true;
		});
		assert.deepEqual(shared, ['serverOptions', 'completeInEditors']);
		for (const key of keys) {
			const { scope } = properties[Settings[key]] ?? {};
			assert.ok(shared.includes(key) !== ['application', 'machine'].includes(scope ?? ''), `${key}: ${scope}`);
		}
		// A protocol era that a workspace sets is neither stricter nor looser.
		const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
		assert.deepEqual(restricted, [Settings.serverOptions]);
	});

	it('are never looser with a workspace than without, whatever it sets', () => {
		const value = fc.oneof(fc.jsonValue(), fc.double(), fc.constantFrom(true, false, 'never', 0, 1e308));
		fc.assert(
			fc.property(fc.constantFrom(...keys), value, value, value, (key, user, workspace, folder) => {
				const alone = readSetting(key, { user });
				const together = readSetting(key, { user, workspace, folder });
				if (key === 'completeInEditors') {
					assert.ok((together as readonly string[]).every(it => (alone as readonly string[]).includes(it)));
				} else if (key !== 'serverOptions') {
					assert.deepEqual(together, alone);
				}
			}),
		);
	});

	it('that are not used as they were written are named, with the place', () => {
		const rows: readonly (readonly [SettingKey, PlacedValues, string])[] = [
			['keepHistory', { user: false, workspace: true, folder: false }, 'workspace ignored, folder ignored'],
			['keepHistory', { user: 'no' }, 'user invalid'],
			['keepHistory', { user: undefined }, ''],
			['messageSize', { user: 1000 }, 'user outOfBounds'],
			['messageSize', { user: 20 }, ''],
			['messageSize', { user: null, workspace: 1000 }, 'user invalid, workspace ignored'],
			['confirmServers', { user: 'x', workspace: 'never' }, 'user invalid, workspace ignored'],
			['completeInEditors', { user: 'x', workspace: 5, folder: ['a'] }, 'user invalid, workspace invalid'],
			['policy', { user: 5, workspace: {} }, 'workspace ignored'],
			['serverOptions', { user: 5, workspace: {} }, ''],
		];
		for (const [key, placed, expected] of rows) {
			const told = problemsOf(key, placed).map(it => `${it.place} ${it.kind}`);
			assert.equal(told.join(', '), expected, `${key} ${describePlaced(placed)}`);
		}
	});

	it('of single servers are read by their own module', () => {
		const { disabledTools } = readServerOptions(
			{
				user: { a: { disabledTools: ['x'] } },
				workspace: { a: { disabledTools: [] } },
				generalTimeout: 1,
				isTrusted: true,
			},
			'a',
		);
		assert.deepEqual(disabledTools, ['x']);
	});
});

function describePlaced(placed: PlacedValues): string {
	return Object.entries(placed)
		.map(([place, it]) => `${place}: ${typeof it === 'number' ? String(it) : JSON.stringify(it)}`)
		.join(', ');
}

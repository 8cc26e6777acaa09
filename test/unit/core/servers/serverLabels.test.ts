import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ConfigSource } from '../../../../src/core/config/serverDefinition.js';
import { serverLabels } from '../../../../src/core/servers/serverLabels.js';
import { notificationText, quickInputText } from '../../../../src/editor/ui/plainText.js';

interface Of {
	readonly id: string;
	readonly name: string;
	readonly source: ConfigSource;
}

function inFolder(folder: string, name: string, folderName = folder.split('/').at(-1) ?? ''): Of {
	const folderUri = `file:///${folder}`;
	const uri = `${folderUri}/.vscode/mcp.json`;
	return { id: `${uri}#${name}`, name, source: { kind: 'vscodeFolder', uri, folderUri, folderName } };
}

function shared(kind: 'workspaceFile' | 'userSettings', uri: string, name: string): Of {
	return { id: `${uri}#${name}`, name, source: { kind, uri, folderUri: undefined, folderName: undefined } };
}

describe('labels of servers', () => {
	const labels = (...servers: readonly Of[]): (string | undefined)[] => {
		const all = serverLabels(servers);
		return servers.map(it => all.get(it.id));
	};

	it('are names where that is enough, and say the folder where it is not', () => {
		assert.deepEqual(labels(inFolder('a', 'db'), inFolder('b', 'mail')), ['db', 'mail']);
		assert.deepEqual(labels(inFolder('a', 'db'), inFolder('b', 'db')), ['db (a)', 'db (b)']);
	});

	it('say more of folders of one name', () => {
		assert.deepEqual(labels(inFolder('a/app', 'db'), inFolder('b/app', 'db')), ['db (a/app)', 'db (b/app)']);
		assert.deepEqual(labels(inFolder('x/a/app', 'db'), inFolder('y/a/app', 'db')), ['db (a/app) #1', 'db (a/app) #2']);
	});

	it('tell apart what has no folder', () => {
		const [file, settings] = [
			shared('workspaceFile', 'file:///w/team.code-workspace', 'db'),
			shared('userSettings', 'settings:', 'db'),
		];
		assert.deepEqual(labels(inFolder('a', 'db'), file, settings), ['db (a)', 'db (…am.code-workspace)', 'db']);
	});

	it('are not taken by a server whose name is the label of another', () => {
		const servers = [inFolder('evil', 'github (work)'), inFolder('work', 'github'), inFolder('evil', 'github')];
		assert.deepEqual(labels(...servers), ['github (work) (evil)', 'github (work)', 'github (evil)']);
	});

	it('show characters that cannot be seen, and letters of other scripts', () => {
		const names = ['github', 'git\u200Bhub', 'gіthub'];
		assert.deepEqual(labels(...names.map(it => inFolder('a', it))), ['github', 'git\\u{200b}hub', 'g\\u{0456}thub']);
	});

	it('are safe in every view: no icon, no link, no end of a quotation, nothing unseen', () => {
		const names = [
			'GitHub" (verified)? x',
			'Git\u041Dub',
			'github\u2800 ',
			'$(verified) [x](command:y)',
			'a\n\nb  c',
			'',
		];
		const all = labels(...names.map(it => inFolder('a', it)));
		assert.deepEqual(all, [
			'GitHub\\u{0022} (verified)? x',
			'Git\\u{041d}ub',
			'github\\u{2800}\\u{0020}',
			'\\u{0024}(verified) [x\\u{005d}(command:y)',
			'a\\u{000a}\\u{000a}b⟨␣×2⟩c',
			'\uFFFD',
		]);
		for (const label of all) {
			assert.deepEqual(
				[quickInputText, notificationText].map(it => it(label ?? '')),
				[label, label],
			);
		}
	});

	it('keep joiners where emoji and scripts need them, and nowhere else', () => {
		const names = [
			'\u{1F469}\u200D\u{1F52C}',
			'\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
			'\u0915\u094D\u200D\u0937',
		];
		assert.deepEqual(labels(...names.map(it => inFolder('a', it))), names);
		assert.deepEqual(labels(inFolder('a', 'git\u200Dhub')), ['git\\u{200d}hub']);
		const family = '\u{1F469}\u200D';
		for (let length = 30; length < 40; length++) {
			const [label = ''] = labels(inFolder('a', `${'x'.repeat(length)}${family.repeat(4)}\u{1F469}`));
			assert.equal(quickInputText(label, 40), label, String(length));
		}
	});

	it('are never cut by a title', () => {
		const [first, second] = ['x'.repeat(80), `${'x'.repeat(80)}y`];
		const all = labels(inFolder('a', first), inFolder('b', second));
		assert.deepEqual(all, [`${'x'.repeat(35)}… (a)`, `${'x'.repeat(35)}… (b)`]);
		assert.deepEqual(
			all.map(it => quickInputText(it ?? '', 40)),
			all,
		);
	});

	it('are never the same, whatever servers are called and wherever they are', () => {
		const letter = fc.constantFrom(
			'a',
			'A',
			'а',
			'b',
			'1',
			'l',
			' ',
			'(',
			')',
			'#',
			'2',
			'\u200B',
			'\u200D',
			'\u{1F469}',
			'/',
			'\uD83D',
		);
		const text = fc.string({ unit: letter, maxLength: 6 });
		const server = fc.oneof(
			fc.tuple(text, text, text).map(([folder, name, folderName]) => inFolder(folder, name, folderName)),
			text.map(name => shared('userSettings', 'settings:', name)),
			fc.tuple(text, text).map(([file, name]) => shared('workspaceFile', `file:///${file}`, name)),
			fc.tuple(text, text).map(([name, place]) => inFolder('a', `${name} (${place})`)),
		);
		fc.assert(
			fc.property(fc.uniqueArray(server, { selector: it => it.id, maxLength: 12 }), servers => {
				const all = labels(...servers);
				const shown = all.map(it => quickInputText(it ?? '', 40));
				assert.equal(new Set(shown).size, servers.length, JSON.stringify(shown));
				assert.ok(all.every(it => it !== undefined && it.trim() !== ''));
			}),
			{ numRuns: 2000 },
		);
	});
});

import * as assert from 'node:assert/strict';
import {
	candidates,
	compareVersions,
	fileNames,
	joinPaths,
	mergePaths,
	splitPath,
	installFolders,
} from '../../../../src/node/machine/commandPath.js';

const linux = { platform: 'linux', pathExt: undefined };
const windows = { platform: 'win32', pathExt: '.EXE;.CMD' };

describe('the places that are searched for a command', () => {
	const table: [
		command: string,
		path: string | undefined,
		rules: typeof linux | typeof windows,
		files: string[],
		folder?: string,
	][] = [
		['node', '/a:/b/', linux, ['/a/node', '/b/node']],
		['node', ':/a::', linux, ['/a/node']],
		['node', 'bin:./b:../c', linux, ['/w/bin/node', '/w/b/node', '/c/node']],
		['node', undefined, linux, ['/usr/bin/node', '/bin/node']],
		['/x/node', '/a', linux, ['/x/node']],
		['./node', '/a', linux, ['/w/node']],
		['bin/node', '/a', linux, ['/w/bin/node']],
		// The working directory is never searched.
		[
			'node',
			'C:\\a;"C:\\b c\\"',
			windows,
			['C:\\a\\node.exe', 'C:\\a\\node.cmd', 'C:\\b c\\node.exe', 'C:\\b c\\node.cmd'],
		],
		['node', undefined, windows, []],
		['C:node', 'C:\\a', windows, ['C:\\a\\node.exe', 'C:\\a\\node.cmd']],
		[
			'node',
			'bin;\\tools',
			windows,
			['D:\\w\\bin\\node.exe', 'D:\\w\\bin\\node.cmd', 'D:\\tools\\node.exe', 'D:\\tools\\node.cmd'],
			'D:\\w',
		],
		['C:\\x\\node.exe', 'C:\\a', windows, ['C:\\x\\node.exe', 'C:\\x\\node.exe.exe', 'C:\\x\\node.exe.cmd']],
		['.\\x', 'C:\\a', windows, ['D:\\w\\x.exe', 'D:\\w\\x.cmd'], 'D:\\w'],
		['/tools/x', 'C:\\a', windows, ['D:\\tools\\x.exe', 'D:\\tools\\x.cmd'], 'D:\\w'],
		['//server/share/x', 'C:\\a', windows, ['\\\\server\\share\\x.exe', '\\\\server\\share\\x.cmd']],
	];
	for (const [command, path, rules, files, folder = '/w'] of table) {
		it(`${command} on ${path}, ${rules.platform}`, () => {
			assert.deepEqual(candidates(command, path, folder, rules), files);
		});
	}

	for (const [command, pathExt, names] of [
		['npx', undefined, ['npx.com', 'npx.exe', 'npx.bat', 'npx.cmd']],
		['npx.CMD', '.cmd', ['npx.CMD', 'npx.CMD.cmd']],
		['a.b', '.EXE', ['a.b.exe']],
		['npx', ';.EXE;', ['npx.exe']],
	] as const) {
		it(`${command} with PATHEXT ${pathExt} is ${names.join(' ')}`, () => {
			assert.deepEqual(fileNames(command, { platform: 'win32', pathExt }), names);
		});
	}

	it('a relative folder is made absolute, so that joining takes linear time', () => {
		const up = '../'.repeat(99);
		assert.deepEqual([joinPaths(up, `${up}x`, linux), joinPaths('/w', up, linux)], ['/x', '/']);
		assert.match(joinPaths(up, `${up}x`, windows), /^([A-Z]:)?\\x$/i);
	});

	it('paths are split and merged in the syntax of each system', () => {
		assert.deepEqual(splitPath('/a: b :', 'linux'), ['/a', ' b ']);
		assert.deepEqual(splitPath('C:\\a; "C:\\b";;', 'win32'), ['C:\\a', 'C:\\b']);
		assert.equal(mergePaths('/a:/b', '/c:/a:/d', 'linux'), '/a:/b:/c:/d');
		assert.equal(mergePaths('C:\\a', 'C:\\b', 'win32'), 'C:\\a;C:\\b');
	});

	it('newer versions come first', () => {
		const names = ['v8.1.0', 'v22.1.0', 'alias', 'v22.10.0', 'Python313'];
		assert.deepEqual(names.toSorted(compareVersions), ['Python313', 'v22.10.0', 'v22.1.0', 'v8.1.0', 'alias']);
	});

	it('the usual places follow the variables of version managers', () => {
		const moved: Record<string, string> = {
			NVM_DIR: '/n',
			VOLTA_HOME: '/v',
			FNM_DIR: '/f',
			ASDF_DATA_DIR: '/a',
			MISE_DATA_DIR: '/m',
			PYENV_ROOT: '/p',
			CARGO_HOME: '/c',
		};
		const places = installFolders({ platform: 'linux', home: '/h', get: name => moved[name] });
		for (const place of [
			'/n/versions/node/*/bin',
			'/v/bin',
			'/f/node-versions/*/installation/bin',
			'/a/shims',
			'/m/shims',
			'/p/shims',
			'/c/bin',
			'/h/.local/bin',
			'/usr/local/bin',
		]) {
			assert.ok(places.includes(place), place);
		}
		assert.ok(!places.some(it => it.startsWith('/h/.nvm') || it.startsWith('/h/.volta')));
		const mac = installFolders({ platform: 'darwin', home: '/h', get: () => undefined });
		for (const place of ['/opt/homebrew/bin', '/h/.nvm/versions/node/*/bin', '/h/.volta/bin', '/h/.asdf/shims']) {
			assert.ok(mac.includes(place), place);
		}
		const win = installFolders({
			platform: 'win32',
			home: 'C:\\h',
			get: name => (name === 'APPDATA' ? 'R:' : undefined),
		});
		for (const place of [
			'R:\\npm',
			'C:\\Program Files\\nodejs',
			'C:\\h\\.local\\bin',
			'C:\\h\\AppData\\Local\\Volta\\bin',
		]) {
			assert.ok(win.includes(place), place);
		}
		for (const place of [...places, ...mac, ...win]) {
			assert.ok(place.split('*').length <= 2 && !place.includes('undefined'), place);
		}
	});
});

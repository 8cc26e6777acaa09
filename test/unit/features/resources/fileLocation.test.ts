import * as assert from 'node:assert/strict';
import { isInFolder, pathsBelow, readFileUri } from '../../../../src/features/resources/fileLocation.js';

describe('files that servers name', () => {
	const table: readonly (readonly [uri: string, expected: string | undefined])[] = [
		['file:///w/a.txt', '/w/a.txt'],
		['FILE:///w/a.txt', '/w/a.txt'],
		['file:///w/a%20b%25.txt', '/w/a b%.txt'],
		['file:///w//a.txt', '/w/a.txt'],
		['file:////etc/passwd', '/etc/passwd'],
		['file:///w/./x/../a.txt', '/w/a.txt'],
		['file:///w/%2e%2E/a.txt', '/a.txt'],
		['file:///w/a.txt?x=/../b#/../c', '/w/a.txt'],
		['file://localhost/w/a.txt', '/w/a.txt'],
		['file:///C:/w/a.txt', '/c:/w/a.txt'],
		['file:///c%3A/w/a.txt', '/c:/w/a.txt'],
		['file:///w/ä', '/w/ä'],
		['file:///w/a:b', '/w/a:b'],
		['file:///w/a.', '/w/a.'],
		['file://server/share/a', 'server/share/a'],
		['file:///w/..%2fa.txt', undefined],
		['file:///w/..%2Fa.txt', undefined],
		['file:///w/..%5ca.txt', undefined],
		['file:///w\\..\\a.txt', undefined],
		['file:///w/a%00.txt', undefined],
		['file:///w/a%0a.txt', undefined],
		['file:///w/a%7f.txt', undefined],
		['file:///w/a\n.txt', undefined],
		['file:///w/a%.txt', undefined],
		['file:///w/%ff', undefined],
		['file:///c:/w/a.txt:stream', undefined],
		['file:///c:/w/..%20/a.txt', undefined],
		['file:///c:/w/a.txt.', undefined],
		['file://server/share/a%20', undefined],
		['file:/w/a.txt', undefined],
		['file:w/a.txt', undefined],
		['http://w/a.txt', undefined],
		['xfile:///w/a.txt', undefined],
		['/w/a.txt', undefined],
		['file://[/', undefined],
		[`file:///${'a'.repeat(32_768)}`, undefined],
	];
	for (const [uri, expected] of table) {
		it(uri.slice(0, 60), () => {
			const file = readFileUri(uri);
			assert.equal(file && file.host + file.path, expected);
		});
	}

	it('lie in a folder', () => {
		const isIn = (uri: string, folder: string): boolean => {
			const [file, where] = [readFileUri(uri), readFileUri(folder)];
			assert.ok(file && where);
			return isInFolder(file, where);
		};
		for (const [uri, folder, expected] of [
			['file:///w/a', 'file:///w', true],
			['file:///w/a/b', 'file:///w/', true],
			['file:///a', 'file:///', true],
			['file:///w', 'file:///w', false],
			['file:///wide/a', 'file:///w', false],
			['file:///a', 'file:///w', false],
			['file://server/w/a', 'file:///w', false],
			['file:///w/a', 'file://server/w', false],
			['file:///W/a', 'file:///w', false],
			['file:///C:/w/a', 'file:///c%3a/w', true],
			['file:///w%20x/a', 'file:///w x', true],
		] as const) {
			assert.equal(isIn(uri, folder), expected, `${uri} in ${folder}`);
		}
	});

	it('have folders above them, up to the one that counts', () => {
		const at = (path: string): { host: string; path: string } => ({ host: 'h', path });
		assert.deepEqual(pathsBelow(at('/w'), at('/w/a/b')), [at('/w/a'), at('/w/a/b')]);
		assert.deepEqual(pathsBelow(at('/'), at('/w/a')), [at('/w'), at('/w/a')]);
	});
});

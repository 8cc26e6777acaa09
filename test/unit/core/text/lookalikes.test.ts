import * as assert from 'node:assert/strict';
import { lookalikeKey, looksLatin } from '../../../../src/core/text/lookalikes.js';

describe('lookalikeKey', () => {
	for (const [script, letters, latin] of [
		['Cyrillic', 'авекмнорстухіѕјԁѵ', 'abekmhopctyxlsjdv'],
		['Greek', 'αβεικμνορτυχ', 'abelkmvoptux'],
		['a dotless i, and digits', 'ı01', 'lol'],
	] as const) {
		it(`reads ${script} as the Latin letters that they look like`, () => {
			assert.equal(lookalikeKey(letters), latin);
			assert.equal(lookalikeKey(letters.toUpperCase()), lookalikeKey(letters));
			assert.ok(Array.from(letters).every(looksLatin));
		});
	}

	it('is the same for a name in another case, with accents or with signs between its letters', () => {
		assert.equal(lookalikeKey('Réad_File'), lookalikeKey('read-file'));
		assert.notEqual(lookalikeKey('read_file'), lookalikeKey('write_file'));
	});
});

/** package.json leads the editor from the numbers of documents to their schemas. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as contributions from '../../../../src/editor/contributions.js';
import { projectRoot } from '../../../host/paths.js';

interface Manifest {
	readonly contributes: { readonly jsonValidation: readonly { readonly fileMatch: string; readonly url: string }[] };
}

describe('schemas of JSON documents', () => {
	it('are found by the number of the document', () => {
		const { contributes } = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as Manifest;
		const { argumentsScheme, schemaScheme, schemaNumbers } = contributions;
		const expected = Array.from({ length: schemaNumbers }, (_, index) => ({
			fileMatch: `${argumentsScheme}://${index + 1}/**`,
			url: `${schemaScheme}://${index + 1}/schema.json`,
		}));
		assert.deepEqual(
			contributes.jsonValidation.filter(it => it.url.includes('://')),
			expected,
		);
	});
});

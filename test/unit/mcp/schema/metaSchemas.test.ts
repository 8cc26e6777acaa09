// What the build generates for the dialects' own schemas says the same as Ajv when it compiles them at run time.
import * as assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { metaSchemas } from '../../../../src/mcp/schema/metaSchemas.js';

describe('metaSchemas', function () {
	this.timeout(20_000);

	const keywords = (
		'$id $anchor $ref $defs $vocabulary $comment type enum const items prefixItems contains oneOf not if properties ' +
		'patternProperties additionalProperties propertyNames required dependencies dependentRequired dependentSchemas ' +
		'minimum multipleOf minLength maxItems format pattern uniqueItems minContains unevaluatedItems contentSchema title ' +
		'default examples readOnly definitions additionalItems a'
	).split(' ');
	const { any } = fc.letrec(tie => ({
		any: fc.oneof(
			{ maxDepth: 4, withCrossShrink: true },
			fc.constantFrom<unknown>('string', 'a#', '#', '(', 0, 1, -1, 0.5, true, false, null),
			fc.dictionary(fc.constantFrom(...keywords), tie('any'), { maxKeys: 4 }),
			fc.array(tie('any'), { maxLength: 3 }),
		),
	}));
	const options = { strict: false, validateFormats: false, logger: false } as const;

	for (const [dialect, ajv, id] of [
		['draft-07', new Ajv(options), 'http://json-schema.org/draft-07/schema'],
		['2020-12', new Ajv2020(options), 'https://json-schema.org/draft/2020-12/schema'],
	] as const) {
		it(`of ${dialect} are as strict as those compiled at run time`, () => {
			const isSchema = metaSchemas[dialect];
			const verdicts = new Map<string, number>();
			fc.assert(
				fc.property(any, it => {
					const expected = ajv.validate(id, it);
					const verdict = isSchema(it);
					assert.deepEqual([verdict, isSchema.errors], [expected, ajv.errors]);
					const keyword = isSchema.errors?.[0]?.keyword ?? 'valid';
					verdicts.set(keyword, (verdicts.get(keyword) ?? 0) + 1);
				}),
				{ numRuns: 3000 },
			);
			assert.ok((verdicts.get('valid') ?? 0) > 100 && verdicts.size > 4, JSON.stringify([...verdicts]));
		});
	}
});

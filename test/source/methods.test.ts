// The methods that the form for a request offers are those of the official schemas.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { methodsOf } from '../../src/core/messages/methods.js';
import { projectRoot } from '../host/paths.js';
import { revisions } from '../support/officialSchema.js';

interface Definition {
	readonly $ref?: string;
	readonly anyOf?: readonly Definition[];
	readonly const?: string;
	readonly required?: readonly string[];
	readonly properties?: Readonly<Record<string, Definition>>;
}

describe('the methods that can be sent', () => {
	for (const revision of revisions) {
		it(`of ${revision} are those of its schema, with the parameters that it requires`, () => {
			const file = path.join(projectRoot, 'test', 'schema', revision, 'schema.json');
			const schema = JSON.parse(fs.readFileSync(file, 'utf8')) as Readonly<
				Record<string, Readonly<Record<string, Definition>>>
			>;
			const definitions = schema['$defs'] ?? schema['definitions'] ?? {};
			const resolve = (it: Definition = {}): Definition =>
				it.$ref === undefined ? it : (definitions[it.$ref.split('/').at(-1) ?? ''] ?? {});
			const requests = (definitions['ClientRequest']?.anyOf ?? []).map(resolve);
			const required = Object.fromEntries(
				requests.map(({ properties = {} }) => [
					properties['method']?.const ?? '',
					(resolve(properties['params']).required ?? []).filter(it => it !== '_meta'),
				]),
			);
			delete required['initialize'];
			const offered = methodsOf(revision);
			assert.deepEqual(offered.map(it => it.name).toSorted(), Object.keys(required).toSorted());
			for (const { name, params } of offered) {
				assert.deepEqual(
					(required[name] ?? []).filter(it => !(it in params)),
					[],
					name,
				);
			}
		});
	}
});

import * as assert from 'node:assert/strict';
import { searchEntries } from '../../../../src/core/search/search.js';

interface Entry {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	readonly server?: string;
}

const entries: readonly Entry[] = [
	{ name: 'list_repos', description: 'Lists repositories; an issue may be created from each.' },
	{ name: 'createIssue', server: 'tracker', description: 'Opens one.' },
	{ name: 'issue-create-many', server: 'tracker' },
	{ name: 'get', title: 'Read an issue', server: 'tracker' },
	{ name: 'water', description: 'Waters the garden.' },
	{ name: 'Über-Prüfung' },
];

const table: readonly (readonly [query: string, ...names: string[]])[] = [
	['', ...entries.map(it => it.name)],
	['  ?! ', ...entries.map(it => it.name)],
	['create issue', 'createIssue', 'issue-create-many', 'get', 'list_repos'],
	['CREATE-ISSUE create', 'createIssue', 'issue-create-many', 'get', 'list_repos'],
	['read an issue', 'get', 'createIssue', 'issue-create-many', 'list_repos'],
	['tracker', 'createIssue', 'issue-create-many', 'get'],
	['watering of a bed', 'water'],
	['repos', 'list_repos'],
	['a'],
	['prüfung', 'Über-Prüfung'],
	['nothing like it'],
	['$(.*) \\', ...entries.map(it => it.name)],
];

describe('searching for models', () => {
	for (const [query, ...names] of table) {
		it(JSON.stringify(query), () => {
			const found = searchEntries(entries, query, it => ({ ...it, also: it.server === undefined ? [] : [it.server] }));
			assert.deepEqual(
				found.map(it => it.name),
				names,
			);
		});
	}

	it('looks at what every object has as at any other word', () => {
		assert.deepEqual(
			searchEntries([{ name: 'x' }], 'constructor __proto__', it => ({ ...it, also: [] })),
			[],
		);
	});
});

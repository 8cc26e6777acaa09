// What version 0.0.1 has kept in the state of a workspace is read by now's code, letter by letter as it was written; what
// nobody knows is left out, and hurts nothing beside it.
import * as assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { Bookmarks } from '../../../src/host/bookmarks.js';
import { WorkspaceConsents } from '../../../src/host/consentStore.js';
import { callGrants, WorkspaceGrants } from '../../../src/host/grants.js';
import { parseLock } from '../../../src/model/pins.js';
import { leakCheck } from '../../support/leakCheck.js';

const id = 'file:///home/ada/garden/.vscode/mcp.json#everything';
const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** As commits 291b201 and fb43eab wrote it, and the approvals between them. */
const kept = {
	consents: [[id, { command: hash, 'env:TOKEN': hash }]],
	grants: [
		{
			id: '5d2f',
			decision: 'deny',
			serverId: id,
			tools: { echo: hash },
			lasts: 'workspace',
			time: 1_780_000_000_000,
		},
	],
	resourceBookmarks: [{ serverId: id, template: 'demo://{id}', uri: 'demo://1' }],
};

function stateOf(values: Readonly<Record<string, unknown>>): Memento {
	const held = new Map(Object.entries(values));
	return {
		keys: () => [...held.keys()],
		get: (key: string) => held.get(key),
		update: async (key: string, value: unknown) => void held.set(key, value),
	} as Memento;
}

describe('what an older version has kept', () => {
	const { own } = leakCheck();

	function read(state: Memento): unknown {
		return {
			consent: new WorkspaceConsents(state).get(id),
			grants: own(new WorkspaceGrants(state, callGrants)).list(),
			bookmarks: own(new Bookmarks(state)).of(id, 'demo://{id}'),
		};
	}
	const whole = { consent: kept.consents[0]?.[1], grants: kept.grants, bookmarks: kept.resourceBookmarks };

	it('is read', () => {
		assert.deepEqual(read(stateOf(kept)), whole);
	});

	it('is read beside entries of a version to come', () => {
		const newer = Object.fromEntries(Object.entries(kept).map(([key, it]) => [key, [{ format: 2 }, null, ...it]]));
		assert.deepEqual(read(stateOf(newer)), whole);
	});

	it('counts for nothing where everything has another form', () => {
		const other = Object.fromEntries(Object.keys(kept).map(key => [key, { format: 2 }]));
		assert.deepEqual(read(stateOf(other)), { consent: undefined, grants: [], bookmarks: [] });
	});

	it('of a lock, a version to come is told as broken, not taken for an empty one', () => {
		assert.equal(parseLock('{ "version": 1, "servers": {} }').kind, 'read');
		assert.equal(parseLock('{ "version": 2, "servers": {} }').kind, 'broken');
	});
});

import * as assert from 'node:assert/strict';
import { isCallGrant } from '../../../../src/editor/storage/grants.js';

const grant = {
	id: '1',
	decision: 'allow',
	serverId: 'file:///w/.vscode/mcp.json#a',
	tools: { echo: 'definitionHash' },
	argumentsKey: '{}',
	lasts: 'workspace',
	time: 1_780_000_000_000,
};

/** By member: values that are no grant's, then values that are. */
const table: Readonly<Record<keyof typeof grant, readonly [bad: readonly unknown[], good: readonly unknown[]]>> = {
	id: [
		[undefined, null, 5, ['1']],
		['', '2'],
	],
	decision: [[undefined, null, true, '', 'Allow', 'ask', ['allow']], ['deny']],
	serverId: [[undefined, null, 5, {}, ['a']], ['b']],
	tools: [
		[undefined, null, 'echo', ['echo'], { echo: 5 }, { echo: null }, { echo: { a: 1 } }],
		[{}, { a: 'x', b: 'y' }],
	],
	argumentsKey: [
		[null, 5, {}, ['{}']],
		[undefined, ''],
	],
	lasts: [[undefined, null, 'session', 'forever', true], []],
	time: [
		[undefined, null, '1', '2026', Number.NaN, Number.POSITIVE_INFINITY, {}],
		[0, -1],
	],
};

describe('a grant about calls, read back', () => {
	it('is one as it was written', () => {
		assert.ok(isCallGrant(grant));
		assert.ok(isCallGrant({ ...grant, ofVersionToCome: true }));
		for (const other of [undefined, null, 5, 'grant', [], [grant], {}]) {
			assert.ok(!isCallGrant(other), JSON.stringify(other));
		}
	});

	for (const [member, [bad, good]] of Object.entries(table)) {
		it(`is none with a wrong ${member}`, () => {
			for (const value of bad) {
				assert.ok(!isCallGrant({ ...grant, [member]: value }), String(value));
			}
			for (const value of good) {
				assert.ok(isCallGrant({ ...grant, [member]: value }), String(value));
			}
		});
	}

	it('about every tool is a denial', () => {
		assert.ok(isCallGrant({ ...grant, decision: 'deny', tools: undefined }));
		assert.ok(!isCallGrant({ ...grant, decision: 'allow', tools: undefined }));
		assert.ok(!isCallGrant({ ...grant, decision: 'deny', tools: { echo: 5 } }));
	});
});

// The lists of saved answers describe the scope and the duration of each.
import * as assert from 'node:assert/strict';
import { approvedCalls, manageApprovals } from '../../../../src/features/approvals/manage.js';
import type { WorkspaceGrants } from '../../../../src/editor/storage/grants.js';
import type { KeptPermission } from '../../../../src/editor/permissions.js';
import type { Grant } from '../../../../src/core/approvals/approval.js';
import { screen } from '../../../support/quickPickDouble.js';

const time = Date.UTC(2026, 0, 2);

function grant(more: Partial<Grant>): Grant {
	return { id: 'g', decision: 'allow', serverId: 's', tools: { weed: 'f' }, lasts: 'workspace', time, ...more };
}

/** A row of Manage Approvals without its time. */
async function lineOf(listed: Grant): Promise<string | undefined> {
	let lines: readonly string[] = [];
	screen.onShow = pick => {
		({ lines } = pick);
		pick.hide();
	};
	const grants = { list: () => [listed] } as unknown as WorkspaceGrants<Grant>;
	await manageApprovals({ groups: [approvedCalls(grants, () => 'garden')] });
	assert.equal(lines[0], 'Tool calls');
	return lines[1]?.replace(/Since .*?(, for this session)?$/, 'Since …$1');
}

describe('Manage Approvals', () => {
	afterEach(() => {
		screen.onShow = pick => pick.hide();
	});

	for (const [what, listed, expected] of [
		['a session', { lasts: 'session' }, 'Allowed: "weed" with any arguments | garden · Since …, for this session'],
		['a tool', {}, 'Allowed: "weed" with any arguments | garden · Since …'],
		['arguments', { argumentsKey: '{}' }, 'Allowed: "weed" with these arguments | garden · Since …'],
		[
			'a server',
			{ tools: { weed: 'f', water: 'g' } },
			'Allowed: 2 tools with any arguments: "weed", "water" | garden · Since …',
		],
		['a denial', { decision: 'deny' }, 'Denied: "weed" with any arguments | garden · Since …'],
	] as const) {
		it(`says how far an answer goes: ${what}`, async () => {
			assert.equal(await lineOf(grant(listed)), expected);
		});
	}

	it('revokes what the person selects, of any feature', async () => {
		const revoked: string[] = [];
		const permission = (label: string): KeptPermission => ({ label, revoke: async () => void revoked.push(label) });
		const groups = [
			{ title: 'A', list: () => [permission('a1'), permission('a2')] },
			{ title: 'B', list: () => [] },
			{ title: 'C', list: () => [permission('c1')] },
		];
		screen.onShow = pick => pick.accept('a2', 'c1');
		await manageApprovals({ groups });
		assert.deepEqual(revoked, ['a2', 'c1']);
	});
});

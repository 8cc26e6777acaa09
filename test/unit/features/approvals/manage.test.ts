// What lists of answers say: how far each goes, and how long.
import * as assert from 'node:assert/strict';
import { explainDecision } from '../../../../src/features/approvals/explain.js';
import { manageApprovals } from '../../../../src/features/approvals/manage.js';
import type { WorkspaceGrants } from '../../../../src/editor/storage/grants.js';
import type { ApprovalInput, Grant } from '../../../../src/core/approvals/approval.js';
import type { ApprovalQuestion } from '../../../../src/core/approvals/approver.js';
import { emptyPolicy, type Reach } from '../../../../src/core/approvals/policy.js';
import { screen } from '../../../support/quickPickDouble.js';

const time = Date.UTC(2026, 0, 2);

function grant(more: Partial<Grant>): Grant {
	return { id: 'g', decision: 'allow', serverId: 's', tools: { weed: 'f' }, lasts: 'workspace', time, ...more };
}

/** A line of Manage Approvals, without the point in time. */
async function lineOf(listed: Grant): Promise<string | undefined> {
	let lines: readonly string[] = [];
	screen.onShow = pick => {
		({ lines } = pick);
		pick.hide();
	};
	const grants = { list: () => [listed] } as unknown as WorkspaceGrants<Grant>;
	assert.deepEqual(await manageApprovals(grants, () => 'garden'), []);
	return lines[0]?.replace(/since .*?(, until the window closes)?$/, 'since …$1');
}

describe('Manage Approvals', () => {
	afterEach(() => {
		screen.onShow = pick => pick.hide();
	});

	for (const [what, listed, expected] of [
		['a session', { lasts: 'session' }, 'Allowed: weed with any arguments | garden · since …, until the window closes'],
		['a tool', {}, 'Allowed: weed with any arguments | garden · since …'],
		['arguments', { argumentsKey: '{}' }, 'Allowed: weed with these arguments | garden · since …'],
		[
			'a server',
			{ tools: { weed: 'f', water: 'g' } },
			'Allowed: 2 tools with any arguments: weed, water | garden · since …',
		],
		['a denial', { decision: 'deny' }, 'Denied: weed with any arguments | garden · since …'],
	] as const) {
		it(`says how far an answer goes: ${what}`, async () => {
			assert.equal(await lineOf(grant(listed)), expected);
		});
	}
});

describe('Explain Decision', () => {
	function explained(grants: readonly Grant[], reach: Reach): string {
		const input: ApprovalInput = {
			caller: { kind: 'model', through: 'tool' },
			serverId: 's',
			facts: { server: 'garden', tool: 'weed', annotations: undefined, arguments: {}, reach },
			argumentsKey: '{}',
			isTrusted: true,
			definitionPolicy: { kind: 'read', policy: emptyPolicy },
			userPolicy: { kind: 'read', policy: emptyPolicy },
			pin: 'same',
			fingerprint: 'f',
			grants,
		};
		const request = { caller: input.caller, tool: { name: 'weed' } };
		return explainDecision({ input, request, changes: [] } as unknown as ApprovalQuestion, 'garden', true);
	}
	const nowhere: Reach = { roots: [], outside: [], unclear: [] };

	it('says how far an earlier approval goes', () => {
		assert.match(
			explained([grant({ lasts: 'session' })], nowhere),
			/^the tool with any arguments, since .*, until the window closes$/m,
		);
		assert.match(explained([grant({})], nowhere), /^the tool with any arguments, since .*, until revoked$/m);
		assert.match(explained([grant({ argumentsKey: '{}' })], nowhere), /^these arguments, since .*, until revoked$/m);
	});

	it('tells paths outside from text that may be one', () => {
		const text = explained([], { roots: ['w'], outside: ['/etc', '~/a'], unclear: ['~/a'] });
		assert.match(text, /^Folders: w\nOutside the workspace: \/etc\nMay be outside the workspace: ~\/a$/m);
	});
});

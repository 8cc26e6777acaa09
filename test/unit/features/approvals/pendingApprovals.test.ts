// Calls that wait for approval, from the call to the list of pending requests.
import * as assert from 'node:assert/strict';
import { type Deferred, deferred } from '../../../../src/base/async.js';
import { PendingApprovals } from '../../../../src/features/approvals/pendingApprovals.js';
import { emptyPolicy, type PolicyState } from '../../../../src/core/approvals/approval.js';
import { Approver } from '../../../../src/core/approvals/approver.js';
import { Calls } from '../../../../src/core/calls/calls.js';
import { PendingRequests } from '../../../../src/core/requests/pendingRequests.js';
import { Server } from '../../../../src/core/servers/server.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { CallDeniedError } from '../../../../src/core/calls/toolAccess.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { MemoryTools } from '../../../support/memoryTools.js';
import { definition, ModelFixture } from '../../../support/modelFixture.js';
import { eventually } from '../../../support/waiting.js';

describe('calls that wait for approval', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	let server: Server;
	let calls: Calls;
	let pending: PendingRequests;
	/** The reads of policy files that are still running. */
	let reads: Deferred<PolicyState>[];
	/** Whether the document that the sheet has opened was disposed. */
	let isOver: boolean;
	const policy: PolicyState = { kind: 'read', policy: emptyPolicy };

	beforeEach(() => {
		reads = [];
		isOver = false;
		const fixture = new ModelFixture(cleanup);
		fixture.server = {
			capabilities: { tools: {} },
			methods: { 'tools/list': () => ({ tools: [{ name: 'weed', inputSchema: {} }] }) },
		};
		server = own(new Server(definition('garden'), fixture.deps));
		pending = own(new PendingRequests());
		const registry = { onDidChange: () => ({ dispose: () => undefined }), serverOf: () => server };
		const approvals = own(
			new PendingApprovals({
				pending,
				registry: registry as unknown as ServerRegistry,
				show: async (_, __, ___, sheetReturn) => {
					sheetReturn.own({ dispose: () => (isOver = true) });
					return 'done';
				},
			}),
		);
		const approver = new Approver({
			policies: {
				ofDefinition: () => {
					const read = deferred<PolicyState>();
					reads.push(read);
					return read.promise;
				},
				ofUser: () => policy,
			},
			tools: new MemoryTools(),
			grants: { list: () => [], add: async () => undefined },
			isTrusted: () => true,
			isAuthored: async () => false,
			roots: () => [],
			ignoresCase: false,
			open: signal => approvals.open(signal),
		});
		calls = own(
			new Calls(
				approver,
				() => false,
				async () => undefined,
			),
		);
	});

	const call = (n: number): Promise<unknown> => {
		const made = { caller: { kind: 'command' }, server, tool: 'weed', arguments: { n } } as const;
		return calls.make(made, async () => assert.fail('sent'));
	};
	const listed = (): unknown[] =>
		pending.all.map(({ subject }) => subject.kind === 'approval' && subject.question.request.arguments['n']);
	/** Ends reading the policies of this many calls, the latest call first. */
	const read = async (count: number): Promise<void> => {
		// The policy is read once for the whole server, then for the call.
		await eventually(() => reads.length === count, 'the policies of the server are read');
		reads.splice(0).forEach(it => it.resolve(policy));
		await eventually(() => reads.length === count, 'the policies of each call are read');
		for (const [index, it] of reads.splice(0).toReversed().entries()) {
			it.resolve(policy);
			await eventually(() => pending.all.length === index + 1, 'another request');
		}
	};

	it('are listed in the order in which they were made, whichever could be decided first', async () => {
		const made = [1, 2, 3].map(it => assert.rejects(call(it), CallDeniedError));
		await read(3);
		assert.deepEqual(listed(), [1, 2, 3]);
		pending.all.slice().forEach(it => it.deny?.());
		await Promise.all(made);
		assert.deepEqual(listed(), []);
	});

	it('keep what their sheet has opened until they are answered', async () => {
		const made = assert.rejects(call(1), CallDeniedError);
		await read(1);
		const [request] = pending.all;
		assert.ok(request);
		await pending.review(request);
		assert.equal(isOver, false);
		request.deny?.();
		await made;
		assert.equal(isOver, true);
	});
});

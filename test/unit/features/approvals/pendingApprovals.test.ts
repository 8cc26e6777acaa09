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

	const call = (): Promise<unknown> => {
		const made = { caller: { kind: 'command' }, server, tool: 'weed', arguments: {} } as const;
		return calls.make(made, async () => assert.fail('sent'));
	};
	/** Lets the policies of a call be read. */
	const read = async (): Promise<void> => {
		// The policy is read once for the whole server, then for the call.
		for (const what of ['the policies of the server are read', 'the policies of the call are read']) {
			await eventually(() => reads.length === 1, what);
			reads.splice(0).forEach(it => it.resolve(policy));
		}
		await eventually(() => pending.all.length === 1, 'the request');
	};

	it('remember what their sheet has opened until they are answered', async () => {
		const made = assert.rejects(call(), CallDeniedError);
		await read();
		const [request] = pending.all;
		assert.ok(request);
		await pending.review(request);
		assert.equal(isOver, false);
		request.deny?.();
		await made;
		assert.equal(isOver, true);
	});
});

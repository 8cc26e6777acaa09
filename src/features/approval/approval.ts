/** Puts the one decision about calls together with what it reads, and with the person it asks. */
import type * as vscode from 'vscode';
import { Sequencer } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { Documents } from '../../host/documents.js';
import { WorkspaceGrants } from '../../host/grants.js';
import { Locks } from '../../host/locks.js';
import { Policies } from '../../host/policies.js';
import { Approver } from '../../model/approver.js';
import { Calls } from '../../model/calls.js';
import type { Environment } from '../../model/environment.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
import type { Roots, Trust } from '../../model/serverPorts.js';
import { askApproval } from './sheet.js';

export interface ApprovalDeps {
	readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'storageUri' | 'workspaceState'>;
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly environment: Environment;
	readonly roots: Roots;
	readonly trust: Trust;
	/** One question at a time, whatever it is about. */
	readonly questions: Sequencer;
}

export interface ApprovalFeature extends Disposable {
	/** The one door of every call. */
	readonly calls: Calls;
}

export function createApproval(deps: ApprovalDeps): ApprovalFeature {
	const owned = new DisposableStore();
	const { context, registry, documents, environment, roots, trust, questions } = deps;
	const locks = owned.add(new Locks(context));
	const grants = owned.add(new WorkspaceGrants(context.workspaceState));
	const [ofPerson, ofOthers] = [new Sequencer(), new Sequencer()];
	const approver = new Approver({
		policies: new Policies(context),
		locks,
		grants,
		isTrusted: () => trust.isTrusted(),
		roots: definition => roots.list(definition),
		ignoresCase: environment.ignoresCase,
		queueOf: ({ kind }) => (kind === 'person' ? ofPerson : ofOthers),
		ask: (question, signal) => askApproval(question, signal, { documents, questions }),
		onPinFailed: ({ id }, error) =>
			registry.servers
				.find(it => it.definition.id === id)
				?.log.warn(`What was approved could not be written down: ${toMessage(error)}`),
	});
	return { calls: owned.add(new Calls(approver)), dispose: () => owned.dispose() };
}

/**
 * The feature `sampling`: a server asks a model of the editor. The person reviews and can edit the request before a model gets it, and
 * the answer before the server does; or they answer by hand. Requests that a grant covers need no review. The feature
 * `pendingRequests` lists the waiting requests.
 */
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { Interactions } from '../../core/calls/interactions.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Answerer, Questions } from '../../core/requests/questions.js';
import { isSampling, type Sampling, type Samplings } from '../../core/requests/samplings.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { reportErrors } from '../../editor/commands.js';
import type { Documents } from '../../editor/documents/documents.js';
import type { TextEditing } from '../../editor/documents/textEditing.js';
import type { Permissions } from '../../editor/permissions.js';
import type { VersionedState } from '../../editor/storage/versionedState.js';
import { SamplingReview } from './samplingReview.js';
import { samplingPermissions } from './permissions.js';

export interface SamplingDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly questions: Questions;
	readonly pending: Pick<PendingRequests, 'reviewed'>;
	readonly samplings: Samplings;
	readonly interactions: Interactions;
	readonly editing: TextEditing;
	readonly permissions: Permissions;
	/** State of the workspace: grants, and the model that was chosen for each server. */
	readonly state: VersionedState;
}

export function registerSampling(deps: SamplingDeps): Answerer & Disposable {
	const owned = new DisposableStore();
	const { questions, registry, samplings, permissions } = deps;
	const asking = owned.add(new SamplingReview(deps));
	const begin = async (sampling: Sampling): Promise<void> => {
		try {
			await asking.begin(sampling);
		} catch (error) {
			// The person can still answer, so the request waits for them.
			questions.setStage(sampling, 'asked');
			throw error;
		}
	};
	owned.add(questions.onDidCome(it => void (isSampling(it) && reportErrors(() => begin(it)))));
	owned.add(questions.onDidEnd(it => isSampling(it.question) && asking.remember(it)));
	owned.add(permissions.register(samplingPermissions(asking.grants, id => registry.labelOf({ id }))));
	return {
		answers: isSampling,
		ask: async (it, signal) => (isSampling(it) ? asking.ask(it, signal) : undefined),
		decline: it => void (isSampling(it) && samplings.reject(it)),
		dispose: () => owned.dispose(),
	};
}

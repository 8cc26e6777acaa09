/**
 * The feature `sampling`: a server asks a model of the editor. The person reviews and can edit the request before a model gets it, and
 * the answer before the server does; or they answer by hand. Requests that a grant covers need no review. The feature
 * `pendingRequests` lists the waiting requests.
 */
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { Answerer } from '../../core/requests/questions.js';
import { isSampling, type Sampling } from '../../core/requests/samplings.js';
import { reportErrors } from '../../editor/commands.js';
import type { Permissions } from '../../editor/permissions.js';
import { type SamplingDeps, SamplingReview } from './samplingReview.js';
import { samplingPermissions } from './permissions.js';

export function registerSampling(deps: SamplingDeps & { readonly permissions: Permissions }): Answerer & Disposable {
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

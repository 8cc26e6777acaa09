/**
 * Sampling: a server asks a model of the editor. The person reviews and can edit the request before a model gets it, and
 * the answer before the server does; or they answer by hand. Requests that a grant covers need no review. The feature
 * `pending` lists the waiting requests.
 */
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { Exchanges } from '../../model/exchanges.js';
import type { PendingRequests } from '../../model/pendingRequests.js';
import type { Questions } from '../../model/questions.js';
import { isSampling, type Sampling, type Samplings } from '../../model/samplings.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
import { guarded, registerCommand } from '../../host/commands.js';
import { Commands } from '../../host/contributions.js';
import type { Documents } from '../../host/documents.js';
import type { KeptState } from '../../host/keptState.js';
import { Asking } from './asking.js';
import { manageSampling } from './permissions.js';

export interface SamplingDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly questions: Questions;
	readonly pending: Pick<PendingRequests, 'reviewed'>;
	readonly samplings: Samplings;
	readonly exchanges: Exchanges;
	/** State of the workspace: grants, and the model that was chosen for each server. */
	readonly state: KeptState;
}

export interface SamplingFeature extends Disposable {
	/** Shows the sheets of a request until it is decided or the person leaves. The signal closes them. */
	ask(sampling: Sampling, signal: AbortSignal): Promise<void>;
}

export function registerSampling(deps: SamplingDeps): SamplingFeature {
	const owned = new DisposableStore();
	const { questions, registry } = deps;
	const asking = owned.add(new Asking(deps));
	owned.add(questions.onDidCome(it => void (isSampling(it) && guarded(() => asking.begin(it)))));
	owned.add(questions.onDidEnd(it => asking.remember(it)));
	owned.add(registerCommand(Commands.submitModelAnswer, argument => asking.submit(argument)));
	owned.add(registerCommand(Commands.editModelAnswerAsJson, argument => asking.editAsJson(argument)));
	owned.add(registerCommand(Commands.reviewSampling, argument => asking.review(argument)));
	owned.add(
		registerCommand(Commands.manageSampling, () => manageSampling(asking.grants, id => registry.labelOfId(id))),
	);
	return { ask: (it, signal) => asking.ask(it, signal), dispose: () => owned.dispose() };
}

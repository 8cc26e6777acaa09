/** The feature `walkthrough`: completes its steps. Their texts and pictures are in `package.json`. */
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { ManagedContextKey } from '../../editor/commands.js';
import { ContextKeys } from '../../editor/contributions.js';
import type { Calls } from '../../core/calls/calls.js';
import type { Questions } from '../../core/requests/questions.js';

export interface WalkthroughDeps {
	/** Running a tool completes a step, whether or not a history is kept. */
	readonly calls: Pick<Calls, 'onDidCall'>;
	readonly questions: Pick<Questions, 'onDidEnd'>;
}

export function registerWalkthrough({ calls, questions }: WalkthroughDeps): Disposable {
	const owned = new DisposableStore();
	const hasAnswered = new ManagedContextKey(ContextKeys.hasAnswered);
	const hasRunTool = new ManagedContextKey(ContextKeys.hasRunTool);
	owned.add(
		questions.onDidEnd(({ end, isAutomatic }) => {
			if (end && !isAutomatic) {
				hasAnswered.value = true;
			}
		}),
	);
	owned.add(
		calls.onDidCall(({ end }) => {
			if (end.kind !== 'denied') {
				hasRunTool.value = true;
			}
		}),
	);
	return owned;
}

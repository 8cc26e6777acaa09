/** The feature `walkthrough`: completes its steps. Their texts and pictures are in `package.json`. */
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { ManagedContextKey } from '../../editor/commands.js';
import { ContextKeys } from '../../editor/contributions.js';
import type { Calls } from '../../core/calls/calls.js';

export interface WalkthroughDeps {
	/** Running a tool completes a step, whether or not a history is kept. */
	readonly calls: Pick<Calls, 'onDidCall'>;
}

export function registerWalkthrough({ calls }: WalkthroughDeps): Disposable {
	const owned = new DisposableStore();
	const hasRunTool = new ManagedContextKey(ContextKeys.hasRunTool);
	owned.add(
		calls.onDidCall(({ end }) => {
			if (end.kind !== 'denied') {
				hasRunTool.value = true;
			}
		}),
	);
	return owned;
}

// Why a test does not run here: mocha knows only that it does not.

/** What of a test or a suite knows the reason. It is told on mocha's own objects: each bundle has a copy of this module. */
export interface Skippable {
	skipReason?: string;
	readonly parent?: Skippable | undefined;
}

/** Skips a test, or called by a hook all tests of its suite; the end of the run says why. */
export function skip(context: Mocha.Context, reason: string): never {
	const runnable: Skippable & { readonly type?: 'hook' | 'test' } = context.runnable();
	const skipped = runnable.type === 'hook' ? (runnable.parent ?? runnable) : runnable;
	skipped.skipReason = reason;
	return context.skip();
}

/** Why it was skipped, or the suite it is in. */
export function skipReasonOf(test: Skippable): string | undefined {
	return test.skipReason ?? (test.parent && skipReasonOf(test.parent));
}

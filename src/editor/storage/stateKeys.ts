/** All names under which this extension stores data. Others don't compile; `test/source/keptData.test.ts` finds other data. */

/** Keys of the editor's state, of a workspace or of all windows. */
export const stateKeys = [
	'grants',
	'samplingGrants',
	'samplingModels',
	'consents',
	'ranTools',
	'openTasks',
	'lastArguments',
	'removedSettings',
	'demoServer',
	'auth.registrations',
	'auth.secrets',
] as const;
export type StateKey = (typeof stateKeys)[number];

/** Prefixes of keys for single servers or files, in the state and in secret storage. */
export type StateKeyPrefix = 'input:' | 'auth:';

/** Files and folders in the extension's storage that Clear All Data… deletes; version 0.1.0 wrote the last three. */
export const clearedFiles = ['opened', 'audit', 'mcp-lock.json', 'seenTools'] as const;

export type StoredFile =
	| (typeof clearedFiles)[number]
	/** Cleared by its owner, which may be writing it. */
	| 'history'
	/** Written by the person, like settings. */
	| 'mcp-policy.json'
	/** Processes that may still run after a crash of their window: the next start must find them. */
	| 'servers';

/**
 * All data that this extension stores, each with the part of "Clear All Data…" that removes it. Keys that are missing here
 * don't compile; `test/unit/keptData.test.ts` finds other data.
 */

/** In the order in which the parts are listed. */
export const dataParts = [
	'approvals',
	'locks',
	'sampling',
	'consents',
	'history',
	'arguments',
	'choices',
	'inputs',
	'signIns',
	'files',
	'rules',
] as const;
export type DataPart = (typeof dataParts)[number];

/** Keys of the editor's state, of a workspace or of all windows. */
export const stateKeys = {
	grants: 'approvals',
	samplingGrants: 'sampling',
	samplingModels: 'sampling',
	consents: 'consents',
	ranTools: 'locks',
	openTasks: 'history',
	lastArguments: 'arguments',
	removedSettings: 'choices',
	/** Stored by version 0.1.0; only removed. */
	promptUses: 'choices',
	resourceBookmarks: 'choices',
	resourceOrder: 'choices',
	'auth.registrations': 'signIns',
	'auth.secrets': 'signIns',
} as const satisfies Readonly<Record<string, DataPart>>;
export type StateKey = keyof typeof stateKeys;

/** Prefixes of keys for single servers or files, in the state and in secret storage. */
export const stateKeyPrefixes = { 'input:': 'inputs', 'auth:': 'signIns' } as const satisfies Readonly<
	Record<string, DataPart>
>;
export type StateKeyPrefix = keyof typeof stateKeyPrefixes;

/** Folders and files in the extension's storage. */
export const storedFiles = {
	history: 'history',
	opened: 'files',
	'mcp-policy.json': 'rules',
	/** Stored by version 0.1.0; only removed, like the next two. */
	audit: 'history',
	'mcp-lock.json': 'locks',
	seenTools: 'locks',
	/** Processes that may still run after a crash of their window. Not cleared, because the next start must find them. */
	servers: undefined,
} as const satisfies Readonly<Record<string, DataPart | undefined>>;
export type StoredFile = keyof typeof storedFiles;

export function keysOf(part: DataPart): readonly StateKey[] {
	return (Object.keys(stateKeys) as StateKey[]).filter(it => stateKeys[it] === part);
}

export function filesOf(part: DataPart): readonly StoredFile[] {
	return (Object.keys(storedFiles) as StoredFile[]).filter(it => storedFiles[it] === part);
}

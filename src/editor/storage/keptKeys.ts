/**
 * Everything that this extension keeps on the machine, by the part of "Clear All Data…" that removes it. A key of the
 * editor's state that isn't here doesn't compile; `test/unit/keptData.test.ts` finds everything else that is kept.
 */

/** In the order in which the parts are listed. */
export const dataParts = [
	'approvals',
	'pins',
	'sampling',
	'consents',
	'history',
	'audit',
	'arguments',
	'choices',
	'inputs',
	'signIns',
	'files',
	'rules',
] as const;
export type DataPart = (typeof dataParts)[number];

/** Keys of the editor's state, of a workspace or of all windows. */
export const keptKeys = {
	grants: 'approvals',
	samplingGrants: 'sampling',
	samplingModels: 'sampling',
	consents: 'consents',
	openTasks: 'history',
	lastArguments: 'arguments',
	promptUses: 'choices',
	/** Of version 0.1.0, which nothing reads: only to be removed. */
	resourceBookmarks: 'choices',
	resourceOrder: 'choices',
	removedSettings: 'choices',
	'auth.registrations': 'signIns',
	'auth.secrets': 'signIns',
} as const satisfies Readonly<Record<string, DataPart>>;
export type KeptKey = keyof typeof keptKeys;

/** How keys begin that go on with what a server or a file is called, in the state and in the secret storage. */
export const keptPrefixes = { 'input:': 'inputs', 'auth:': 'signIns' } as const satisfies Readonly<
	Record<string, DataPart>
>;
export type KeptPrefix = keyof typeof keptPrefixes;

/** Folders and files in the extension's storage. */
export const storedFiles = {
	history: 'history',
	audit: 'audit',
	icons: 'files',
	opened: 'files',
	'mcp-lock.json': 'pins',
	seenTools: 'pins',
	'mcp-policy.json': 'rules',
	/** Processes of servers that may still run: without it, those of a window that crashed are never ended. */
	servers: undefined,
} as const satisfies Readonly<Record<string, DataPart | undefined>>;
export type StoredFile = keyof typeof storedFiles;

export function keysOf(part: DataPart): readonly KeptKey[] {
	return (Object.keys(keptKeys) as KeptKey[]).filter(it => keptKeys[it] === part);
}

export function filesOf(part: DataPart): readonly StoredFile[] {
	return (Object.keys(storedFiles) as StoredFile[]).filter(it => storedFiles[it] === part);
}

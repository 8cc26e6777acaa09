/** Where a new server can be written, and the writing: comments, formatting and Undo are kept. */
import * as vscode from 'vscode';
import {
	type Addition,
	addServers,
	type ConfigEdit,
	type ConfigPlaces,
	mcpJsonPlaces,
} from '../../core/config/configEdit.js';
import type { Server } from '../../core/servers/server.js';
import { parseServerConfig } from '../../core/config/serverConfig.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { ServerInput } from '../../core/config/serverInputs.js';
import { type UserConfig, userConfig, writeUserConfig } from '../../editor/workspace/config.js';
import { createFile, lineBreakOf, openCurrent, saveAs } from '../../editor/documents/fileEdit.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { assertUnlinked, exists } from '../../editor/documents/unlinkedFiles.js';
import { openConfiguration, openUserServer } from './openConfiguration.js';
import { configUri, folderSource, userSource } from './configPlaces.js';

/** A place that can hold servers. */
export interface ServerTarget {
	/** What people call it: `.vscode/mcp.json`. */
	readonly label: string;
	/** Whose it is: the folder's name. */
	readonly description: string;
	/**
	 * Adds servers and saves; `undefined` if that is not possible, which the person has been told.
	 * @throws if the place cannot be written
	 */
	write(additions: readonly Addition[], inputs: readonly ServerInput[]): Promise<Written | undefined>;
}

/** Servers that have been written. */
export interface Written {
	/** Exactly as they now stand there. */
	readonly definitions: readonly ServerDefinition[];
	/** New ids of those inputs whose own was taken there. */
	readonly renamed: ReadonlyMap<string, string>;
	/** Shows the first of them where it stands. */
	reveal(): Promise<void>;
	/** True for a server that is read from this place. */
	holds(server: Server): boolean;
}

/** The places there are now; the first is the one to propose. */
export function serverTargets(): ServerTarget[] {
	const folders = vscode.workspace.workspaceFolders ?? [];
	return [...folders.map(folder => folderTarget(folder, '.vscode/mcp.json')), userTarget()];
}

function folderTarget(folder: vscode.WorkspaceFolder, label: string): ServerTarget {
	const uri = configUri(folder);
	return {
		label,
		description: folder.name,
		write: async (additions, inputs) => {
			const written = await writeFile(uri, label, mcpJsonPlaces, additions, inputs);
			if (!written) {
				return undefined;
			}
			const names = new Set(additions.map(it => it.name));
			const { servers } = parseServerConfig(written.text, folderSource('vscodeFolder', uri, folder));
			return {
				definitions: servers.filter(it => names.has(it.name)),
				renamed: written.renamed,
				reveal: () => openConfiguration({ uri: uri.toString(), offset: written.offset }),
				holds: ({ definition }) => definition.source.uri === uri.toString(),
			};
		},
	};
}

/** The editor writes its settings itself: with comments kept, and with Undo in their file. */
function userTarget(): ServerTarget {
	const { t } = vscode.l10n;
	const label = t('your settings');
	return {
		label,
		description: t('for every workspace'),
		write: async (additions, inputs) => {
			const before = JSON.stringify(userConfig());
			const result = addServers(before, additions, inputs, mcpJsonPlaces, '\n');
			const [first] = additions;
			if (result.kind === 'refused') {
				await openUserServer(result.why === 'taken' ? result.name : '');
				void vscode.window.showErrorMessage(describeRefusal(result, label));
				return undefined;
			}
			await writeUserConfig(JSON.parse(result.text) as UserConfig);
			const names = new Set(additions.map(it => it.name));
			return {
				definitions: parseServerConfig(result.text, userSource).servers.filter(it => names.has(it.name)),
				renamed: result.renamed,
				reveal: () => openUserServer(first?.name ?? ''),
				holds: ({ definition, name }) => definition.source.uri === userSource.uri && names.has(name),
			};
		},
	};
}

/**
 * Adds servers to a file and saves it. One that has mistakes is not touched: it is opened at the first, and says why.
 * @returns what the file says now, and where the first server stands in it
 */
async function writeFile(
	uri: vscode.Uri,
	label: string,
	places: ConfigPlaces,
	additions: readonly Addition[],
	inputs: readonly ServerInput[],
): Promise<Extract<ConfigEdit, { readonly kind: 'edited' }> | undefined> {
	const { t } = vscode.l10n;
	// An open document may show a file that has been deleted since: only what is unsaved in it still counts.
	await assertUnlinked(uri);
	const isOpen = vscode.workspace.textDocuments.some(it => it.isDirty && it.uri.toString() === uri.toString());
	const document = isOpen || (await exists(uri)) ? await openCurrent(uri) : undefined;
	const before = document?.getText() ?? '';
	const eol = document ? lineBreakOf(document) : '\n';
	const result = addServers(before, additions, inputs, places, eol);
	if (result.kind === 'refused') {
		await openConfiguration({ uri: uri.toString(), offset: result.offset });
		void vscode.window.showErrorMessage(describeRefusal(result, label));
		return undefined;
	}
	if (!document) {
		await createFile(uri, result.text);
	} else if (!(await saveAs(document, result.text))) {
		throw new Error(t('{0} could not be written.', label));
	}
	return result;
}

function describeRefusal(result: ConfigEdit & { readonly kind: 'refused' }, label: string): string {
	const { t } = vscode.l10n;
	switch (result.why) {
		case 'syntax':
			return t('Nothing was added: {0} is not valid JSON here. Mend it, then try again.', label);
		case 'shape':
			return t('Nothing was added: {0} has something else where its servers belong. Mend it, then try again.', label);
		case 'taken':
			return t('Nothing was added: {0} has a server "{1}" already.', label, notificationText(result.name));
	}
}

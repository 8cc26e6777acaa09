/** Where a new server can be written, and the writing: comments, formatting and Undo are kept. */
import * as vscode from 'vscode';
import {
	type Addition,
	addServers,
	type ConfigEdit,
	type ConfigPlaces,
	mcpJsonPlaces,
} from '../../model/configEdit.js';
import type { Server } from '../../model/server.js';
import type { ServerInput } from '../../model/serverInputs.js';
import { lineBreakOf, openCurrent, saveAs } from '../../host/fileEdit.js';
import { notificationText } from '../../host/plainText.js';
import { openConfiguration, openUserServer } from './openConfiguration.js';
import { configUri } from './configPlaces.js';

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
	/** Shows the first of them where it stands. */
	reveal(): Promise<void>;
	/** True for a server that is read from this place. */
	holds(server: Server): boolean;
}

/** Off until the person's own setting is read: `servers`, and `inputs` beside it. */
const offersUserSetting: boolean = false;

/** The places there are now; the first is the one to propose. */
export function serverTargets(): ServerTarget[] {
	const folders = vscode.workspace.workspaceFolders ?? [];
	return [
		...folders.map(folder => fileTarget(configUri(folder), '.vscode/mcp.json', folder.name, mcpJsonPlaces)),
		...(offersUserSetting ? [userTarget()] : []),
	];
}

function fileTarget(uri: vscode.Uri, label: string, description: string, places: ConfigPlaces): ServerTarget {
	return {
		label,
		description,
		write: async (additions, inputs) => {
			const offset = await writeFile(uri, label, places, additions, inputs);
			return offset === undefined
				? undefined
				: {
						reveal: () => openConfiguration({ uri: uri.toString(), offset }),
						holds: ({ definition }) => definition.source.uri === uri.toString(),
					};
		},
	};
}

function userTarget(): ServerTarget {
	const { t } = vscode.l10n;
	const settings = vscode.workspace.getConfiguration('mcpWorkbench');
	return {
		label: t('User Settings'),
		description: t('for every workspace'),
		write: async (additions, inputs) => {
			const there = settings.inspect<Record<string, unknown>>('servers')?.globalValue ?? {};
			const added = Object.fromEntries(additions.map(it => [it.name, it.entry]));
			if (inputs.length > 0) {
				const known = settings.inspect<unknown[]>('inputs')?.globalValue ?? [];
				await settings.update('inputs', [...known, ...inputs], vscode.ConfigurationTarget.Global);
			}
			await settings.update('servers', { ...there, ...added }, vscode.ConfigurationTarget.Global);
			return {
				reveal: () => openUserServer(additions[0]?.name ?? ''),
				holds: ({ name }) => Object.hasOwn(added, name),
			};
		},
	};
}

/**
 * Adds servers to a file and saves it. One that has mistakes is not touched: it is opened at the first, and says why.
 * @returns where the first server stands
 */
async function writeFile(
	uri: vscode.Uri,
	label: string,
	places: ConfigPlaces,
	additions: readonly Addition[],
	inputs: readonly ServerInput[],
): Promise<number | undefined> {
	const { t } = vscode.l10n;
	// An open document may show a file that has been deleted since: only what is unsaved in it still counts.
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
	if (!(await (document ? saveAs(document, result.text) : createFile(uri, result.text)))) {
		throw new Error(t('{0} could not be written.', label));
	}
	return result.offset;
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

async function createFile(uri: vscode.Uri, text: string): Promise<boolean> {
	const edit = new vscode.WorkspaceEdit();
	edit.createFile(uri, { contents: new TextEncoder().encode(text), ignoreIfExists: false });
	return vscode.workspace.applyEdit(edit);
}

async function exists(uri: vscode.Uri): Promise<boolean> {
	return vscode.workspace.fs.stat(uri).then(
		() => true,
		() => false,
	);
}

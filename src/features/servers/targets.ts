/** The places that new servers can be saved to, and the saving, which keeps comments, formatting and Undo. */
import * as vscode from 'vscode';
import { type Addition, addServers, type ConfigEdit } from '../../core/config/configEdit.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerInput } from '../../core/config/serverInputs.js';
import { type UserConfig, userConfig, writeUserConfig } from '../../editor/workspace/config.js';
import { createFile, lineBreakOf, openCurrent, saveAs } from '../../editor/documents/fileEdit.js';
import { assertUnlinked, exists } from '../../editor/documents/repositoryFiles.js';
import { openConfiguration, openUserServer } from './openConfiguration.js';
import { labelOfName } from '../../core/servers/serverLabels.js';
import { type OfferedPlace, offeredPlaces, userSource } from './configPlaces.js';

export interface ServerTarget extends OfferedPlace {
	/**
	 * Adds servers and saves the place. `undefined` if it has errors, which the person has been told.
	 * @throws if the place can't be written
	 */
	write(additions: readonly Addition[], inputs: readonly ServerInput[]): Promise<Written | undefined>;
}

/** Servers that have been saved. */
export interface Written {
	/** The URI of the place, under which values of its inputs are stored. */
	readonly source: string;
	/** New ids of inputs, by the ids that other inputs of the place already had. */
	readonly renamed: ReadonlyMap<string, string>;
	/** Opens the place at the first of them. */
	reveal(): Promise<void>;
	/** Whether a server is configured in this place. */
	holds(server: Server): boolean;
}

/** The places of this window; the first one is proposed. */
export function serverTargets(): ServerTarget[] {
	return offeredPlaces().map(place => (place.file ? fileTarget(place, place.file) : userTarget(place)));
}

function fileTarget(place: OfferedPlace, file: vscode.Uri): ServerTarget {
	const uri = file.toString();
	return {
		...place,
		write: async (additions, inputs) => {
			const written = await writeFile(file, place, additions, inputs);
			if (!written) {
				return undefined;
			}
			return {
				source: uri,
				renamed: written.renamed,
				reveal: () => openConfiguration({ uri, offset: written.offset }),
				holds: ({ definition }) => definition.source.uri === uri,
			};
		},
	};
}

/** Uses the editor's API, which keeps Undo and the comments outside this setting. */
function userTarget(place: OfferedPlace): ServerTarget {
	return {
		...place,
		write: async (additions, inputs) => {
			const before = JSON.stringify(userConfig());
			const result = addServers(before, additions, inputs, 'userSettings', '\n');
			const [first] = additions;
			if (result.kind === 'refused') {
				await openUserServer(result.why === 'taken' ? result.name : '');
				void vscode.window.showErrorMessage(describeRefusal(result, place.label));
				return undefined;
			}
			await writeUserConfig(JSON.parse(result.text) as UserConfig);
			const names = new Set(additions.map(it => it.name));
			return {
				source: userSource.uri,
				renamed: result.renamed,
				reveal: () => openUserServer(first?.name ?? ''),
				holds: ({ definition, name }) => definition.source.uri === userSource.uri && names.has(name),
			};
		},
	};
}

/** Adds servers to a file and saves it. If the file has errors, opens it at the first one, tells the person, and gives `undefined`. */
async function writeFile(
	uri: vscode.Uri,
	{ source, label }: OfferedPlace,
	additions: readonly Addition[],
	inputs: readonly ServerInput[],
): Promise<Extract<ConfigEdit, { readonly kind: 'edited' }> | undefined> {
	const { t } = vscode.l10n;
	// An open document without unsaved changes may show a file that has been deleted.
	await assertUnlinked(uri);
	const isOpen = vscode.workspace.textDocuments.some(it => it.isDirty && it.uri.toString() === uri.toString());
	const document = isOpen || (await exists(uri)) ? await openCurrent(uri) : undefined;
	const eol = document ? lineBreakOf(document) : '\n';
	const result = addServers(document?.getText() ?? '', additions, inputs, source.kind, eol);
	if (result.kind === 'refused') {
		await openConfiguration({ uri: uri.toString(), offset: result.offset });
		void vscode.window.showErrorMessage(describeRefusal(result, label));
		return undefined;
	}
	if (!document) {
		await createFile(uri, result.text);
	} else if (!(await saveAs(document, result.text))) {
		throw new Error(t("Can't write {0}.", label));
	}
	return result;
}

function describeRefusal(result: ConfigEdit & { readonly kind: 'refused' }, label: string): string {
	const { t } = vscode.l10n;
	switch (result.why) {
		case 'syntax':
			return t("Can't add servers because {0} isn't valid JSON. Fix the file, then try again.", label);
		case 'shape':
			return t(
				"Can't add servers because the servers section of {0} has an unexpected value. Fix the value, then try again.",
				label,
			);
		case 'taken':
			return t('Can\'t add servers because {0} already has a server named "{1}".', label, labelOfName(result.name));
	}
}

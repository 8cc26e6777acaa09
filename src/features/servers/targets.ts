/** The places that new servers can be saved to, and the saving, which keeps comments, formatting and Undo. */
import * as vscode from 'vscode';
import { type Addition, addServers, type ConfigEdit } from '../../core/config/configEdit.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerInput } from '../../core/config/serverInputs.js';
import { type UserConfig, userConfig, writeUserConfig } from '../../editor/workspace/config.js';
import { lineBreakOf, openIfExists, saveAll } from '../../editor/documents/fileEdit.js';
import { openConfiguration, openUserServer } from './openConfiguration.js';
import { labelOfName } from '../../core/servers/serverLabels.js';
import { type OfferedPlace, offeredPlaces, userSource } from './configPlaces.js';

export interface ServerTarget extends OfferedPlace {
	/**
	 * Adds servers and saves the place.
	 * @throws Error in the person's language if the place can't be written or has errors; it was then opened at the error
	 */
	write(additions: readonly Addition[], inputs: readonly ServerInput[]): Promise<Written>;
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
	const { label, source } = place;
	const uri = file.toString();
	return {
		...place,
		write: async (additions, inputs) => {
			const document = await openIfExists(file);
			const eol = document ? lineBreakOf(document) : '\n';
			const result = addServers(document?.getText() ?? '', additions, inputs, source.kind, eol);
			if (result.kind === 'refused') {
				await openConfiguration({ uri, offset: result.offset });
				throw new Error(describeRefusal(result, label));
			}
			if (!(await saveAll([[document ?? file, result.text]]))) {
				throw new Error(vscode.l10n.t("Can't write {0}.", label));
			}
			return {
				source: uri,
				renamed: result.renamed,
				reveal: () => openConfiguration({ uri, offset: result.offset }),
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
				throw new Error(describeRefusal(result, place.label));
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

/** @param label the place that can't be changed */
export function describeRefusal(result: ConfigEdit & { readonly kind: 'refused' }, label: string): string {
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

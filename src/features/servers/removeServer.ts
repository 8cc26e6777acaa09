/** "Remove Server": takes a server out of the place that configures it. Comments, formatting and Undo are kept. */
import * as vscode from 'vscode';
import { hasDemo, type UserConfig, userConfig, writeUserConfig } from '../../host/config.js';
import { describeSource } from '../../host/configWords.js';
import { Commands } from '../../host/contributions.js';
import { openCurrent, saveAs } from '../../host/fileEdit.js';
import { notificationText } from '../../host/plainText.js';
import { closeHeldInput } from '../../host/quickInput.js';
import { isObject } from '../../mcp/index.js';
import { removeMember } from '../../model/configEdit.js';
import type { Server } from '../../model/server.js';
import { parseServerConfig } from '../../model/serverConfig.js';
import type { ServerDefinition } from '../../model/serverDefinition.js';
import { canStop } from '../../model/serverState.js';
import { demoName } from './configPlaces.js';
import { openDefinition } from './openConfiguration.js';

/** Puts it back; false if the place has changed since. */
type Undo = () => Promise<boolean>;

/** @param label what the person knows the server by */
export async function removeServer(server: Server, label: string): Promise<void> {
	const { t } = vscode.l10n;
	const { definition } = server;
	const name = notificationText(label);
	const place = notificationText(describeSource(definition.source));
	if (isDemo(definition)) {
		await vscode.commands.executeCommand(Commands.removeDemo);
		return;
	}
	closeHeldInput();
	const remove = t('Remove');
	const question = t('Remove "{0}" from {1}?', name, place);
	if ((await vscode.window.showWarningMessage(question, { modal: true }, remove)) !== remove) {
		return;
	}
	if (canStop(server.state)) {
		await server.stop();
	}
	const undo = await (definition.source.kind === 'userSettings' ? removeOwn(definition) : removeFromFile(definition));
	void offerUndo(t('Removed "{0}" from {1}.', name, place), undo, place);
}

/** Not awaited by the command: the message may stand there for long. */
async function offerUndo(message: string, undo: Undo, place: string): Promise<void> {
	const { t } = vscode.l10n;
	const again = t('Undo');
	if ((await vscode.window.showInformationMessage(message, again)) === again && !(await undo())) {
		void vscode.window.showErrorMessage(t('Nothing was undone: {0} has changed since.', place));
	}
}

/** The demo server stands in no file: a setting says that it is wanted. */
function isDemo({ name, source }: ServerDefinition): boolean {
	const { servers } = userConfig();
	return (
		source.kind === 'userSettings' &&
		name === demoName &&
		hasDemo() &&
		!(isObject(servers) && Object.hasOwn(servers, demoName))
	);
}

async function removeFromFile(definition: ServerDefinition): Promise<Undo> {
	const { t } = vscode.l10n;
	const { source, name } = definition;
	const uri = vscode.Uri.parse(source.uri);
	if (uri.scheme === 'untitled') {
		throw new Error(t('Save the workspace first: its servers are not in a file yet.'));
	}
	const document = await openCurrent(uri);
	const before = document.getText();
	const placed = parseServerConfig(before, source).servers.find(it => it.name === name);
	const after = placed && removeMember(before, placed.offset);
	if (after === undefined) {
		await openDefinition(definition);
		throw new Error(t('Nothing was changed: the configuration has a mistake, or no such server any more.'));
	}
	if (!(await saveAs(document, after))) {
		throw new Error(t('The configuration could not be written.'));
	}
	return async () => {
		const current = await openCurrent(uri);
		return current.getText() === after && saveAs(current, before);
	};
}

/** The editor writes its settings itself. */
async function removeOwn({ name }: ServerDefinition): Promise<Undo> {
	const before = userConfig();
	const servers = Object.entries(isObject(before.servers) ? before.servers : {}).filter(([key]) => key !== name);
	const after: UserConfig = { inputs: before.inputs, servers: Object.fromEntries(servers) };
	await writeUserConfig(after);
	return async () => {
		const isUnchanged = JSON.stringify(userConfig()) === JSON.stringify(after);
		if (isUnchanged) {
			await writeUserConfig(before);
		}
		return isUnchanged;
	};
}

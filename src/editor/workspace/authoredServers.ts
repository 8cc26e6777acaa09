/** Finds out whether the person writes a server: it has `dev.watch`, or its program is a file of this workspace. */
import * as vscode from 'vscode';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { Environment } from '../../core/launch/environment.js';
import { fillIn } from '../../core/launch/launchSnapshot.js';
import { describePlace, lookUpVariables, resolvePath, toUri } from './variables.js';

/** Names of source files and built programs. */
const script = /\.([cm]?[jt]sx?|py|rb|php|pl|lua|jl|exs?|go|rs|dart|swift|jar|java|kts?|csx?|csproj|dll|sh|ps1)$/i;
/** Folders of a workspace for installed programs, which the person didn't write. */
const installed = /\/(node_modules|site-packages|\.?venv)\//;

export async function isAuthoredHere(definition: ServerDefinition, environment: Environment): Promise<boolean> {
	const { launch, source, watch } = definition;
	if (watch || launch.kind !== 'stdio') {
		return watch !== undefined;
	}
	const variables = lookUpVariables(definition, environment);
	const folder = vscode.Uri.file(describePlace(definition, launch, environment).folder);
	const isOwn = async (text: string): Promise<boolean> => {
		try {
			const path = fillIn(text, { variables }, () => undefined);
			const file = toUri(resolvePath(path, source, environment, folder));
			const isInWorkspace = vscode.workspace.getWorkspaceFolder(file) && !installed.test(file.path);
			return isInWorkspace ? ((await vscode.workspace.fs.stat(file)).type & vscode.FileType.File) !== 0 : false;
		} catch {
			return false;
		}
	};
	// A command that isn't a path is searched for in the PATH.
	const texts = [launch.command, launch.args.find(it => script.test(it)) ?? ''];
	return (await Promise.all(texts.filter((it, at) => at === 1 || /[\\/]/.test(it)).map(isOwn))).includes(true);
}

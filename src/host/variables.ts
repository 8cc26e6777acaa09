/** What `${…}` means in a server's configuration, and the process that comes of it. */
import * as vscode from 'vscode';
import type { Environment } from '../model/environment.js';
import type { ServerDefinition, StdioDefinition } from '../model/serverConfig.js';
import { substitute } from '../model/variables.js';

/** A process ready to be started. */
export interface ResolvedLaunch {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
}

/**
 * Fills in the variables; the process starts in its workspace folder unless it says otherwise.
 * @throws UnresolvedVariableError if a variable has no value
 */
export function resolveLaunch(
	{ source }: ServerDefinition,
	launch: StdioDefinition,
	environment: Environment,
): ResolvedLaunch {
	const folder = vscode.Uri.parse(source.folderUri).fsPath;
	const fill = (text: string): string =>
		substitute(text, variable => {
			const [, kind = variable, name] = /^(\w+):(.*)$/.exec(variable) ?? [];
			switch (kind) {
				case 'workspaceFolder':
					return name === undefined ? folder : folderNamed(name);
				case 'userHome':
					return environment.home;
				case 'env':
					// VS Code's rule: a variable that is not set is empty.
					return name === undefined ? undefined : (environment.get(name) ?? '');
				default:
					return undefined;
			}
		});
	const env = environment.inherited();
	for (const [name, value] of Object.entries(launch.env)) {
		if (value === null) {
			delete env[name];
		} else {
			env[name] = fill(value);
		}
	}
	return {
		command: fill(launch.command),
		args: launch.args.map(fill),
		cwd: launch.cwd === undefined ? folder : fill(launch.cwd),
		env,
	};
}

function folderNamed(name: string): string | undefined {
	return vscode.workspace.workspaceFolders?.find(it => it.name === name)?.uri.fsPath;
}

/** Describes the places where servers are configured, and mistakes there. */
import { tryDecodeUri } from '../../base/percentText.js';
import * as vscode from 'vscode';
import type { ConfigProblem, ConfigType } from '../../core/config/configProblem.js';
import { knownVariables, nearestVariable } from '../../core/config/variables.js';
import type { ConfigSource } from '../../core/config/serverDefinition.js';
import type { SettingPlace } from '../../core/config/serverOptions.js';
import { fullName, labelOfName } from '../../core/servers/serverLabels.js';
import { oneLine } from '../ui/plainText.js';
import { chooseText } from './chooseText.js';

const { t } = vscode.l10n;

/** A mistake in the configuration of servers and how to fix it, for a diagnostic. */
export function describeConfigProblem(problem: ConfigProblem): string {
	return chooseText(problem, {
		syntax: ({ error }) => t('Not valid JSON ({0}). Servers may be missing or outdated until you fix the file.', error),
		tooDeep: ({ limit }) =>
			t("The servers in this file can't be read because it's nested more than {0} levels deep.", limit),
		tooLong: ({ limit }) => t("The servers in this file can't be read because it has more than {0} characters.", limit),
		tooLarge: ({ limit }) => t("The servers in this file can't be read because it has more than {0} bytes.", limit),
		notRegular: () => t("The servers in this file can't be read because it isn't a regular file."),
		unreadable: ({ error }) => t("The servers in this file can't be read: {0}.", oneLine(error)),
		wrongType: ({ key, expected }) => describeWrongType(oneLine(key), expected),
		missing: ({ key, server }) =>
			key === 'command'
				? t('Server "{0}" has neither a "command" nor a "url". Add one of them.', labelOfName(server))
				: t('Server "{0}" has no "url". Add one.', labelOfName(server)),
		unknownTransport: ({ value }) => t('Unknown type "{0}". Use "stdio", "http", or "sse".', oneLine(value)),
		duplicate: ({ server }) =>
			t(
				'Server "{0}" is already defined above, so this definition is ignored. Rename or remove it.',
				labelOfName(server),
			),
		wrongKey: ({ found, expected }) =>
			t('Servers under "{0}" are ignored. In this file, put them under "{1}".', found, expected),
		unknownVariable: ({ variable }) => describeUnknownVariable(variable),
		shadowed: ({ server, by }) =>
			t(
				'Server "{0}" isn\'t used because a server with the same name in {1} comes first. Rename one to use both.',
				labelOfName(server),
				describeSource(by),
			),
		unknownDebugger: ({ value }) => t('Unknown debugger "{0}". Use "node" or "debugpy".', oneLine(value)),
		cannotDebug: ({ command, type }) =>
			command === undefined
				? t('Only servers with a "command" can be debugged. Remove "debug".')
				: t(
						'"{0}" can\'t be debugged. Start the server with "{1}", or remove "debug".',
						oneLine(command),
						type === 'node' ? 'node' : 'python',
					),
		missingInInput: ({ input, key }) =>
			input === undefined ? t('This input has no "{0}".', key) : t('Input "{0}" has no "{1}".', oneLine(input), key),
		unknownInputType: ({ value }) =>
			t('Unknown type "{0}". Use "promptString", "pickString", or "command".', oneLine(value)),
		undefinedInput: ({ input }) => t('This file defines no input "{0}", so the server can\'t start.', oneLine(input)),
		duplicateInput: ({ input }) =>
			t('Input "{0}" is already defined above, so this definition is ignored.', oneLine(input)),
	});
}

function describeUnknownVariable(variable: string): string {
	const nearest = nearestVariable(variable);
	const written = `\${${oneLine(variable)}}`;
	return nearest === undefined
		? t(
				"The variable {0} is unknown, so the server can't start. Known variables: {1}.",
				written,
				knownVariables.join(', '),
			)
		: t(
				"The variable {0} is unknown, so the server can't start. Did you mean {1}?",
				written,
				`\${${oneLine(nearest)}}`,
			);
}

/** Where a server is configured: the name of a file or of the settings, alone or within a sentence. */
export function describeSource(source: ConfigSource): string {
	return chooseText(source, {
		vscodeFolder: ({ folderName }) => t('{0} in folder "{1}"', '.vscode/mcp.json', fullName(folderName)),
		projectRoot: ({ folderName }) => t('{0} in folder "{1}"', '.mcp.json', fullName(folderName)),
		workspaceFile: ({ uri }) => oneLine(fileNameOf(uri)),
		userSettings: () => t('User Settings'),
	});
}

/** The name of the file with the settings of a place. @param folderName the folder of the server that the settings are for */
export function describeSettingPlace(place: SettingPlace, folderName = ''): string {
	const file = '.vscode/settings.json';
	const { workspaceFile } = vscode.workspace;
	return {
		user: t('User Settings'),
		workspace: workspaceFile ? oneLine(fileNameOf(workspaceFile.path)) : file,
		folder: t('{0} in folder "{1}"', file, fullName(folderName)),
	}[place];
}

/** Says that configuration of the remote machine is used; `undefined` if there is only the local one. */
export function describeRemoteSide(remoteName = vscode.env.remoteName): string | undefined {
	return remoteName === undefined
		? undefined
		: t(
				"Read and started on the remote machine ({0}). The configuration on your local computer isn't used.",
				remoteName,
			);
}

function describeWrongType(key: string, type: ConfigType): string {
	return {
		object: t('"{0}" must be an object.', key),
		array: t('"{0}" must be an array.', key),
		string: t('"{0}" must be a string.', key),
		boolean: t('"{0}" must be true or false.', key),
		'array of strings': t('"{0}" must be an array of strings.', key),
		'string or strings': t('"{0}" must be a string or an array of strings.', key),
		'object of strings': t('"{0}" must be an object whose values are strings.', key),
		options: t('"{0}" must be a non-empty array of strings or of objects with "label" and "value".', key),
	}[type];
}

function fileNameOf(uri: string): string {
	const name = uri.slice(uri.lastIndexOf('/') + 1);
	return tryDecodeUri(name) ?? name;
}

/** Words for where servers are configured, and for what is wrong there. */
import { tryDecodeUri } from '../../base/percentText.js';
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import type { InputValueType } from '../../core/config/inputs.js';
import { knownVariables, nearestVariable } from '../../core/config/knownVariables.js';
import type { ConfigProblem, ConfigType } from '../../core/config/serverConfig.js';
import type { ConfigSource } from '../../core/config/serverDefinition.js';
import { oneLine } from '../ui/plainText.js';

const { t } = vscode.l10n;

/** A mistake in what is configured, for a diagnostic: what is wrong, and what to do. */
export function describeConfigProblem(problem: ConfigProblem): string {
	switch (problem.code) {
		case 'syntax':
			return t('Not valid JSON ({0}). Until it is, servers may be missing or as they were before.', problem.error);
		case 'tooDeep':
			return t("The servers in this file can't be read: it is nested more than {0} levels deep.", problem.limit);
		case 'tooLong':
			return t("The servers in this file can't be read: it has more than {0} characters.", problem.limit);
		case 'tooLarge':
			return t("The servers in this file can't be read: it has more than {0} bytes.", problem.limit);
		case 'notRegular':
			return t("The servers in this file can't be read: it isn't a regular file.");
		case 'unreadable':
			return t("The servers in this file can't be read: {0}.", oneLine(problem.error));
		case 'wrongType':
			return t('"{0}" must be {1}.', oneLine(problem.key), describeType(problem.expected));
		case 'missing':
			return problem.key === 'command'
				? t('Server "{0}" has no "command" to start and no "url" to connect to: add one.', oneLine(problem.server))
				: t('Server "{0}" has no "url" to connect to: add it.', oneLine(problem.server));
		case 'unknownTransport':
			return t('Unknown type "{0}": must be "stdio", "http" or "sse".', oneLine(problem.value));
		case 'duplicate':
			return t('Server "{0}" is defined above; this one is ignored. Rename or remove it.', oneLine(problem.server));
		case 'wrongKey':
			return t('No server below "{0}" is read: this file calls them "{1}".', problem.found, problem.expected);
		case 'unknownVariable':
			return describeUnknownVariable(problem.variable);
		case 'missingCommand':
			return t('There is no file {0}: the server cannot start. Correct the path.', oneLine(problem.command));
		case 'shadowed':
			return t(
				'Server "{0}" is not used: {1} configures one of the same name and comes first. Rename one to use both.',
				oneLine(problem.server),
				describeSource(problem.by),
			);
		case 'unknownDebugger':
			return t('Unknown debugger "{0}": must be "node" or "debugpy".', oneLine(problem.value));
		case 'cannotDebug':
			return problem.command === undefined
				? t('Only a server that is started with a "command" can be debugged: remove "debug".')
				: t(
						'"{0}" cannot be debugged, only "{1}" can: start the server with it, or remove "debug".',
						oneLine(problem.command),
						problem.type === 'node' ? 'node' : 'python',
					);
		case 'wrongInput':
			return t('"{0}" must be {1}.', oneLine(problem.key), describeInputType(problem.expected));
		case 'missingInInput':
			return problem.input === undefined
				? t('This input has no "{0}".', problem.key)
				: t('Input "{0}" has no "{1}".', oneLine(problem.input), problem.key);
		case 'unknownInputType':
			return t('Unknown type "{0}": must be "promptString", "pickString" or "command".', oneLine(problem.value));
		case 'undefinedInput':
			return t('This file defines no input "{0}": the server cannot start.', oneLine(problem.input));
		case 'duplicateInput':
			return t('Input "{0}" is defined above; this definition is ignored.', oneLine(problem.input));
		default:
			return assertNever(problem);
	}
}

function describeUnknownVariable(variable: string): string {
	const nearest = nearestVariable(variable);
	const written = `\${${oneLine(variable)}}`;
	return nearest === undefined
		? t('Unknown variable {0}: the server cannot start. Known are {1}.', written, knownVariables.join(', '))
		: t('Unknown variable {0}: the server cannot start. Did you mean {1}?', written, `\${${oneLine(nearest)}}`);
}

/** Where a server is configured: the words for a file or the settings. */
export function describeSource(source: ConfigSource): string {
	switch (source.kind) {
		case 'vscodeFolder':
			return t('{0} of folder "{1}"', '.vscode/mcp.json', oneLine(source.folderName));
		case 'projectRoot':
			return t('{0} of folder "{1}"', '.mcp.json', oneLine(source.folderName));
		case 'workspaceFile':
			return t('the workspace file {0}', oneLine(fileNameOf(source.uri)));
		case 'userSettings':
			return t('your settings');
		default:
			return assertNever(source);
	}
}

/** Which machine's files and settings are looked at; nothing to say where there is only one. */
export function describeSide(remoteName = vscode.env.remoteName): string | undefined {
	return remoteName === undefined
		? undefined
		: t("Read and started on the remote side ({0}). Configuration on your local computer isn't used.", remoteName);
}

function describeInputType(type: InputValueType): string {
	switch (type) {
		case 'object':
			return t('an object');
		case 'array':
			return t('an array');
		case 'string':
			return t('a string');
		case 'boolean':
			return t('true or false');
		case 'options':
			return t('an array of strings or of objects with "label" and "value", with one at least');
		default:
			return assertNever(type);
	}
}

function describeType(type: ConfigType): string {
	switch (type) {
		case 'object':
			return t('an object');
		case 'string':
			return t('a string');
		case 'array of strings':
			return t('an array of strings');
		case 'string or strings':
			return t('a string or an array of strings');
		case 'object of strings':
			return t('an object whose values are strings');
		default:
			return assertNever(type);
	}
}

function fileNameOf(uri: string): string {
	const name = uri.slice(uri.lastIndexOf('/') + 1);
	return tryDecodeUri(name) ?? name;
}

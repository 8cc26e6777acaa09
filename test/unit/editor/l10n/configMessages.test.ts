import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { describeConfigProblem } from '../../../../src/editor/l10n/configWords.js';
import { parseServerConfig } from '../../../../src/core/config/serverConfig.js';
import { projectRoot } from '../../../host/paths.js';

const folder = path.join(projectRoot, 'test', 'fixtures', 'configs');
const uri = 'file:///w/.vscode/mcp.json';
const source = { kind: 'vscodeFolder', uri, folderUri: 'file:///w', folderName: 'w' } as const;

describe('a broken configuration says what to do', () => {
	const table: Readonly<Record<string, readonly string[]>> = {
		'argsAsLine.json': ['"args" must be an array of strings.'],
		'commandAsList.json': [
			'"command" must be a string.',
			'Server "whole" has neither a "command" nor a "url". Add one of them.',
		],
		'duplicate.json': ['Server "twice" is already defined above, so this definition is ignored. Rename or remove it.'],
		'environmentOfOtherTypes.json': ['"env" must be an object whose values are strings.'],
		'halfTyped.json': ['Not valid JSON (ValueExpected). Servers may be missing or outdated until you fix the file.'],
		'listOfServers.json': ['"servers" must be an object.'],
		'noAddress.json': ['Server "remote" has no "url". Add one.'],
		'notJson.json': ['Not valid JSON (InvalidSymbol). Servers may be missing or outdated until you fix the file.'],
		'nothingToStart.json': ['Server "empty" has neither a "command" nor a "url". Add one of them.'],
		'otherClientsKey.json': ['Servers under "context_servers" are ignored. In this file, put them under "servers".'],
		'undefinedInput.json': [
			'Unknown type "no such type". Use "promptString", "pickString", or "command".',
			'This file defines no input "key", so the server can\'t start.',
		],
		'unknownType.json': ['Unknown type "websocket". Use "stdio", "http", or "sse".'],
		'unknownVariable.json': [
			"The variable ${workspaceRoot} is unknown, so the server can't start. Did you mean ${workspaceFolder}?",
			"The variable ${nothing:here} is unknown, so the server can't start. Known variables: workspaceFolder, workspaceFolder:name, workspaceFolderBasename, workspaceFolderBasename:name, userHome, env:NAME, config:setting, input:id, pathSeparator, /.",
		],
	};

	for (const [file, messages] of Object.entries(table)) {
		it(file, () => {
			const { problems } = parseServerConfig(fs.readFileSync(path.join(folder, file), 'utf8'), source);
			assert.deepEqual(problems.map(describeConfigProblem), messages);
		});
	}
});

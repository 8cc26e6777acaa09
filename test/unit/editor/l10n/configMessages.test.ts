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
			'Server "whole" has no "command" to start and no "url" to connect to: add one.',
		],
		'duplicate.json': ['Server "twice" is defined above; this one is ignored. Rename or remove it.'],
		'environmentOfOtherTypes.json': ['"env" must be an object whose values are strings.'],
		'halfTyped.json': ['Not valid JSON (ValueExpected). Until it is, servers may be missing or as they were before.'],
		'listOfServers.json': ['"servers" must be an object.'],
		'noAddress.json': ['Server "remote" has no "url" to connect to: add it.'],
		'notJson.json': ['Not valid JSON (InvalidSymbol). Until it is, servers may be missing or as they were before.'],
		'nothingToStart.json': ['Server "empty" has no "command" to start and no "url" to connect to: add one.'],
		'otherClientsKey.json': ['No server below "mcpServers" is read: this file calls them "servers".'],
		'undefinedInput.json': [
			'Unknown type "no such type": must be "promptString", "pickString" or "command".',
			'This file defines no input "key": the server cannot start.',
		],
		'unknownType.json': ['Unknown type "websocket": must be "stdio", "http" or "sse".'],
		'unknownVariable.json': [
			'Unknown variable ${workspaceRoot}: the server cannot start. Did you mean ${workspaceFolder}?',
			'Unknown variable ${nothing:here}: the server cannot start. Known are workspaceFolder, workspaceFolder:name, userHome, env:NAME, config:setting, input:id.',
		],
	};

	it('has a message for every fixture', () => {
		assert.deepEqual(fs.readdirSync(folder).toSorted(), Object.keys(table));
	});

	for (const [file, messages] of Object.entries(table)) {
		it(file, () => {
			const { problems } = parseServerConfig(fs.readFileSync(path.join(folder, file), 'utf8'), source);
			assert.deepEqual(problems.map(describeConfigProblem), messages);
		});
	}
});

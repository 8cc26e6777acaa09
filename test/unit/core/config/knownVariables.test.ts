import * as assert from 'node:assert/strict';
import {
	fromPlainVariables,
	isKnownVariable,
	knownVariables,
	nearestTransport,
	nearestVariable,
} from '../../../../src/core/config/knownVariables.js';

describe('variables that are known', () => {
	it('are these, for messages', () => {
		assert.equal(
			knownVariables.join(' '),
			'workspaceFolder workspaceFolder:name userHome env:NAME config:setting input:id',
		);
	});
	for (const variable of [...knownVariables, 'env:A:-b', 'workspaceFolder:my folder', 'input:a:b']) {
		it(`\${${variable}}`, () => assert.equal(isKnownVariable(variable), true));
	}
	for (const variable of [
		'',
		'foo',
		'env',
		'env:',
		'Env:X',
		'workspaceFolders',
		'userHome:x',
		'nothing:here',
		' userHome',
	]) {
		it(`not \${${variable}}`, () => assert.equal(isKnownVariable(variable), false));
	}
});

describe('what an unknown variable comes nearest to', () => {
	const table: readonly (readonly [variable: string, nearest: string | undefined])[] = [
		['workspaceFoldr', 'workspaceFolder'],
		['workspacefolder', 'workspaceFolder'],
		['workspaceRoot', 'workspaceFolder'],
		['workspaceFolders', 'workspaceFolder'],
		['cwd', 'workspaceFolder'],
		['userhome', 'userHome'],
		['home', 'userHome'],
		['HOME', 'userHome'],
		['API_KEY', 'env:API_KEY'],
		['foo', 'env:foo'],
		['Env:KEY', 'env:KEY'],
		['env.KEY', 'env:KEY'],
		['environment:KEY', 'env:KEY'],
		['inputs:key', 'input:key'],
		['settings:a.b', 'config:a.b'],
		['workspaceRoot:lib', 'workspaceFolder:lib'],
		['workspaceFolderPath', 'workspaceFolder'],
		['workspace', 'workspaceFolder'],
		['PROJECTROOT', 'workspaceFolder'],
		['homeDir', 'userHome'],
		['USERPROFILE', 'userHome'],
		['prompt:key', 'input:key'],
		['setting:a', 'config:a'],
		['enw:KEY', undefined],
		['home:x', undefined],
		[' env:x', undefined],
		['nothing:here', undefined],
		['command:pick', undefined],
		['a b', undefined],
		['', undefined],
		['constructor', 'env:constructor'],
		['__proto__:x', undefined],
	];
	for (const [variable, nearest] of table) {
		it(`\${${variable}} → ${nearest ?? 'none'}`, () => {
			assert.equal(nearestVariable(variable), nearest);
			assert.ok(nearest === undefined || isKnownVariable(nearest));
		});
	}
});

describe('variables of .mcp.json', () => {
	const table: readonly (readonly [text: string, meant: string])[] = [
		['nothing', 'nothing'],
		['${KEY}', '${env:KEY}'],
		['a${A}b${_b2}c', 'a${env:A}b${env:_b2}c'],
		['${URL:-https://a.b/c?d=e:f}', '${env:URL:-https://a.b/c?d=e:f}'],
		['${EMPTY:-}', '${env:EMPTY:-}'],
		['${workspaceFolder}/x', '${workspaceFolder}/x'],
		['${userHome}', '${userHome}'],
		['${env:KEY}', '${env:KEY}'],
		['${input:key}', '${input:key}'],
		['$KEY ${} ${a b} ${2} ${a-b}', '$KEY ${} ${a b} ${2} ${a-b}'],
	];
	for (const [text, meant] of table) {
		it(`${text} → ${meant}`, () => {
			assert.equal(fromPlainVariables(text), meant);
			assert.equal(fromPlainVariables(meant), meant);
		});
	}
});

it('what a type comes nearest to', () => {
	const types = ['HTTPS', 'websocket', 'ws', 'streaming', 'http+sse', 'SSE2', 'command', 'node', ''];
	assert.deepEqual(types.map(nearestTransport), [
		'http',
		'http',
		'http',
		'http',
		'sse',
		'sse',
		'stdio',
		'stdio',
		'stdio',
	]);
});

import * as assert from 'node:assert/strict';
import {
	fromPlainVariables,
	knownVariables,
	nearestVariable,
	parseVariable,
} from '../../../../src/core/config/variables.js';

describe('variables that are known', () => {
	it('are these, for messages', () => {
		assert.equal(
			knownVariables.join(' '),
			'workspaceFolder workspaceFolder:name workspaceFolderBasename workspaceFolderBasename:name userHome env:NAME config:setting input:id pathSeparator /',
		);
	});
	for (const variable of [...knownVariables, 'env:A:-b', 'workspaceFolder:my folder', 'input:a:b']) {
		it(`\${${variable}}`, () => assert.ok(parseVariable(variable)));
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
		it(`not \${${variable}}`, () => assert.equal(parseVariable(variable), undefined));
	}
});

describe('what an unknown variable comes nearest to', () => {
	const table: readonly (readonly [variable: string, nearest: string | undefined])[] = [
		['workspaceFoldr', 'workspaceFolder'],
		['workspaceRoot', 'workspaceFolder'],
		['cwd', 'workspaceFolder'],
		['PROJECTROOT', 'workspaceFolder'],
		['userhome', 'userHome'],
		['HOME', 'userHome'],
		['homeDir', 'userHome'],
		['API_KEY', 'env:API_KEY'],
		['env.KEY', 'env:KEY'],
		['Env:KEY', 'env:KEY'],
		['constructor', 'env:constructor'],
		['enw:KEY', undefined],
		['nothing:here', undefined],
		['a b', undefined],
		['', undefined],
	];
	for (const [variable, nearest] of table) {
		it(`\${${variable}} → ${nearest ?? 'none'}`, () => {
			assert.equal(nearestVariable(variable), nearest);
			assert.ok(nearest === undefined || parseVariable(nearest));
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
		['${workspaceFolderBasename}${/}${pathSeparator}', '${workspaceFolderBasename}${/}${pathSeparator}'],
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

import * as assert from 'node:assert/strict';
import {
	fromPlainVariables,
	knownVariables,
	nearestVariable,
	parseVariable,
	toPlainVariables,
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
			assert.equal(fromPlainVariables(text, new Set()), meant);
			assert.equal(fromPlainVariables(meant, new Set()), meant);
		});
	}

	it('are inputs where the file describes them', () => {
		const inputs = new Set(['KEY', 'my-key']);
		const text = '${KEY} ${KEY:-x} ${OTHER} ${my-key}';
		assert.equal(fromPlainVariables(text, inputs), '${input:KEY} ${input:KEY} ${env:OTHER} ${my-key}');
	});

	const written: readonly (readonly [text: string, written: string])[] = [
		['${env:OTHER} ${env:OTHER:-a}', '${OTHER} ${OTHER:-a}'],
		['${input:KEY}', '${KEY}'],
		['${env:KEY} ${input:my-key} ${input:OTHER} ${env:a-b}', '${env:KEY} ${input:my-key} ${input:OTHER} ${env:a-b}'],
		['${env:userHome} ${workspaceFolder}', '${env:userHome} ${workspaceFolder}'],
	];
	for (const [text, plain] of written) {
		it(`${text} is written as ${plain}`, () => {
			const inputs = new Set(['KEY', 'my-key']);
			assert.equal(toPlainVariables(text, inputs), plain);
			assert.equal(fromPlainVariables(plain, inputs), text);
		});
	}
});

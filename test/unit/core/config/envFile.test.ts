import * as assert from 'node:assert/strict';
import { parseEnv } from 'node:util';
import { EnvFileError, parseEnvFile } from '../../../../src/core/config/envFile.js';

describe('parseEnvFile', () => {
	const table: Readonly<Record<string, Record<string, string>>> = {
		'': {},
		'\n\n': {},
		'# a comment\n  # another': {},
		'A=1': { A: '1' },
		'A=1\nB=2\n': { A: '1', B: '2' },
		'A=1\r\nB=2\r\n': { A: '1', B: '2' },
		'A=1\n\n# c\n  B=2': { A: '1', B: '2' },
		'A=': { A: '' },
		'A=\nB=2': { A: '', B: '2' },
		'A = with spaces  ': { A: 'with spaces' },
		'A=1 # comment': { A: '1' },
		'export A=1': { A: '1' },
		'A="1 # no comment"': { A: '1 # no comment' },
		"A='1' # comment": { A: '1' },
		'A=`a "b" \'c\'`': { A: 'a "b" \'c\'' },
		'A=""': { A: '' },
		'A="a\\nb"': { A: 'a\nb' },
		"A='a\\nb'": { A: 'a\\nb' },
		'KEY="-----BEGIN\nabc=\n-----END"\nB=2': { KEY: '-----BEGIN\nabc=\n-----END', B: '2' },
		"A='a\nb'": { A: 'a\nb' },
		'A=b=c': { A: 'b=c' },
		'A=it\'s "fine"': { A: 'it\'s "fine"' },
		'A=${B}$C': { A: '${B}$C' },
		'A=1\nA=2': { A: '2' },
		'A_1.b-c=x': { 'A_1.b-c': 'x' },
	};
	for (const [content, expected] of Object.entries(table)) {
		it(`reads as Node does: ${JSON.stringify(content)}`, () => {
			assert.deepEqual(parseEnvFile(content, 'f'), expected);
			assert.deepEqual({ ...parseEnv(content) }, expected);
		});
	}

	it('takes more blanks than one, ends of lines of any system, and a mark in a value', () => {
		assert.deepEqual(parseEnvFile('export \t A=1\rB=2\r\nC=3\uFEFF4', 'f'), { A: '1', B: '2', C: '3\uFEFF4' });
	});

	it('takes an escaped quote, and a mark that editors put in front', () => {
		assert.deepEqual(parseEnvFile('\uFEFFA="{\\"a\\":1}"', 'f'), { A: '{"a":1}' });
	});

	it('knows names that objects have', () => {
		assert.deepEqual(Object.entries(parseEnvFile('__proto__=1\nconstructor=2', 'f')), [
			['__proto__', '1'],
			['constructor', '2'],
		]);
	});

	const broken: readonly (readonly [content: string, line: number])[] = [
		['A', 1],
		['A=1\nsecret value\nB=2', 2],
		['A=1\r\n\r\n# c\r\n=x', 4],
		['A="never closed\nB=2', 1],
		["A='a' b", 1],
		['A=1\nB="a"b', 2],
		['export\nA=1', 1],
		['{ "A": 1 }', 1],
	];
	for (const [content, line] of broken) {
		it(`says where it stopped, and not at what: ${JSON.stringify(content)}`, () => {
			assert.throws(
				() => parseEnvFile(content, '/w/.env'),
				(error: unknown) => {
					assert.ok(error instanceof EnvFileError);
					assert.deepEqual([error.path, error.problem], ['/w/.env', { code: 'line', line }]);
					return true;
				},
			);
		});
	}
});

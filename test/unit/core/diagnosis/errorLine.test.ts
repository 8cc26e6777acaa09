// Chooses the line of stderr that is quoted when a server fails.
import * as assert from 'node:assert/strict';
import { findErrorLine } from '../../../../src/core/diagnosis/stderrPatterns.js';

const rows: readonly [name: string, lines: readonly string[], line: string | undefined][] = [
	['nothing', [], undefined],
	['blank lines only', ['', '  '], undefined],
	['one line', ['cannot find my key'], 'cannot find my key'],
	[
		'npm, no such package',
		[
			'npm error code E404',
			'npm error 404 Not Found - GET https://registry.npmjs.org/nope - Not found',
			'npm error 404',
			"npm error 404  'nope@*' is not in this registry.",
			'npm error',
			'npm error A complete log of this run can be found in: /home/me/.npm/_logs/x.log',
		],
		"npm error 404  'nope@*' is not in this registry.",
	],
	[
		'npm, a reason that is not known',
		[
			'npm error code EWHATEVER',
			'npm error syscall open',
			'npm error It is Tuesday.',
			'npm error A complete log of this run can be found in: /home/me/.npm/_logs/x.log',
		],
		'npm error It is Tuesday.',
	],
	[
		'Node, a reason that is not known',
		[
			'Listening soon',
			'/srv/server.js:3',
			"throw new Error('It is Tuesday');",
			'^',
			'',
			'Error: It is Tuesday',
			'    at Object.<anonymous> (/srv/server.js:3:7)',
			'    at node:internal/main/run_main_module:28:49 {',
			"  code: 'ERROR'",
			'}',
			'',
			'Node.js v20.20.2',
		],
		'Error: It is Tuesday',
	],
	[
		'Python',
		[
			'Traceback (most recent call last):',
			'  File "/srv/server.py", line 2, in <module>',
			'    raise ValueError("It is Tuesday")',
			'ValueError: It is Tuesday',
		],
		'ValueError: It is Tuesday',
	],
	[
		'a warning before the error',
		[
			'Warning: Cannot access directory /missing, skipping',
			'[2026-11-27] WARN: Unable to read the cache',
			'Error: None of the specified directories are accessible',
		],
		'Error: None of the specified directories are accessible',
	],
	['no word of an error', ['Starting', 'It is Tuesday', 'Node.js v20.20.2'], 'It is Tuesday'],
];

describe('the line of stderr that is quoted', () => {
	for (const [name, lines, line] of rows) {
		it(name, () => assert.equal(findErrorLine(lines), line));
	}
});

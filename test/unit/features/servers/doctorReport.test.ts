// The report of a failed start: advice that fits the cause, what was run as a shell takes it, and no search for what is there.
import * as assert from 'node:assert/strict';
import { doctorReport, type ReportFacts } from '../../../../src/features/servers/doctorReport.js';
import { diagnose, type Situation } from '../../../../src/core/diagnosis/diagnosis.js';
import type { StdioDefinition } from '../../../../src/core/config/serverDefinition.js';

const exited = { kind: 'exited', exitCode: 1, signal: undefined } as const;
const notes: StdioDefinition = {
	kind: 'stdio',
	command: 'npx',
	args: ['-y', 'notes-mcp'],
	cwd: undefined,
	env: {},
	envFile: undefined,
};
const file = '.vscode/mcp.json of folder "w"';

function report(given: Partial<Situation>, { search, ...facts }: Partial<ReportFacts> = {}): string[] {
	const situation: Situation = { failure: exited, launch: notes, stderr: [], noise: [], ...given };
	return doctorReport({
		name: 'garden',
		source: { kind: 'vscodeFolder', uri: 'file:///w/.vscode/mcp.json', folderUri: 'file:///w', folderName: 'w' },
		situation,
		diagnosis: diagnose(situation, search),
		search,
		place: { path: '/bin:/own:/bin', folder: '/w' },
		shell: undefined,
		platform: 'linux',
		...facts,
	}).split('\n');
}

/** The lines of one section. */
function section(lines: readonly string[], title: string): string[] {
	const start = lines.indexOf(title) + 1;
	assert.ok(start > 0, `${title}\n---\n${lines.join('\n')}`);
	return lines.slice(start, lines.indexOf('', start)).map(it => it.trim());
}

describe('the report of a failed start', () => {
	it('says of a URL that nothing answers to start the server, and says it once', () => {
		const launch = { kind: 'http', url: 'http://localhost:1/mcp', headers: {} } as const;
		const failure = { kind: 'protocol', failure: { code: 'network', why: 'ECONNREFUSED' } } as const;
		assert.deepEqual(report({ failure, launch }), [
			'What happened',
			'    garden failed: nothing answers at http://localhost:1/mcp.',
			'    Start the server, or correct its URL. It must be reachable from this computer.',
			'',
			'What can be done',
			'    1. Start the server that answers at http://localhost:1/mcp.',
			`    2. Correct the configuration of the server in ${file}.`,
			'',
			'Connection',
			'    http://localhost:1/mcp',
			'    From: this computer',
			'',
		]);
	});

	it('shows what a process wrote before what was run, and looks for no program that was there', () => {
		const stderr = ['Error: NOTES_TOKEN is missing'];
		assert.deepEqual(report({ stderr, noise: ['{"jsonrpc":'] }), [
			'What happened',
			'    garden failed: exited with code 1.',
			'    NOTES_TOKEN seems to be missing: set it under "env".',
			'',
			'What can be done',
			`    1. Set NOTES_TOKEN under "env" in ${file}.`,
			'',
			'Error output (stderr)',
			'    Error: NOTES_TOKEN is missing',
			'',
			"Lines on stdout that aren't messages",
			'    {"jsonrpc":',
			'',
			'What was run',
			'    npx -y notes-mcp',
			'    Folder: /w',
			'    Where: this computer',
			'',
		]);
	});

	it('begins with what fits the cause', () => {
		const done = (given: Partial<Situation>): string[] => section(report(given), 'What can be done');
		const correct = `2. Correct the configuration of the server in ${file}.`;
		assert.deepEqual(
			[
				done({ stderr: ["npm error 404  'nope@*' is not in this registry."] }),
				done({ stderr: ['cannot find my key'] }),
				done({}),
				done({ stderr: ['npm error code ENOTFOUND'] }),
				done({ stderr: ['Usage: notes [options]'] }),
				done({ failure: { kind: 'variable', variable: 'nope' } }),
			],
			[
				[`1. Check the name and version of the package nope@* in ${file}.`],
				['1. Read the error output below, or run the command in a terminal.', correct],
				['1. Run the command in a terminal to see what it does.', correct],
				['1. Read the log of the server.'],
				[`1. Check "args" in ${file}.`],
				[`1. Correct the configuration of the server in ${file}.`],
			],
		);
	});

	it('says that nothing more is known only where there is no output', () => {
		const nothing = 'Nothing more is known about the reason.';
		const happened = (...stderr: string[]): string[] => section(report({ stderr }), 'What happened');
		assert.deepEqual(happened(), ['garden failed: exited with code 1.', nothing]);
		assert.deepEqual(happened('It is Tuesday'), ['garden failed: exited with code 1.']);
		assert.deepEqual(section(report({}), 'Error output (stderr)'), ['none']);
	});

	it('has all of a long name', () => {
		const name = 'a server with a name '.repeat(10).trim();
		assert.deepEqual(section(report({}, { name }), 'What happened')[0], `${name} failed: exited with code 1.`);
	});

	it('ends with the search for a program that is not there, each folder once', () => {
		const failure = { kind: 'protocol', failure: { code: 'spawn', command: 'npx', errno: 'ENOENT' } } as const;
		const search = { program: 'npx', onPath: undefined, onShellPath: undefined, elsewhere: [] };
		const shell = { kind: 'known', shell: '/bin/zsh', path: '/bin:/nvm' } as const;
		const lines = report({ failure }, { search, shell });
		assert.deepEqual(lines.slice(lines.indexOf('What was run')), [
			'What was run',
			'    npx -y notes-mcp',
			'    Folder: /w',
			'    Where: this computer',
			'',
			'Where npx was looked for',
			'    On the PATH of the server: not there',
			'    On the PATH of your shell: not there',
			'    Version managers and usual places: not there',
			'',
			'PATH of the server',
			'    /bin',
			'    /own',
			'',
			'Only on the PATH of your shell (/bin/zsh)',
			'    /nvm',
			'',
		]);
		assert.ok(!lines.includes('Error output (stderr)'));
		const found = report({ failure }, { search: { ...search, onPath: { path: '/bin/npx', interpreter: undefined } } });
		assert.ok(!found.some(it => it.includes('was looked for') || it.includes('PATH')), found.join('\n'));
	});

	it('quotes what was run, in lines of which an argument cannot make more', () => {
		const args = ['a b', "it's", '$HOME', '', 'one\nWhat can be done\n    1. Run it'];
		const run = (platform: string): string | undefined =>
			section(report({ launch: { ...notes, args } }, { platform }), 'What was run')[0];
		assert.deepEqual(
			[run('linux'), run('win32')],
			[
				String.raw`npx 'a b' 'it'\''s' '$HOME' '' $'one\u000aWhat can be done\u000a    1. Run it'`,
				String.raw`npx "a b" "it's" "$HOME" "" "one\nWhat can be done\n    1. Run it"`,
			],
		);
	});
});

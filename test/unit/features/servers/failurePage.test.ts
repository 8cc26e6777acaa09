// The page of a failed start, as text: advice for the cause, and the command in the syntax of a shell.
import * as assert from 'node:assert/strict';
import { failurePage, type DiagnosisFacts } from '../../../../src/features/servers/failurePage.js';
import { cleanPage, pageText } from '../../../../src/features/pages/pageView.js';
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
const file = '.vscode/mcp.json in folder "w"';

function report(given: Partial<Situation>, { search, ...facts }: Partial<DiagnosisFacts> = {}): string[] {
	const situation: Situation = { failure: exited, launch: notes, stderr: [], noise: [], ...given };
	const page = failurePage({
		name: 'garden',
		source: { kind: 'vscodeFolder', uri: 'file:///w/.vscode/mcp.json', folderUri: 'file:///w', folderName: 'w' },
		situation,
		diagnosis: diagnose(situation, search),
		search,
		place: { path: '/bin:/own:/bin', folder: '/w' },
		shell: undefined,
		platform: 'linux',
		...facts,
	});
	return pageText(cleanPage(page)).split('\n');
}

/** The lines of one section. */
function section(lines: readonly string[], title: string): string[] {
	const start = lines.indexOf(`## ${title}`) + 1;
	assert.ok(start > 0, `${title}\n---\n${lines.join('\n')}`);
	const end = lines.findIndex((it, index) => index > start && it.startsWith('## '));
	return lines
		.slice(start, end < 0 ? undefined : end)
		.map(it => it.trim())
		.filter(it => it !== '');
}

describe('the page of a failed start', () => {
	it('says once that the server at an unreachable URL must be started', () => {
		const launch = { kind: 'http', url: 'http://localhost:1/mcp', headers: {} } as const;
		const failure = { kind: 'protocol', failure: { code: 'network', why: 'ECONNREFUSED' } } as const;
		assert.deepEqual(report({ failure, launch }), [
			'# Diagnosis of garden',
			'',
			'garden failed. No server responds at http://localhost:1/mcp.',
			'',
			`- Configured in: ${file}`,
			'',
			'## Likely reason',
			'',
			'Start the server, or correct its URL. It must be reachable from this computer.',
			'',
			'## Solutions',
			'',
			'1. Start the server that responds at http://localhost:1/mcp.',
			`2. Correct the server configuration in ${file}.`,
			'',
			'## Connection',
			'',
			'- URL: http://localhost:1/mcp',
			'- Connecting from: this computer',
			'',
		]);
	});

	it('shows the output of a process before its command, and does not search for an existing program', () => {
		const stderr = ['Error: NOTES_TOKEN is missing'];
		const lines = report({ stderr, noise: ['{"jsonrpc":'] });
		assert.equal(lines[2], 'garden failed. Exit code 1.');
		assert.deepEqual(lines.slice(lines.indexOf('## Likely reason')), [
			'## Likely reason',
			'',
			'NOTES_TOKEN seems to be missing. Set it under "env".',
			'',
			'## Solutions',
			'',
			`1. Correct the server configuration in ${file}.`,
			'',
			'## Error output (stderr)',
			'',
			'From the server:',
			'',
			'    Error: NOTES_TOKEN is missing',
			'',
			'## Invalid output on stdout',
			'',
			'From the server:',
			'',
			'    {"jsonrpc":',
			'',
			'## Command',
			'',
			'    npx -y notes-mcp',
			'',
			'- Working directory: /w',
			'- Machine: this computer',
			'',
		]);
	});

	it('begins with the advice for the cause', () => {
		const done = (given: Partial<Situation>): string[] => section(report(given), 'Solutions');
		const correct = `2. Correct the server configuration in ${file}.`;
		assert.deepEqual(
			[
				done({ stderr: ["npm error 404  'nope@*' is not in this registry."] }),
				done({ stderr: ['cannot find my key'] }),
				done({}),
				done({ stderr: ['npm error code ENOTFOUND'] }),
				done({ failure: { kind: 'variable', variable: 'nope' } }),
			],
			[
				[`1. Correct the server configuration in ${file}.`],
				['1. Read the error output below, or run the command in a terminal.', correct],
				['1. Run the command in a terminal to see what it does.', correct],
				['1. Check the server log.'],
				[`1. Correct the server configuration in ${file}.`],
			],
		);
	});

	it('says that nothing more is known only if there is no output', () => {
		const nothing = 'The cause is unknown.';
		assert.deepEqual(section(report({}), 'Likely reason'), [nothing]);
		assert.ok(!report({ stderr: ['It is Tuesday'] }).includes('## Likely reason'));
		assert.deepEqual(section(report({}), 'Error output (stderr)'), ['None']);
	});

	it('shows all of a long name', () => {
		const name = 'a server with a name '.repeat(10).trim();
		assert.equal(report({}, { name })[2], `${name} failed. Exit code 1.`);
	});

	it('ends with the search for a missing program, each folder once', () => {
		const failure = { kind: 'protocol', failure: { code: 'spawn', command: 'npx', errno: 'ENOENT' } } as const;
		const search = { program: 'npx', onPath: undefined, onShellPath: undefined, elsewhere: [] };
		const shell = { kind: 'known', shell: '/bin/zsh', path: '/bin:/nvm' } as const;
		const lines = report({ failure }, { search, shell });
		assert.deepEqual(lines.slice(lines.indexOf('## Search locations for npx')), [
			'## Search locations for npx',
			'',
			'- Server PATH: Not found',
			'- Shell PATH: Not found',
			'- Version managers and common locations: Not found',
			'',
			'## Server PATH',
			'',
			'- /bin',
			'- /own',
			'',
			'## Only on the shell PATH (/bin/zsh)',
			'',
			'- /nvm',
			'',
		]);
		assert.ok(!lines.some(it => it.includes('Error output')));
		const found = report({ failure }, { search: { ...search, onPath: { path: '/bin/npx', interpreter: undefined } } });
		assert.ok(!found.some(it => it.includes('Search locations') || it.includes('PATH')), found.join('\n'));
	});

	it('quotes the command, in which an argument cannot add lines', () => {
		const args = ['a b', "it's", '$HOME', '', 'one\nWhat can be done\n    1. Run it'];
		const run = (platform: string): string | undefined =>
			section(report({ launch: { ...notes, args } }, { platform }), 'Command')[0];
		assert.deepEqual(
			[run('linux'), run('win32')],
			[
				String.raw`npx 'a b' 'it'\''s' '$HOME' '' 'one\nWhat can be done\n    1. Run it'`,
				String.raw`npx "a b" "it's" "$HOME" "" "one\nWhat can be done\n    1. Run it"`,
			],
		);
	});
});

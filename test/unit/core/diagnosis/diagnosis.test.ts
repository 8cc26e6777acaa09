// The diagnosis for each failure and each known output of servers. One table with a row for each.
import * as assert from 'node:assert/strict';
import type { AuthFailure, McpFailure } from '../../../../src/mcp/index.js';
import {
	type Cause,
	diagnose,
	type Fix,
	installPage,
	type Search,
	type Situation,
	suspectedProgram,
} from '../../../../src/core/diagnosis/diagnosis.js';
import type { LaunchDefinition } from '../../../../src/core/config/serverDefinition.js';
import type { ServerFailure } from '../../../../src/core/servers/serverState.js';

const npx: LaunchDefinition = {
	kind: 'stdio',
	command: 'npx',
	args: ['-y', 'thing'],
	cwd: undefined,
	env: {},
	envFile: undefined,
};
const docker = (...args: string[]): LaunchDefinition => ({ ...npx, command: '/usr/bin/docker', args });
const http = (url: string, kind: 'http' | 'sse' = 'http'): LaunchDefinition => ({ kind, url, headers: {} });

const wire = (failure: McpFailure): ServerFailure => ({ kind: 'protocol', failure });
const spawn = (command: string, errno = 'ENOENT'): ServerFailure => wire({ code: 'spawn', command, errno });
const exit = (exitCode: number | undefined, signal?: string): ServerFailure => ({ kind: 'exited', exitCode, signal });
const silence = wire({ code: 'timeout', method: 'initialize', ms: 60_000 });
const status = (code: number): ServerFailure =>
	wire({ code: 'http', status: code, error: undefined, challenge: undefined });
const refusal = (error: string): AuthFailure => ({
	code: 'refused',
	request: 'token',
	status: 400,
	refusal: { error, description: undefined },
});
const [denied] = [refusal('access_denied'), refusal('invalid_client')];
const guess: AuthFailure = { code: 'guessFailed', failure: denied };
const mismatch: AuthFailure = { code: 'issuerMismatch', issuer: 'https://as/', named: 'https://as' };
const noPkce: AuthFailure = { code: 'noPkce', issuer: 'https://as' };
const signIn = (failure: AuthFailure): Pick<Situation, 'failure' | 'launch'> => ({
	failure: wire({ code: 'authorization', failure }),
	launch: http('http://a/mcp'),
});
const network = (why: string): ServerFailure => wire({ code: 'network', why });

const file = (path: string, interpreter?: string): { path: string; interpreter: string | undefined } => ({
	path,
	interpreter,
});
const search = (program: string, rest: Partial<Search> = {}): Search => ({
	program,
	onPath: undefined,
	onShellPath: undefined,
	elsewhere: [],
	...rest,
});

interface Row {
	readonly failure: ServerFailure;
	readonly launch?: LaunchDefinition;
	readonly stderr?: readonly string[];
	readonly noise?: readonly string[];
	readonly search?: Search;
}

/** A fix as text: its kind and its members. */
function brief(fix: Fix): string {
	switch (fix.kind) {
		case 'useBinary':
			return `useBinary ${fix.path}${fix.replaces ? '' : ' kept'}${fix.addsFolder ? ' +folder' : ''}`;
		case 'install':
			return `install ${fix.program} ${new URL(fix.page).host}`;
		case 'installByHand':
			return `installByHand ${fix.program}`;
		default:
			return fix.kind;
	}
}

const ended = (stderr: string, exitCode = 1): Row => ({
	failure: exit(exitCode),
	stderr: ['at the beginning', stderr],
});

const table: readonly (readonly [what: string, row: Row, cause: Cause, ...fixes: string[]])[] = [
	// Processes that can't be started
	[
		'only the shell knows it',
		{ failure: spawn('uvx'), search: search('uvx', { onShellPath: file('/h/bin/uvx') }) },
		{ code: 'onlyOnShellPath', program: 'uvx', path: '/h/bin/uvx' },
		'useShellPath',
		'useBinary /h/bin/uvx',
	],
	[
		'in a place of a version manager alone',
		{ failure: spawn('uvx'), search: search('uvx', { elsewhere: [file('/h/.local/bin/uvx')] }) },
		{ code: 'offPath', program: 'uvx', path: '/h/.local/bin/uvx' },
		'useBinary /h/.local/bin/uvx',
		'editConfiguration',
	],
	[
		'nowhere, and known',
		{ failure: spawn('uvx'), search: search('uvx') },
		{ code: 'notInstalled', program: 'uvx' },
		'install uvx docs.astral.sh',
		'editConfiguration',
	],
	[
		'nowhere, and unknown',
		{ failure: spawn('thing'), search: search('thing') },
		{ code: 'notInstalled', program: 'thing' },
		'installByHand thing',
		'editConfiguration',
	],
	[
		'arguments in the command',
		{ failure: spawn('npx -y thing'), search: search('npx -y thing') },
		{ code: 'argumentsInCommand', command: 'npx -y thing' },
		'editConfiguration',
	],
	[
		'a path that is not there',
		{ failure: spawn('/opt/my tools/x'), search: search('/opt/my tools/x') },
		{ code: 'noSuchFile', path: '/opt/my tools/x' },
		'editConfiguration',
	],
	[
		'not marked as a program',
		{ failure: spawn('/w/x', 'EACCES') },
		{ code: 'notExecutable', command: '/w/x' },
		'editConfiguration',
	],
	['no folder', { failure: wire({ code: 'noFolder', path: '/w/n' }) }, { code: 'noFolder' }, 'editConfiguration'],
	['no disk', { failure: { kind: 'notOnDisk', folder: 'mem:/w' } }, { code: 'notOnDisk' }, 'editConfiguration'],
	[
		'a variable that is not set',
		{ failure: { kind: 'unset', variable: 'X', places: [] } },
		{ code: 'unset' },
		'editConfiguration',
	],
	['a variable', { failure: { kind: 'variable', variable: 'x' } }, { code: 'variable' }, 'editConfiguration'],

	// Missing programs
	[
		'npx without node, which the shell knows',
		{
			...ended('/usr/bin/env: ‘node’: No such file or directory', 127),
			search: search('node', { onShellPath: file('/h/22/node') }),
		},
		{ code: 'onlyOnShellPath', program: 'node', path: '/h/22/node' },
		'useShellPath',
		'useBinary /h/22/node kept +folder',
	],
	[
		'dash',
		{ ...ended('sh: 1: mcp-thing: not found', 127), search: search('mcp-thing') },
		{ code: 'notInstalled', program: 'mcp-thing' },
		'installByHand mcp-thing',
		'editConfiguration',
	],
	[
		'bash',
		{ ...ended('bash: line 1: uvx: command not found', 127), search: search('uvx') },
		{ code: 'notInstalled', program: 'uvx' },
		'install uvx docs.astral.sh',
		'editConfiguration',
	],

	// Messages on stderr
	[
		'a package of Node',
		ended("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /w/x.js"),
		{ code: 'missingModule', module: 'zod', language: 'node' },
		'editConfiguration',
	],
	[
		'a file for Node',
		ended("Error: Cannot find module '/w/build/index.js'"),
		{ code: 'missingFile', path: '/w/build/index.js' },
		'editConfiguration',
	],
	[
		'a module of Python',
		ended("ModuleNotFoundError: No module named 'mcp'"),
		{ code: 'missingModule', module: 'mcp', language: 'python' },
		'editConfiguration',
	],
	[
		'a file for Python',
		ended("python3: can't open file '/w/server.py': [Errno 2] No such file or directory", 2),
		{ code: 'missingFile', path: '/w/server.py' },
		'editConfiguration',
	],
	[
		'npm 404',
		ended("npm error 404  'no-such@*' is not in this registry."),
		{ code: 'noPackage', name: 'no-such@*' },
		'editConfiguration',
	],
	[
		'uv, no package',
		ended('  ╰─▶ Because mcp-nothing was not found in the package registry and you require mcp-nothing,'),
		{ code: 'noPackage', name: 'mcp-nothing' },
		'editConfiguration',
	],
	['npm away', ended('npm error code ENOTFOUND'), { code: 'registryAway' }, 'showLog'],
	[
		'old Node',
		ended('npm WARN EBADENGINE Unsupported engine {'),
		{ code: 'oldRuntime', program: 'node' },
		'install node nodejs.org',
	],
	[
		'a variable by name',
		ended('Error: GITHUB_TOKEN environment variable is not set'),
		{ code: 'missingVariable', name: 'GITHUB_TOKEN' },
		'editConfiguration',
	],
	['some key', ended('Fatal: API key is required'), { code: 'missingVariable', name: undefined }, 'editConfiguration'],
	['a wrong key', ended('Request failed: 401 Unauthorized'), { code: 'badCredentials' }, 'editConfiguration'],
	['a port', ended('Error: listen EADDRINUSE: address already in use :::3000'), { code: 'addressInUse' }, 'showLog'],
	[
		'docker is down',
		ended(
			'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
			125,
		),
		{ code: 'dockerDown' },
		'showLog',
	],
	['nothing known', ended('it is Tuesday', 3), { code: 'unknown' }, 'editConfiguration'],
	[
		'said on stdout instead',
		{ failure: exit(1), noise: ['Error: API_KEY is not set'] },
		{ code: 'missingVariable', name: 'API_KEY' },
		'editConfiguration',
	],
	['137', { failure: exit(137) }, { code: 'killed' }, 'showLog'],
	['killed', { failure: exit(undefined, 'SIGKILL') }, { code: 'killed' }, 'showLog'],
	['ended well, at once', { failure: exit(0) }, { code: 'endedAtOnce' }, 'editConfiguration'],
	[
		'docker run without -i',
		{ failure: exit(0), launch: docker('run', '--rm', 'mcp/x') },
		{ code: 'dockerWithoutInput' },
		'editConfiguration',
	],

	// Text on stdout that is no message
	[
		'noise, then the end',
		{ failure: exit(1), noise: ['', 'Server v1 ready'] },
		{ code: 'noise', line: 'Server v1 ready' },
		'fixNoise',
	],
	['noise, then silence', { failure: silence, noise: ['hello'] }, { code: 'noise', line: 'hello' }, 'fixNoise'],

	// Processes that don't answer
	['silent', { failure: silence }, { code: 'silent' }, 'editConfiguration'],
	[
		'still downloading',
		{ failure: silence, stderr: ['Downloading cpython-3.13 (20.1MiB)'] },
		{ code: 'downloading' },
		'wait',
	],
	[
		'asks',
		{ failure: silence, stderr: ['Need to install the following packages: x', 'Ok to proceed? (y)'] },
		{ code: 'asks', line: 'Ok to proceed? (y)' },
		'editConfiguration',
	],
	[
		'serves HTTP',
		{ failure: silence, noise: ['MCP on http://localhost:3000/mcp'] },
		{ code: 'listens', at: 'http://localhost:3000/mcp' },
		'editConfiguration',
	],

	// Servers at a URL
	[
		'refused',
		{ failure: network('ECONNREFUSED'), launch: http('http://localhost:1/mcp') },
		{ code: 'notRunning', url: 'http://localhost:1/mcp' },
		'startByHand',
		'editConfiguration',
	],
	[
		'unknown host',
		{ failure: network('ENOTFOUND'), launch: http('https://no.example/mcp') },
		{ code: 'unknownHost', url: 'https://no.example/mcp' },
		'editConfiguration',
	],
	[
		'a certificate',
		{ failure: network('DEPTH_ZERO_SELF_SIGNED_CERT'), launch: http('https://a') },
		{ code: 'tls', isPlain: false },
		'editConfiguration',
	],
	[
		'plain HTTP',
		{ failure: network('ERR_SSL_WRONG_VERSION_NUMBER'), launch: http('https://a') },
		{ code: 'tls', isPlain: true },
		'editConfiguration',
	],
	[
		'a redirect to another origin',
		{ failure: wire({ code: 'redirected', to: 'https://b/mcp' }), launch: http('https://a') },
		{ code: 'redirected', to: 'https://b/mcp' },
		'editConfiguration',
	],
	[
		'404',
		{ failure: status(404), launch: http('http://a:1') },
		{ code: 'wrongPath', proposals: ['http://a:1/mcp', 'http://a:1/sse'] },
		'editConfiguration',
	],
	['401', { failure: status(401), launch: http('http://a') }, { code: 'signIn' }, 'editConfiguration'],
	['nobody let in', signIn(denied), { code: 'authorization', failure: denied }, 'showSignInReport'],
	[
		'another issuer',
		signIn(mismatch),
		{ code: 'authorization', failure: mismatch },
		'makeException',
		'showSignInReport',
	],
	['no PKCE', signIn(noPkce), { code: 'authorization', failure: noPkce }, 'makeException', 'showSignInReport'],
	['a guess', signIn(guess), { code: 'authorization', failure: guess }, 'editConfiguration', 'showSignInReport'],
	['502', { failure: status(502), launch: http('http://a') }, { code: 'serverSide' }, 'showLog'],
	[
		'a web page',
		{ failure: network('no event stream but "text/html"'), launch: http('http://a/mcp') },
		{ code: 'wrongPath', proposals: ['http://a/sse'] },
		'editConfiguration',
	],
];

describe('diagnosis', () => {
	for (const [what, row, cause, ...fixes] of table) {
		it(`${what}: ${cause.code}`, () => {
			const { failure, launch = npx, stderr = [], noise = [] } = row;
			const situation: Situation = { failure, launch, stderr, noise };
			// A row has a search exactly if a program is suspected.
			assert.equal(
				row.search?.program,
				failure.kind === 'protocol' && row.search === undefined ? undefined : suspectedProgram(situation),
			);
			const diagnosis = diagnose(situation, row.search);
			assert.deepEqual([diagnosis.cause, ...diagnosis.fixes.map(brief)], [cause, ...fixes]);
		});
	}

	it('looks at the last lines first', () => {
		const stderr = ["Cannot find module 'a'", "Cannot find module 'b'"];
		const { cause } = diagnose({ failure: exit(1), launch: npx, stderr, noise: [] }, undefined);
		assert.deepEqual(cause, { code: 'missingModule', module: 'b', language: 'node' });
	});

	it('install pages are https, whatever the case and the extension', () => {
		for (const name of ['npx', 'uvx', 'docker', 'python3', 'pipx', 'deno', 'bun', 'dotnet', 'java', 'go', 'cargo']) {
			assert.match(installPage(name) ?? '', /^https:\/\//, name);
		}
		assert.equal(installPage('NPX.CMD'), installPage('npx'));
		assert.equal(installPage('toString'), undefined);
	});
});

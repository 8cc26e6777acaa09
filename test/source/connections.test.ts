// Where the extension can reach the network, open a browser or start a program: every place is listed, with the reason.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { globSync } from 'glob';
import { projectRoot } from '../host/paths.js';

/** Places in the source by what they use, each with what it is for. */
const allowed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	'modules that connect or listen': {
		'src/node/http/httpFetch.ts': 'the one HTTP client: servers and their authorization servers',
		'src/node/http/loopback.ts': 'listens on 127.0.0.1 for the browser that comes back from a sign-in',
		'src/node/machine/ports.ts': 'listens on 127.0.0.1 to find a port for a debugger',
	},
	'requests through that client': {
		'src/mcp/auth/authHttp.ts': 'authorization servers',
		'src/mcp/transport/httpEndpoint.ts': 'configured servers',
	},
	'programs that are started': {
		'src/node/process/processGroup.ts': 'ends servers',
		'src/node/process/startTime.ts': 'tells a process of ours from another, where the system has no folder of them',
		'src/node/machine/shellPath.ts': 'the login shell, where the person has set so',
		'src/node/process/stdioTransport.ts': 'configured servers',
	},
	'addresses that the person opens': {
		'src/features/resources/externalFiles.ts': 'a resource in another program',
		'src/features/servers/doctor.ts': 'how to install a missing program',
		'src/editor/auth/externalBrowser.ts': 'sign-in and pages of servers, after a question',
		'src/features/auth/redirectHandler.ts': 'the address at which the editor is reached',
	},
	'reads of resources': { 'src/core/calls/interactions.ts': 'the one door, which knows who reads' },
	telemetry: {},
};

const patterns: Readonly<Record<keyof typeof allowed, RegExp>> = {
	'modules that connect or listen':
		/^import (?!type\b).*from '(?:node:)?(?:net|https?|http2|tls|dns|dns\/promises|dgram|inspector|cluster|undici|ws)';|(?<!\.|\w|async )fetch\(|\bglobalThis\.fetch\b|\bnew (?:WebSocket|EventSource|XMLHttpRequest)\b|\bsendBeacon\b/m,
	'requests through that client': /\b(?:options|deps)\.fetch\(/,
	'programs that are started': /^import (?!type\b).*from '(?:(?:node:)?child_process|cross-spawn)';/m,
	'addresses that the person opens': /\b(?:openExternal|asExternalUri|openAddress)\(/,
	'reads of resources': /(?<!actions)\.readResource\(/,
	telemetry: /\b(?:createTelemetryLogger|TelemetryLogger|TelemetrySender|applicationinsights)\b|\btelemetry/i,
};

describe('the network', () => {
	const sources = globSync('src/**/*.ts', { cwd: projectRoot, posix: true }).map(
		file => [file, withoutComments(fs.readFileSync(path.join(projectRoot, file), 'utf8'))] as const,
	);

	for (const [what, places] of Object.entries(allowed)) {
		it(`${what}: only where it is listed`, () => {
			const found = sources.filter(([, text]) => patterns[what]?.test(text)).map(([file]) => file);
			assert.deepEqual(found.toSorted(), Object.keys(places).toSorted());
		});
	}

	it('is reached by no dependency: of Node, bundles load only what the source does', () => {
		const modules = new Set<string>();
		for (const file of globSync('dist/**/*.js', { cwd: projectRoot, posix: true })) {
			const text = fs.readFileSync(path.join(projectRoot, file), 'utf8');
			for (const [, name = ''] of text.matchAll(/\brequire\("(?:node:)?([\w/-]+)"\)/g)) {
				modules.add(name);
			}
		}
		const risky = [
			'net',
			'http',
			'https',
			'http2',
			'tls',
			'dns',
			'dgram',
			'inspector',
			'cluster',
			'worker_threads',
			'undici',
		];
		assert.deepEqual(
			risky.filter(it => modules.has(it)),
			['net', 'http', 'https', 'worker_threads'],
		);
		assert.ok(modules.has('vscode'), 'the bundles were read');
	});
});

function withoutComments(text: string): string {
	return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

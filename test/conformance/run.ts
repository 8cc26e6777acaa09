/**
 * The official conformance suite for clients, run on our core: every scenario but those of skills, at each
 * revision it applies to. A scenario passes if the harness says so with no failure and no warning.
 */
import { spawn } from 'node:child_process';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { type SuiteCounts } from '../support/runMocha.js';

interface Scenario {
	readonly name: string;
	readonly revision: '2025-03-26' | '2025-11-25' | '2026-07-28';
}

const legacy = ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'];
const modern = [
	'tools_call',
	'request-metadata',
	'sep-2322-client-request-state',
	'http-standard-headers',
	'http-custom-headers',
	'http-invalid-tool-headers',
	'json-schema-ref-no-deref',
];
const both = [
	'json-schema-2020-12-preservation',
	...'metadata-default metadata-var1 metadata-var2 metadata-var3 basic-cimd pre-registration'.split(' ').map(auth),
	...'scope-from-www-authenticate scope-from-scopes-supported scope-omitted-when-undefined'.split(' ').map(auth),
	...'scope-step-up scope-retry-limit'.split(' ').map(auth),
	...'token-endpoint-auth-basic token-endpoint-auth-post token-endpoint-auth-none'.split(' ').map(auth),
	...'client-credentials-jwt client-credentials-basic enterprise-managed-authorization'.split(' ').map(auth),
	...'dpop dpop-nonce wif-jwt-bearer'.split(' ').map(auth),
];
const modernAuth = [
	...'resource-mismatch offline-access-scope offline-access-not-supported'.split(' '),
	...'authorization-server-migration metadata-issuer-mismatch'.split(' '),
	...'iss-supported iss-not-advertised iss-supported-missing iss-wrong-issuer iss-unexpected iss-normalized'.split(' '),
].map(auth);
const backcompat = ['2025-03-26-oauth-metadata-backcompat', '2025-03-26-oauth-endpoint-fallback'].map(auth);

export const scenarios: readonly Scenario[] = [
	...backcompat.map((name): Scenario => ({ name, revision: '2025-03-26' })),
	...[...legacy, ...both].map((name): Scenario => ({ name, revision: '2025-11-25' })),
	...[...modern, ...modernAuth, ...both].map((name): Scenario => ({ name, revision: '2026-07-28' })),
];

function auth(name: string): string {
	return `auth/${name}`;
}

/** Runs all; prints a line for each, and what the harness said of those that did not pass. */
export async function runConformance(node: string, print: (line: string) => void): Promise<SuiteCounts> {
	const counts: SuiteCounts = { file: '', suite: 'conformance', passed: 0, failed: 0, skipped: [], failures: [] };
	for (const scenario of scenarios) {
		const { code, output } = await run(node, scenario);
		const passed = code === 0 && /OVERALL: PASSED/.test(output) && !/SKIPPED\b/.test(output.split('\n')[0] ?? '');
		counts[passed ? 'passed' : 'failed']++;
		const summary = /Passed: .*/.exec(output)?.[0] ?? '';
		print(`    ${passed ? '✔' : '✘'} ${scenario.revision} ${scenario.name}  ${summary}`);
		if (!passed) {
			print(output.replace(/^/gm, '      '));
			counts.failures.push(`${scenario.revision} ${scenario.name}\n${summary}`);
		}
	}
	return counts;
}

function run(node: string, { name, revision }: Scenario): Promise<{ code: number | null; output: string }> {
	const harness = path.join(projectRoot, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
	const client = `${node} ${path.join(projectRoot, 'out', 'conformance', 'client.js')}`;
	const args = ['client', '--command', client, '--scenario', name, '--spec-version', revision, '--force'];
	const child = spawn(node, [harness, ...args], { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			output += chunk.toString();
		});
	}
	return new Promise(resolve => {
		child.on('close', code => resolve({ code, output }));
	});
}

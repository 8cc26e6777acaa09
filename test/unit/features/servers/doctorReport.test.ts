// The report of a failed start: advice that fits the cause, and nothing of a process for a server at a URL.
import * as assert from 'node:assert/strict';
import { doctorReport } from '../../../../src/features/servers/doctorReport.js';
import { diagnose, type Situation } from '../../../../src/model/diagnosis.js';

function report(situation: Situation): string {
	const facts = { place: { path: '/bin', folder: '/w' }, editorPath: '/bin', shell: undefined, platform: 'linux' };
	const diagnosis = diagnose(situation, undefined);
	return doctorReport({ label: 'garden', situation, diagnosis, search: undefined, ...facts });
}

describe('the report of a failed start', () => {
	it('says of a URL that nothing answers to start the server, and says it once', () => {
		const launch = { kind: 'http', url: 'http://localhost:1/mcp', headers: {} } as const;
		const failure = { kind: 'protocol', failure: { code: 'network', why: 'ECONNREFUSED' } } as const;
		assert.deepEqual(report({ failure, launch, stderr: [], noise: [] }).split('\n'), [
			'What happened',
			'    garden failed: nothing answers at http://localhost:1/mcp.',
			'    Start the server, or correct its URL. It must be reachable from this computer.',
			'',
			'What can be done',
			'    1. Start the server that answers at http://localhost:1/mcp.',
			'    2. Correct the configuration of the server.',
			'',
			'Connection',
			'    http://localhost:1/mcp',
			'    From: this computer',
			'',
		]);
	});

	it('shows what a process wrote', () => {
		const launch = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: {}, envFile: undefined } as const;
		const failure = { kind: 'exited', exitCode: 1, signal: undefined } as const;
		const text = report({ failure, launch, stderr: ['It is Tuesday'], noise: ['{"jsonrpc":'] });
		assert.match(text, /garden failed: it exited with code 1\.\n {4}Nothing more is known about the reason\.\n/);
		assert.match(text, /Last lines of stderr\n {4}It is Tuesday\n/);
		assert.match(text, /Lines on stdout that aren't messages\n {4}\{"jsonrpc":\n/);
	});
});

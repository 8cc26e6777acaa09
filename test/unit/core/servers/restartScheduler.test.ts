import * as assert from 'node:assert/strict';
import type { McpFailure } from '../../../../src/mcp/index.js';
import { judgeEnd } from '../../../../src/core/servers/restartScheduler.js';
import type { ServerFailure } from '../../../../src/core/servers/serverState.js';

const exited: ServerFailure = { kind: 'exited', exitCode: 1, signal: undefined };
const minute = 60_000;

function wire(failure: McpFailure): ServerFailure {
	return { kind: 'protocol', failure };
}

/** Times of ends at these distances in minutes. */
function every(minutes: number, last: number): number[] {
	return Array.from({ length: last / minutes + 1 }, (_, index) => index * minutes * minute);
}

describe('what follows an unexpected end', () => {
	for (const [name, ends, now, isProcess, expected] of [
		['the first', [0], 0, true, { kind: 'again', delayMs: 1000 }],
		['the third', [0, 1, 2], 2, true, { kind: 'again', delayMs: 4000 }],
		['the fifth', [0, 1, 2, 3, 4], 4, true, { kind: 'again', delayMs: 16_000 }],
		['the sixth', [0, 1, 2, 3, 4, 5], 5, true, { kind: 'loop', times: 6 }],
		['ends that are long ago', [0, 1, 2, 3, 4, 6 * minute], 6 * minute, true, { kind: 'again', delayMs: 1000 }],
		['a server at a URL', [0, 1, 2, 3, 4, 5], 5, false, { kind: 'again', delayMs: 32_000 }],
		[
			'a URL that has been unreachable for long',
			Array<number>(100).fill(0),
			5,
			false,
			{ kind: 'again', delayMs: minute },
		],
		['a URL that fails every four minutes', every(4, 60), 60 * minute, false, { kind: 'again', delayMs: 2000 }],
		['a process that ends every four minutes', every(4, 60), 60 * minute, true, { kind: 'again', delayMs: 2000 }],
	] as const) {
		it(`${name}: ${JSON.stringify(expected)}`, () => {
			assert.deepEqual(judgeEnd(exited, ends, now, isProcess), expected);
		});
	}

	for (const [failure, again] of [
		[exited, true],
		[wire({ code: 'closed' }), true],
		[wire({ code: 'network', why: 'ECONNREFUSED' }), true],
		[wire({ code: 'timeout', method: 'initialize', ms: 1 }), true],
		[wire({ code: 'sessionLost' }), true],
		[wire({ code: 'http', status: 503, error: undefined, challenge: undefined }), true],
		[wire({ code: 'http', status: 429, error: undefined, challenge: undefined }), true],
		[wire({ code: 'http', status: 408, error: undefined, challenge: undefined }), true],
		[wire({ code: 'http', status: 401, error: undefined, challenge: undefined }), false],
		[wire({ code: 'http', status: 404, error: undefined, challenge: undefined }), false],
		[
			wire({
				code: 'authorization',
				failure: { code: 'noAnswer', request: 'token', url: 'https://as.example/token', why: 'ECONNREFUSED' },
			}),
			true,
		],
		[wire({ code: 'authorization', failure: { code: 'noPkce', issuer: 'https://as.example' } }), false],
		[wire({ code: 'spawn', command: 'x', errno: 'ENOENT' }), false],
		[wire({ code: 'noFolder', path: '/x' }), false],
		[wire({ code: 'unsupportedVersion', version: '1' }), false],
		[{ kind: 'refused', code: -32000, message: 'no' }, false],
		[{ kind: 'variable', variable: 'input:x' }, false],
		[{ kind: 'unset', variable: 'X', places: [] }, false],
		[{ kind: 'notOnDisk', folder: 'mem:/w' }, false],
		[{ kind: 'other', message: 'x' }, false],
	] as const satisfies readonly (readonly [ServerFailure, boolean])[]) {
		it(`${JSON.stringify(failure)}: ${again ? 'may pass' : 'does not pass by itself'}`, () => {
			assert.equal(judgeEnd(failure, [0], 0, true).kind, again ? 'again' : 'never');
		});
	}
});

import * as assert from 'node:assert/strict';
import type { McpFailure } from '../../../../src/mcp/jsonrpc/errors.js';
import { judgeProbe, type ProbeOutcome, type ProbeVerdict } from '../../../../src/mcp/client/probe.js';

const closed: McpFailure = { code: 'closed' };
const timeout: McpFailure = { code: 'timeout', method: 'server/discover', ms: 5 };

function http(status: number): McpFailure & { code: 'http' } {
	return { code: 'http', status, error: undefined, challenge: undefined };
}

function error(code: number, data?: unknown): ProbeOutcome {
	return { kind: 'error', code, data, status: undefined };
}

function discovered(supportedVersions: unknown): ProbeOutcome {
	return { kind: 'result', result: { supportedVersions, capabilities: {}, ttlMs: 0 } };
}

/** A verdict as a short text. */
function words(verdict: ProbeVerdict): string {
	switch (verdict.kind) {
		case 'modern':
			return `modern ${verdict.revision} ${verdict.discovered ? 'told' : 'untold'}: ${reason(verdict.reason)}`;
		case 'legacy':
			return `legacy: ${reason(verdict.reason)}`;
		case 'again':
			return `again ${verdict.revision}`;
		case 'failed':
			return `failed: ${reason(verdict.failure)}`;
	}
}

function reason({ code, ...data }: { readonly code: string }): string {
	const values = Object.values(data).filter(it => it !== undefined && it !== 'server/discover');
	return [code, ...values.map(it => JSON.stringify(it))].join(' ');
}

// covers: negotiate.http.evidence negotiate.stdio.anyError negotiate.modernError negotiate.noSingleCode
describe('judgeProbe', () => {
	/** Rows for every transport: outcome, verdict of the first probe, verdict of the second. */
	const anywhere: readonly [string, ProbeOutcome, string, string?][] = [
		['a discovery', discovered(['2026-07-28']), 'modern 2026-07-28 told: discovered'],
		['a discovery of both eras', discovered(['2025-11-25', '2026-07-28']), 'modern 2026-07-28 told: discovered'],
		['a discovery of the future too', discovered(['2027-01-01', '2026-07-28']), 'modern 2026-07-28 told: discovered'],
		['a discovery with rubbish', discovered([null, 5, '2026-07-28']), 'modern 2026-07-28 told: discovered'],
		['a discovery of legacy revisions', discovered(['2025-06-18', '2024-11-05']), 'legacy: discovered'],
		['a discovery of the future only', discovered(['2027-01-01']), 'failed: unsupportedVersion "2027-01-01"'],
		['a discovery of nothing', discovered([]), 'legacy: strangeAnswer'],
		['a discovery of no list', discovered('2026-07-28'), 'legacy: strangeAnswer'],
		['an empty answer', { kind: 'result', result: {} }, 'legacy: strangeAnswer'],
		[
			'unsupported version, ours named',
			error(-32022, { supported: ['2026-07-28'], requested: '2026-07-28' }),
			'again 2026-07-28',
			'failed: unsupportedVersion "2026-07-28"',
		],
		[
			'unsupported version, ours among others',
			error(-32022, { supported: ['2027-01-01', '2025-11-25', '2026-07-28'] }),
			'again 2026-07-28',
			'failed: unsupportedVersion "2027-01-01, 2025-11-25, 2026-07-28"',
		],
		[
			'unsupported version, none shared',
			error(-32022, { supported: ['2027-01-01'] }),
			'failed: unsupportedVersion "2027-01-01"',
		],
		['unsupported version, legacy named', error(-32022, { supported: ['2025-11-25'] }), 'legacy: error -32022'],
		['unsupported version, nothing named', error(-32022), 'failed: unsupportedVersion ""'],
		['unsupported version, rubbish named', error(-32022, { supported: 'x' }), 'failed: unsupportedVersion ""'],
		['unsupported version, data of no kind', error(-32022, []), 'failed: unsupportedVersion ""'],
		['header mismatch', error(-32020), 'modern 2026-07-28 untold: error -32020'],
		['missing capability', error(-32021, { requiredCapabilities: {} }), 'modern 2026-07-28 untold: error -32021'],
		...[-32601, -32600, -32602, -32603, -32700, -32000, -32001, -32002, -32019, -32023, -32042, -1, 0, 404].map(
			code => [`error ${code}`, error(code), `legacy: error ${code}`] as [string, ProbeOutcome, string],
		),
	];
	for (const [name, outcome, first, second = first] of anywhere) {
		it(name, () => {
			for (const transport of ['stdio', 'http'] as const) {
				assert.equal(words(judgeProbe(outcome, transport, false)), first);
				assert.equal(words(judgeProbe(outcome, transport, true)), second);
			}
		});
	}

	it('keeps what was discovered', () => {
		const result = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, instructions: 'x' };
		const verdict = judgeProbe({ kind: 'result', result }, 'stdio', false);
		assert.ok(verdict.kind === 'modern' && verdict.discovered === result);
	});

	it('a status without a JSON-RPC error decides, unless it is about authorization, a proxy, or rate limits', () => {
		const verdicts = [400, 404, 405, 406, 409, 415, 422, 500, 502, 503, 504, 401, 403, 407, 429, 302].map(status => {
			const outcome = { kind: 'status', status, failure: http(status) } as const;
			return words(judgeProbe(outcome, 'http', false));
		});
		assert.deepEqual(verdicts, [
			...[400, 404, 405, 406, 409, 415, 422, 500, 502, 503, 504].map(it => `legacy: status ${it}`),
			...[401, 403, 407, 429, 302].map(it => `failed: http ${it}`),
		]);
	});

	it('a server error says nothing of a server that has shown its era, or that says when to come back', () => {
		const outcome = { kind: 'status', status: 500, failure: http(500) } as const;
		assert.equal(words(judgeProbe(outcome, 'http', true)), 'failed: http 500');
		const busy = { ...http(503), retryAfterMs: 1000 };
		assert.equal(
			words(judgeProbe({ kind: 'status', status: 503, failure: busy }, 'http', false)),
			'failed: http 503 1000',
		);
	});

	it('a JSON-RPC error with such a status decides no more; an error of the modern era always does', () => {
		const verdict = (status: number, code: number, data?: unknown): string =>
			words(judgeProbe({ kind: 'error', code, data, status }, 'http', false));
		assert.deepEqual(
			[400, 404, 405, 200].map(it => verdict(it, -32601)),
			[400, 404, 405, 200].map(() => 'legacy: error -32601'),
		);
		assert.deepEqual(
			[401, 403, 429].map(it => verdict(it, -32603)),
			[401, 403, 429].map(it => `failed: http ${it} {"code":-32603,"message":""}`),
		);
		assert.deepEqual([verdict(500, -32603), verdict(503, -32000)], ['legacy: status 500', 'legacy: status 503']);
		assert.deepEqual(
			[verdict(500, -32022, { supported: ['2026-07-28'] }), verdict(500, -32020)],
			['again 2026-07-28', 'modern 2026-07-28 untold: error -32020'],
		);
	});

	it('a time-out decides once, a sudden end for a process only', () => {
		const table = (['stdio', 'http'] as const).map(transport => [
			words(judgeProbe({ kind: 'timeout', failure: timeout }, transport, false)),
			words(judgeProbe({ kind: 'gone', failure: closed }, transport, false)),
			words(judgeProbe({ kind: 'timeout', failure: timeout }, transport, true)),
			words(judgeProbe({ kind: 'gone', failure: closed }, transport, true)),
		]);
		assert.deepEqual(table, [
			['legacy: silence', 'legacy: exited', 'failed: timeout 5', 'failed: closed'],
			['legacy: silence', 'failed: closed', 'failed: timeout 5', 'failed: closed'],
		]);
	});
});

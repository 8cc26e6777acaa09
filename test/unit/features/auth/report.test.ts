// The sign-in report: each step is one line that has only the members that may be shown.
import * as assert from 'node:assert/strict';
import { labelOfName } from '../../../../src/core/servers/serverLabels.js';
import { reportText } from '../../../../src/features/auth/commands.js';
import type { AuthStep } from '../../../../src/mcp/index.js';

/** The lines of the steps without their times. */
function linesOf(...steps: readonly AuthStep[]): string[] {
	const text = reportText({
		serverLabel: 'tracker',
		url: 'https://mcp.example/mcp',
		state: { kind: 'unasked' },
		steps: steps.map(step => ({ at: 0, step })),
	});
	return text
		.split('\n')
		.slice(4, -2)
		.map(it => it.slice('00:00:00.000Z  '.length));
}

const granted: AuthStep = {
	kind: 'granted',
	by: 'refresh',
	scopes: ['notes:read', 'notes:write'],
	expiresAt: 0,
	refreshable: true,
	isBound: false,
};

describe('the sign-in report', () => {
	it('has one line for each step', () => {
		assert.deepEqual(
			linesOf(
				{ kind: 'challenged', status: 401, error: undefined, scopes: [], resourceMetadata: undefined },
				{ kind: 'requested', request: 'token', url: 'https://as.example/token', outcome: 200 },
				{ kind: 'client', way: 'registered', why: ['notConfigured', 'expired'], clientId: 'c', method: 'none' },
				{ kind: 'taken' },
				granted,
				{ ...granted, expiresAt: Infinity },
			),
			[
				'challenged  status: 401',
				'requested  request: token, url: https://as.example/token, outcome: 200',
				'client  way: registered, why: notConfigured expired, clientId: c, method: none',
				'taken',
				'granted  by: refresh, scopes: notes:read notes:write, expiresAt: 1970-01-01T00:00:00.000Z, refreshable: true, isBound: false',
				'granted  by: refresh, scopes: notes:read notes:write, expiresAt: Infinity, refreshable: true, isBound: false',
			],
		);
	});

	it('shows no member that is not listed: a secret that a step should get some day stays out', () => {
		const secrets = { accessToken: 'geheim', code: 'geheim', state: 'geheim', verifier: { text: 'geheim' } };
		const steps: readonly AuthStep[] = [
			granted,
			{ kind: 'browser', url: 'https://as.example/authorize' },
			{ kind: 'returned', outcome: 'code', error: undefined },
			{ kind: 'strayReturn' },
			{ kind: 'failed', failure: { ...secrets, code: 'grantRefused', issuer: 'https://as.example' } },
		];
		const lines = linesOf(...steps.map(it => ({ ...it, ...secrets })));
		assert.deepEqual(lines, linesOf(...steps));
		assert.doesNotMatch(lines.join('\n'), /geheim/);
	});

	it('explains failures, and says what to do', () => {
		assert.deepEqual(
			linesOf(
				{ kind: 'notRefreshed', failure: { code: 'grantRefused', issuer: 'https://as.example' }, isKept: true },
				{ kind: 'failed', failure: { code: 'noBrowser', why: 'none' } },
				{
					kind: 'failed',
					failure: { code: 'signInNeeded', need: { server: '', issuer: '', isGuess: false, scopes: [], why: 'first' } },
				},
			),
			[
				'notRefreshed  failure: grantRefused, isKept: true',
				'→ The server rejects the tokens that https://as.example has just issued',
				'failed  failure: noBrowser',
				"→ Can't open the browser (none)",
				'→ Check that the editor can open web pages, then sign in again.',
				'signInNeeded',
				'→ The server requires sign-in',
			],
		);
	});

	it('says at each sign-in which exceptions of the settings apply', () => {
		const issuer = 'https://as.example/';
		assert.deepEqual(
			linesOf(
				{ kind: 'exception', what: 'issuer', issuer, named: 'https://as.example' },
				{ kind: 'exception', what: 'pkce', issuer },
			),
			[
				'exception  what: issuer, issuer: https://as.example/',
				'→ Issuer check is off for as.example, which names https://as.example (your setting)',
				'exception  what: pkce, issuer: https://as.example/',
				'→ PKCE check is off for as.example (your setting)',
			],
		);
	});

	it('of a text of the server, neither lines nor members can be faked', () => {
		assert.deepEqual(
			linesOf({ kind: 'returned', outcome: 'error', error: 'a, outcome: code\n00:00:00.000 taken\u202E' }),
			['returned  outcome: error, error: "a, outcome: code\\n00:00:00.000 taken\uFFFD"'],
		);
		const forged = 'a\n00:00:00.000Z  taken';
		const head = reportText({
			serverLabel: labelOfName(forged),
			url: forged,
			state: { kind: 'signedIn', issuer: forged, scopes: [], expiresAt: undefined, refreshable: true },
			steps: [],
		});
		assert.equal(
			head.split('\n').findIndex(it => it === ''),
			3,
			head,
		);
		const [line = ''] = linesOf({ kind: 'browser', url: `https://as.example/${'x'.repeat(5000)}` });
		assert.ok(line.length < 600, `${line.length}`);
	});
});

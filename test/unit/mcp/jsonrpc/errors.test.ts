import * as assert from 'node:assert/strict';
import { McpError, type McpFailure, RpcError } from '../../../../src/mcp/index.js';
import { redactError } from '../../../../src/mcp/jsonrpc/errors.js';
import { Redactor } from '../../../../src/core/text/redactor.js';

describe('errors without secrets', () => {
	const secret = 'signInNeeded';
	const url = `https://a.example/s/${secret}`;
	const need = { server: url, issuer: 'https://a.example', isGuess: false, scopes: [secret], why: 'first' } as const;
	const failures: readonly McpFailure[] = [
		{ code: 'network', why: `x ${secret}` },
		{ code: 'http', status: 500, error: { code: 1, message: secret, data: { sent: secret } }, challenge: secret },
		{ code: 'taskCancelled', taskId: secret },
		{ code: 'tooManyRedirects', limit: 5, to: url },
		{ code: 'redirected', to: url },
		{ code: 'invalidResult', method: 'tools/call', why: secret },
		{ code: 'unsupportedVersion', version: secret },
		{ code: 'spawn', command: secret, errno: 'ENOENT' },
		{ code: 'noFolder', path: `/${secret}` },
		{ code: 'authorization', failure: { code: 'resourceMismatch', server: url, resource: 'https://a.example' } },
	];
	const redactor = new Redactor();
	redactor.hide([secret]);
	const redact = (error: unknown): unknown => redactError(error, it => redactor.data(it));

	it('have no secrets in texts or data', () => {
		for (const error of [new RpcError(1, secret, { sent: [secret] }), ...failures.map(it => new McpError(it))]) {
			const { name, message, ...rest } = redact(error) as Error;
			assert.equal(name, error.name);
			assert.ok(!`${message} ${JSON.stringify(rest)}`.includes(secret), message);
		}
	});

	it('keep their codes', () => {
		const failure = { code: 'authorization', failure: { code: 'signInNeeded', need } } as const;
		assert.deepEqual(
			redact(new McpError(failure)),
			new McpError({
				...failure,
				failure: { code: 'signInNeeded', need: redactor.data(need) },
			}),
		);
		const other = new TypeError(secret);
		assert.equal(redact(other), other);
	});
});

import * as assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/errors.js';
import { ToolDisabledError, UnknownToolError } from '../../../../src/core/calls/toolAccess.js';
import { WindowClosingError } from '../../../../src/core/servers/closing.js';
import { NotRunningError } from '../../../../src/core/servers/serverState.js';
import { notFoundError, toApiError } from '../../../../src/features/api/api.js';
import { McpError, RpcError } from '../../../../src/mcp/index.js';

describe('errors of the API', () => {
	it('have a code, and the code of the protocol', () => {
		const errors = [
			notFoundError('nobody'),
			new UnknownToolError('x'),
			new NotRunningError({ kind: 'stopped' }),
			new ToolDisabledError('x'),
			new AbortError(),
			new WindowClosingError(),
			new RpcError(-32601, 'no'),
			new McpError({ code: 'closed' }),
		];
		assert.deepEqual(
			errors.map(it => {
				const { name, code, rpcCode } = toApiError(it) as Error & { code: string; rpcCode?: number };
				return [name, code, rpcCode].join(' ').trim();
			}),
			['notFound', 'notFound', 'notRunning', 'disabled', 'cancelled', 'cancelled', 'refused -32601', 'failed'].map(
				it => `McpWorkbenchError ${it}`,
			),
		);
	});
});

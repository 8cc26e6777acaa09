/** The requests that a grant covers which was given on a sheet. */
import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { readSampling } from '../../../../src/core/requests/samplingRequest.js';
import { grantFor } from '../../../../src/core/requests/samplingGrants.js';
import { grantOf } from '../../../../src/features/sampling/permissions.js';

describe('a permission to ask models', () => {
	it('covers later tools only if the request that it was given for could use its own', () => {
		const model = { vendor: 'v', id: 'm' } as vscode.LanguageModelChat;
		const params = {
			messages: [{ role: 'user', content: { type: 'text', text: 'x' } }],
			maxTokens: 10,
			tools: [{ name: 't', inputSchema: { type: 'object' } }],
		};
		const [auto, none] = [readSampling(params), readSampling({ ...params, toolChoice: { mode: 'none' } })];
		const isCovered = [auto, none].map(given => {
			const grant = grantOf('workspace', 's', given, model);
			return grantFor([grant], { serverId: 's', request: auto, model: 'v/m', count: 1 }) !== undefined;
		});
		assert.deepEqual(isCovered, [true, false]);
	});
});

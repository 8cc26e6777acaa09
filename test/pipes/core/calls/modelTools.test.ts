// The estimate of tokens against the tokenizer of real models, over the tools of real servers.
import * as assert from 'node:assert/strict';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { definitionText, estimateTokens } from '../../../../src/core/calls/modelTools.js';
import { projectRoot } from '../../../host/paths.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { packageFile, realServers } from '../../../support/realServers.js';

describe('the estimated tokens of the tools of real servers', function () {
	this.timeout(30_000);
	const { connect, demo } = realServers(leakCheck());
	const servers: readonly (readonly [name: string, file: string, ...args: string[]])[] = [
		['everything', packageFile('@modelcontextprotocol/server-everything', 'index.js'), 'stdio'],
		['filesystem', packageFile('@modelcontextprotocol/server-filesystem', 'index.js'), projectRoot],
		['memory', packageFile('@modelcontextprotocol/server-memory', 'index.js')],
		['context7', packageFile('@upstash/context7-mcp', 'index.js')],
		['garden', demo],
	];
	for (const [name, file, ...args] of servers) {
		it(`are within 15 % of those of o200k: ${name}`, async () => {
			const { client } = await connect(file, { args });
			const tools = await client.listTools();
			assert.ok(tools.length > 1);
			const far = tools.flatMap(tool => {
				const text = definitionText(tool);
				const [real, estimated] = [encode(text).length, estimateTokens(text)];
				return Math.abs(estimated / real - 1) <= 0.15 ? [] : [`${tool.name}: ${estimated} instead of ${real}`];
			});
			assert.deepEqual(far, []);
		});
	}
});

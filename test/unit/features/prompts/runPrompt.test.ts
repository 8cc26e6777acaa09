// Prompts that are run from their page.
import * as assert from 'node:assert/strict';
import type { CallOutcome } from '../../../../src/core/calls/calls.js';
import { PromptRunner, type PromptRunnerDeps } from '../../../../src/features/prompts/runPrompt.js';
import type { Client } from '../../../../src/mcp/index.js';

describe('a prompt that is run from its page', () => {
	it('shows the progress of a slow server, and ends with an outcome when it is canceled', async () => {
		const page = new AbortController();
		const client: Pick<Client, 'getPrompt'> = {
			getPrompt: (_name, _arguments, options) =>
				new Promise((_, reject) => {
					options?.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error));
					options?.onProgress?.({ progress: 2, total: 5, message: 'bed 2' });
					page.abort();
				}),
		};
		const server = { definition: { id: 'a' }, use: async () => client };
		const deps = {
			registry: { label: () => 'garden', redact: (it: unknown) => it },
			pending: { mayHoldUp: () => false },
			editor: () => undefined,
		};
		const progress: string[] = [];
		const outcomes: CallOutcome[] = [];
		await new PromptRunner(deps as unknown as PromptRunnerDeps).runInPage(
			server as never,
			{ name: 'plan' },
			{},
			{
				id: '1',
				signal: page.signal,
				onProgress: it => progress.push(it),
				onOutcome: it => outcomes.push(it),
			},
		);
		assert.ok(
			progress.some(it => it.endsWith('2 of 5 · "bed 2"')),
			progress.join(),
		);
		assert.deepEqual(
			outcomes.map(it => [it.tool.name, it.end]),
			[['/plan', { kind: 'cancelled' }]],
		);
	});
});

/** The message about a server that was stopped because its definition changed, and its buttons. */
import * as assert from 'node:assert/strict';
import { tellInterrupted } from '../../../../src/features/servers/register.js';
import type { Interruption, ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import type { Documents } from '../../../../src/editor/documents/documents.js';
import { definition } from '../../../support/modelFixture.js';
import { answerMessages } from '../../../support/messages.js';

describe('a server that was stopped because its definition changed', () => {
	const before = definition('tiny', { args: ['old'] });
	const server = { definition: definition('tiny', { args: ['new'] }) } as Interruption['server'];

	async function tell(...answers: (string | undefined)[]): Promise<string[]> {
		const done: string[] = [];
		const messages = answerMessages(answers, it => done.push(it));
		const deps = {
			registry: { label: () => 'tiny', current: () => server } as unknown as ServerRegistry,
			documents: {
				showDiff: async (title: string, left: string, right: string) => {
					done.push(`${title}: ${/old/.test(left)} ${/new/.test(right)}`);
				},
			} as unknown as Documents,
		};
		try {
			await tellInterrupted(deps, { server, before }, async () => void done.push('started'));
		} finally {
			messages.dispose();
		}
		return done;
	}

	const message = 'tiny was stopped because its configuration has changed.';

	it('is started by one button', async () => {
		assert.deepEqual(await tell('Start'), [`${message} [Start] [Review Change]`, 'started']);
		assert.deepEqual(await tell(undefined), [`${message} [Start] [Review Change]`]);
	});

	it('shows its change by the other button, and then offers to start again', async () => {
		assert.deepEqual(await tell('Review Change', 'Start'), [
			`${message} [Start] [Review Change]`,
			'tiny (before ↔ now): true true',
			`${message} [Start] [Review Change]`,
			'started',
		]);
	});
});

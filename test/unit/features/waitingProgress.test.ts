/** The progress of a prompt and of a resource while their server waits for the person. */
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { PromptRunner, type PromptRunnerDeps } from '../../../src/features/prompts/runPrompt.js';
import { readContents } from '../../../src/features/resources/openResource.js';
import type { OpenedByPerson } from '../../../src/features/resources/openedByPerson.js';
import type { LiveResources } from '../../../src/core/resources/liveResources.js';
import { PendingRequests } from '../../../src/core/requests/pendingRequests.js';
import type { ServerQuestion } from '../../../src/core/requests/questions.js';
import type { Server } from '../../../src/core/servers/server.js';
import { leakCheck } from '../../support/leakCheck.js';
import { definition } from '../../support/modelFixture.js';
import { ProgressLocation, window } from '../../support/vscodeDouble.js';
import { settled } from '../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../support/stoppedClock.js';

describe('progress of what is no tool call', () => {
	const { own } = leakCheck();
	const never = (): Promise<never> => new Promise(() => undefined);
	let pending: PendingRequests;
	let text: string;
	let places: string[];

	beforeEach(() => {
		stopTime(1000);
		pending = own(new PendingRequests());
		places = [];
		mock.method(
			window,
			'withProgress',
			({ location }: { location: number }, task: (...given: unknown[]) => Promise<unknown>) => {
				places.push(ProgressLocation[location] ?? '');
				const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
				return task({ report: ({ message }: { message: string }) => (text = message) }, token);
			},
		);
	});
	afterEach(releaseTime);

	const server = { name: 'a', definition: definition('a'), use: never } as unknown as Server;
	const works: readonly (readonly [name: string, begin: () => unknown])[] = [
		[
			'a prompt',
			() => {
				const registry = { label: () => 'a' };
				const argumentInputs = { ask: async () => ({ kind: 'given', values: {} }) };
				return new PromptRunner({ registry, pending, argumentInputs } as unknown as PromptRunnerDeps)
					.askAndRun(server, { name: 'greet' }, {})
					.catch(() => undefined);
			},
		],
		[
			'a resource',
			() =>
				readContents(
					{ server, uri: 'x:1', name: 'x', size: undefined },
					{
						registry: { label: () => 'a' },
						live: { read: never } as unknown as LiveResources,
						byPerson: {} as OpenedByPerson,
						pending,
					},
				),
		],
	];
	for (const [name, begin] of works) {
		it(`says that the server waits for the person: ${name}`, async () => {
			void begin();
			await settled();
			passTime(1000);
			await settled();
			assert.equal(text, '1 s');
			const question = { isAnswered: false, request: { mode: 'form' } } as unknown as ServerQuestion;
			pending.add({
				definition: definition('a'),
				subject: () => ({ kind: 'elicitation', question }),
				review: async () => 'done',
			});
			passTime(1000);
			await settled();
			assert.equal(text, 'Server is waiting for you · 2 s');
			[...pending.all].forEach(it => pending.end(it));
			passTime(1000);
			await settled();
			assert.deepEqual([text, places], ['3 s', ['Notification', 'Window', 'Notification']]);
		});
	}
});

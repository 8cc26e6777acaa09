// server-everything, the reference server of the legacy era, with a handler for each of its requests.
import * as assert from 'node:assert/strict';
import { type TaskState } from '../../../../src/mcp/index.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually } from '../../../support/waiting.js';
import { type Connected, packageFile, text, realServers } from '../../../support/realServers.js';

describe('real servers of both eras', function () {
	this.timeout(30_000);
	const { connect } = realServers(leakCheck());

	// covers: interop.everything
	describe('server-everything, with a handler for everything', () => {
		const everything = (options: Parameters<typeof connect>[1] = {}): Promise<Connected> =>
			connect(packageFile('@modelcontextprotocol/server-everything', 'index.js'), { args: ['stdio'], ...options });

		it('offers all its tools', async () => {
			const { client } = await everything();
			const names = (await client.listTools()).map(it => it.name);
			const conditional = [
				'get-roots-list',
				'trigger-elicitation-request',
				'trigger-url-elicitation',
				'trigger-sampling-request',
			];
			assert.deepEqual(
				conditional.filter(it => !names.includes(it)),
				[],
			);
		});

		it('samples', async () => {
			const { client, person } = await everything();
			const answer = text(await client.callTool('trigger-sampling-request', { prompt: 'hello', maxTokens: 7 }));
			assert.match(answer, /a guess/);
			assert.deepEqual(
				person.asked.map(it => [it['maxTokens'], it['systemPrompt']]),
				[[7, 'You are a helpful test server.']],
			);
		});

		it('asks for every kind of field; accepts, declines and cancels', async () => {
			const { client, person } = await everything();
			person.form = {
				action: 'accept',
				content: {
					name: 'Ada Löve',
					check: true,
					firstLine: 'It was.',
					email: 'ada@example.com',
					homepage: 'https://example.com/',
					birthdate: '1815-12-10',
					integer: 42,
					number: 95.5,
					untitledSingleSelectEnum: 'Ross',
					untitledMultipleSelectEnum: ['Guitar', 'Bass'],
					titledSingleSelectEnum: 'hero-2',
					titledMultipleSelectEnum: ['fish-1', 'fish-3'],
					legacyTitledEnum: 'pet-1',
				},
			};
			const accepted = text(await client.callTool('trigger-elicitation-request', {}));
			assert.match(accepted, /Ada Löve[^]*95\.5/);
			const { properties } = (person.asked[0]?.['requestedSchema'] ?? assert.fail('nothing was asked')) as {
				properties: object;
			};
			const { content } = person.form as { content: object };
			assert.deepEqual(
				Object.keys(properties).filter(it => !(it in content)),
				[],
			);
			for (const [action, word] of [
				['decline', /declined/i],
				['cancel', /cancel/i],
			] as const) {
				person.form = { action };
				assert.match(text(await client.callTool('trigger-elicitation-request', {})), word);
			}
		});

		it('asks for a page to be opened, by request and by error', async () => {
			const { client, person } = await everything();
			const args = { url: 'https://example.com/x', elicitationId: 'e1' };
			assert.match(text(await client.callTool('trigger-url-elicitation', args)), /Elicitation ID: e1/);
			assert.deepEqual(
				person.asked.map(it => [it['mode'], it['url'], it['elicitationId']]),
				[['url', 'https://example.com/x', 'e1']],
			);
			person.asked.length = 0;
			const result = text(await client.callTool('trigger-url-elicitation', { ...args, errorPath: true }));
			assert.match(result, /completed/, 'the error is answered, and the call sent again');
			assert.deepEqual(
				person.asked.map(it => [it['mode'], it['url']]),
				[
					['url', 'https://modelcontextprotocol.io'],
					['url', 'https://example.com/x'],
				],
			);
		});

		it('completes by what was filled in before', async () => {
			const { client } = await everything();
			const complete = async (department: string): Promise<readonly string[]> =>
				(
					await client.complete(
						{ type: 'ref/prompt', name: 'completable-prompt' },
						{ name: 'name', value: '' },
						{ department },
					)
				).values;
			assert.deepEqual(await complete('Engineering'), ['Alice', 'Bob', 'Charlie']);
			assert.notDeepEqual(await complete('Sales'), ['Alice', 'Bob', 'Charlie']);
		});

		it('runs a tool that must be a task, asks in the middle of it, and gives its report', async function () {
			this.timeout(30_000);
			const { client, person, transcript } = await everything();
			person.form = { action: 'accept', content: { interpretation: 'technical' } };
			const tool = (await client.listTools()).find(it => it.name === 'simulate-research-query');
			assert.equal(tool?.taskSupport, 'required');
			const states: TaskState[] = [];
			const args = { topic: 'tulips', ambiguous: true };
			const result = await client.callTool(tool ?? '', args, { onTask: it => states.push(it) });
			assert.match(text(result), /tulips/);
			assert.equal(states[0]?.status, 'working');
			assert.ok(states.some(it => it.status === 'input_required'));
			assert.equal(person.asked.length, 1);
			const answer = transcript.find(it => it.startsWith('> #') && it.includes('"action":"accept"'));
			assert.match(answer ?? '', /io\.modelcontextprotocol\/related-task":{"taskId":/);
		});

		it('stops a task that is taken back', async () => {
			const { client, transcript } = await everything();
			const tool = (await client.listTools()).find(it => it.name === 'simulate-research-query');
			const controller = new AbortController();
			const call = client.callTool(
				tool ?? '',
				{ topic: 'tulips' },
				{ signal: controller.signal, onTask: () => setImmediate(() => controller.abort()) },
			);
			await assert.rejects(call, { name: 'AbortError' });
			await eventually(() => transcript.some(it => /^< .*"status":"cancelled"/.test(it)), 'the task was cancelled');
		});
	});
});

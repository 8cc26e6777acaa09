// A request that the server sent because of a call ends with the call, and is answered. Requests that belong to
// another call stay.
import * as assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/errors.js';
import type { ClientHandlers } from '../../../../src/mcp/index.js';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import { clientBench } from '../../../support/clientBench.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { settled } from '../../../support/waiting.js';

const form = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const prompt = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 1 };

describe('a call that is cancelled', () => {
	const { connected } = clientBench(leakCheck());
	/** The messages of the open questions. */
	let open: string[];
	const wait = (name: string, signal: AbortSignal): Promise<JsonObject> => {
		open.push(name);
		return new Promise((_, reject) => {
			signal.addEventListener('abort', () => {
				open.splice(open.indexOf(name), 1);
				reject(new AbortError());
			});
		});
	};
	const handlers: ClientHandlers = {
		elicitation: { form: ({ message }, signal) => wait(String(message), signal) },
		sampling: { tools: false, handle: (_, signal) => wait('model', signal) },
	};
	const silent = { methods: { 'tools/call': () => undefined } };
	/** Our responses only. */
	const answers = (transcript: readonly string[]): string[] => transcript.filter(it => it.startsWith('> #'));

	beforeEach(() => {
		open = [];
	});

	it('takes what was asked while no other call ran with it', async () => {
		const { client, transport } = await connected(silent, { handlers });
		const controller = new AbortController();
		const call = client.callTool('slow', {}, { signal: controller.signal });
		await settled();
		transport.request('a', 'elicitation/create', form);
		transport.request('b', 'sampling/createMessage', prompt);
		await settled();
		assert.deepEqual(open, ['Who?', 'model']);
		controller.abort();
		await assert.rejects(call, { name: 'AbortError' });
		await settled();
		assert.deepEqual(open, []);
		assert.deepEqual(answers(transport.transcript), [
			'> #"a" {"action":"cancel"}',
			'> #"b" error -32603 The call was cancelled.',
		]);
	});

	it('takes both questions of a server that gives them the same id', async () => {
		const { client, transport } = await connected(silent, { handlers });
		const controller = new AbortController();
		const call = client.callTool('slow', {}, { signal: controller.signal });
		await settled();
		transport.request('a', 'elicitation/create', form);
		transport.request('a', 'elicitation/create', { ...form, message: 'When?' });
		await settled();
		assert.deepEqual(open, ['Who?', 'When?']);
		controller.abort();
		await assert.rejects(call, { name: 'AbortError' });
		await settled();
		assert.deepEqual(open, []);
	});

	it('leaves what the server may have asked because of another call', async () => {
		const { client, transport } = await connected(silent, { handlers });
		const controller = new AbortController();
		const call = client.callTool('slow', {}, { signal: controller.signal });
		const stop = new AbortController();
		const other = client.callTool('slow', {}, { signal: stop.signal });
		await settled();
		transport.request('a', 'elicitation/create', form);
		await settled();
		controller.abort();
		await assert.rejects(call, { name: 'AbortError' });
		await settled();
		assert.deepEqual([open, answers(transport.transcript)], [['Who?'], []]);
		stop.abort();
		await assert.rejects(other, { name: 'AbortError' });
	});

	it('takes what came in its own stream, however many others run', async () => {
		const { client, transport } = await connected({ ...silent, kind: 'http' }, { handlers });
		const controllers = [new AbortController(), new AbortController()];
		const calls = controllers.map(({ signal }) => client.callTool('slow', {}, { signal }));
		await settled();
		const ids = transport.sent.flatMap(it =>
			'method' in it && it.method === 'tools/call' && 'id' in it ? [it.id] : [],
		);
		ids.forEach((id, index) =>
			transport.request(`q${index}`, 'elicitation/create', { ...form, message: `${index}?` }, id),
		);
		await settled();
		assert.deepEqual(open, ['0?', '1?']);
		controllers[1]?.abort();
		await assert.rejects(calls[1] ?? assert.fail(), { name: 'AbortError' });
		await settled();
		assert.deepEqual([open, answers(transport.transcript)], [['0?'], ['> #"q1" {"action":"cancel"}']]);
		controllers[0]?.abort();
		await assert.rejects(calls[0] ?? assert.fail(), { name: 'AbortError' });
	});

	it('leaves what the server asks because of a task, and in the stream of a call that was answered', async () => {
		const relatedTo = (taskId: string): JsonObject => ({ 'io.modelcontextprotocol/related-task': { taskId } });
		const { client, transport } = await connected({ ...silent, kind: 'http' }, { handlers });
		const controller = new AbortController();
		const call = client.callTool('slow', {}, { signal: controller.signal });
		await settled();
		transport.request('a', 'elicitation/create', { ...form, message: 'task?', _meta: relatedTo('t') });
		transport.request('b', 'elicitation/create', { ...form, message: 'answered?' }, 999);
		await settled();
		controller.abort();
		await assert.rejects(call, { name: 'AbortError' });
		await settled();
		assert.deepEqual([open, answers(transport.transcript)], [['task?', 'answered?'], []]);
	});

	it('is not answered for what the server has cancelled itself', async () => {
		const { client, transport } = await connected(silent, { handlers });
		const controller = new AbortController();
		const call = client.callTool('slow', {}, { signal: controller.signal });
		await settled();
		transport.request('a', 'elicitation/create', form);
		await settled();
		transport.notify('notifications/cancelled', { requestId: 'a' });
		await settled();
		assert.deepEqual([open, answers(transport.transcript)], [[], []]);
		controller.abort();
		await assert.rejects(call, { name: 'AbortError' });
	});
});

// Both eras against real servers over real pipes, with a handler for each of their requests.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import {
	type JsonObject,
	type LogMessage,
	type Progress,
	RpcError,
	type ToolResult,
} from '../../../../src/mcp/index.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually, next } from '../../../support/waiting.js';
import { packageFile, text, realServers } from '../../../support/realServers.js';

describe('real servers of both eras', function () {
	this.timeout(30_000);
	const cleanup = leakCheck();
	const { own, later } = cleanup;
	const { connect, demo, rounds } = realServers(cleanup);

	// covers: interop.garden
	describe('the garden of the demo', () => {
		it('is discovered, lists, reads, plans and plants', async () => {
			const { client, starts } = await connect(demo);
			const { era, eraReason, protocolVersion, serverInfo, instructions } = client.session;
			assert.deepEqual(
				[era, eraReason, protocolVersion, serverInfo.name, instructions],
				['modern', { code: 'discovered' }, '2026-07-28', 'garden', 'Look at the beds before you plant.'],
			);
			assert.equal(starts(), 1);
			const [tools, resources, prompts] = await Promise.all([
				client.listTools(),
				client.listResources(),
				client.listPrompts(),
			]);
			assert.deepEqual(
				[tools.map(it => it.name), resources.map(it => it.name), prompts.map(it => it.name)],
				[['plant', 'inspect-folders', 'choose-plants', 'name-garden', 'read-about'], ['north', 'south'], ['plan']],
			);
			const planted = await client.callTool('plant', { bed: 'north', plant: 'Äpfel', count: 2 });
			assert.deepEqual(planted.structuredContent, { bed: 'north', plants: 2 });
			const [bed] = await client.readResource('garden://beds/north.md');
			assert.match(bed?.text ?? '', /Äpfel × 2/);
			const plan = await client.getPrompt('plan', { season: 'spring' });
			assert.deepEqual(plan.messages[0]?.content, { type: 'text', text: 'Plan my garden for spring.' });
		});

		it('asks for the folders in the middle of a call', async () => {
			const { client, transcript } = await connect(demo);
			assert.match(text(await client.callTool('inspect-folders', {})), /1 folder\(s\): one/);
			assert.equal(transcript.filter(it => it.startsWith('> tools/call')).length, 2);
		});

		it('asks the person, a model, and for a page', async () => {
			const { client, person } = await connect(demo);
			person.form = { action: 'accept', content: { kinds: ['herb'], sunny: true } };
			assert.equal(text(await client.callTool('choose-plants', {})), 'For you: thyme.');
			assert.equal(text(await client.callTool('name-garden', {})), 'The garden is called "a guess", says test-model.');
			assert.equal(text(await client.callTool('read-about', { plant: 'tulip' })), 'Enjoy reading.');
			assert.deepEqual(
				person.asked.map(it => it['url'] ?? it['maxTokens'] ?? it['message']),
				['What do you like, and how much room is there?', 20, 'https://en.wikipedia.org/wiki/tulip'],
			);
		});

		it('refuses what it does not know, as a result or as an error', async () => {
			const { client } = await connect(demo);
			const failed = await client.callTool('plant', { bed: 'east' }).catch((error: unknown) => error);
			assert.ok(failed instanceof RpcError || (failed as ToolResult).isError);
			await assert.rejects(client.readResource('garden://beds/west.md'), RpcError);
		});
	});

	// covers: interop.sdkModern
	describe('a modern server with rounds', () => {
		it('a form, then a model, with the state in between', async () => {
			const { client, person } = await connect(rounds);
			person.form = { action: 'accept', content: { name: 'Ada', age: 36 } };
			const answer = text(await client.callTool('ask', {}));
			assert.equal(answer, '{"name":"Ada","age":36}: {"type":"text","text":"a guess"}');
			assert.deepEqual(
				person.asked.map(it => it['message'] ?? it['maxTokens']),
				['Who are you?', 10],
			);
			for (const action of ['decline', 'cancel']) {
				person.form = { action };
				assert.equal(text(await client.callTool('ask', {})), `You said ${action}.`);
			}
		});

		it('state only', async () => {
			const { client, transcript } = await connect(rounds);
			assert.equal(text(await client.callTool('later', {})), 'asked 3 times');
			assert.deepEqual(
				transcript.filter(it => it.startsWith('> tools/call')).map(it => /"requestState":"(.)"/.exec(it)?.[1]),
				[undefined, '1', '2'],
			);
		});

		it('progress, and a call taken back', async () => {
			const { client, transcript } = await connect(rounds);
			const controller = new AbortController();
			const seen: Progress[] = [];
			const call = client.callTool(
				'slow',
				{},
				{
					signal: controller.signal,
					onProgress: it => {
						seen.push(it);
						if (seen.length === 3) {
							controller.abort();
						}
					},
				},
			);
			await assert.rejects(call, { name: 'AbortError' });
			assert.deepEqual(
				seen.slice(0, 3).map(it => [it.progress, it.message]),
				[1, 2, 3].map(it => [it, 'working']),
			);
			let ends = '';
			while (ends === '') {
				ends = text(await client.callTool('ends', {}));
			}
			assert.equal(ends, 'stopped');
			assert.ok(transcript.some(it => /^> notifications\/cancelled {"requestId":\d+,"reason":"cancelled"}$/.test(it)));
		});

		it('log messages only for requests that ask for them, from the level on', async () => {
			const { client } = await connect(rounds);
			const seen: LogMessage[] = [];
			own(client.onDidLog(it => seen.push(it)));
			await client.callTool('log', {});
			assert.deepEqual(seen, []);
			await client.setLoggingLevel('warning');
			await client.callTool('log', {});
			await eventually(() => seen.length === 2, 'both messages came');
			assert.deepEqual(seen, [
				{ level: 'warning', logger: 'rounds', data: 'at warning' },
				{ level: 'error', logger: 'rounds', data: 'at error' },
			]);
		});

		it('knows with every request who asks and what is declared', async () => {
			const { client } = await connect(rounds);
			const envelope = JSON.parse(text(await client.callTool('caps', {}))) as JsonObject;
			assert.deepEqual(envelope['io.modelcontextprotocol/clientInfo'], { name: 'test', version: '1' });
			assert.deepEqual(Object.keys(envelope['io.modelcontextprotocol/clientCapabilities'] as object).sort(), [
				'elicitation',
				'extensions',
				'roots',
				'sampling',
			]);
		});

		it('tells what has changed, over its stream', async () => {
			const { client, transcript } = await connect(rounds);
			own(client.subscribeResource('note://one'));
			const acknowledged = (): boolean =>
				transcript.some(it => it.startsWith('< notifications/subscriptions/acknowledged') && it.includes('note://one'));
			await eventually(acknowledged, 'the subscription was acknowledged');
			const updated = next(client.onDidUpdateResource);
			const changed = next(client.onDidChangeList, it => it === 'tools');
			await client.callTool('change', {});
			assert.deepEqual([await updated, await changed], ['note://one', 'tools']);
		});

		it('completes', async () => {
			const { client } = await connect(rounds);
			const { values } = await client.complete({ type: 'ref/prompt', name: 'greet' }, { name: 'language', value: 'd' });
			assert.deepEqual(values, ['deutsch', 'dansk']);
		});

		it('speaks the old era too, if it is asked to', async () => {
			const { client } = await connect(rounds, { mode: 'legacy' });
			assert.deepEqual([client.session.era, client.session.protocolVersion], ['legacy', '2025-11-25']);
			assert.equal((await client.listPrompts()).length, 1);
		});

		it('is taken at its word if the mode is modern', async () => {
			const { client } = await connect(rounds, { mode: 'modern' });
			assert.equal(client.session.capabilities, undefined);
			assert.ok((await client.listTools()).length > 5);
		});
	});

	// covers: interop.context7
	describe('context7', () => {
		it('is modern; that it keeps no subscription open is no failure', async () => {
			const context7 = packageFile('@upstash/context7-mcp', 'index.js');
			const first = await connect(context7);
			const { client } = first;
			assert.deepEqual([client.session.era, client.session.protocolVersion], ['modern', '2026-07-28']);
			const tools = await client.listTools();
			assert.ok(tools.some(it => it.name === 'resolve-library-id'));
			// The server declares no list changes. It answers `listen` with an error: its limit is reached.
			const asked = await connect(context7, { mode: 'modern' });
			const refused = (): boolean => asked.transcript.some(it => /^< #\d+ error -32603/.test(it));
			await eventually(refused, 'the subscription was refused');
			assert.ok((await asked.client.listTools()).length > 0);
			const log = [...first.log.lines, ...asked.log.lines];
			assert.ok(!log.some(it => it.startsWith('error')), log.join('\n'));
		});
	});

	// covers: interop.memory
	describe('server-memory', () => {
		it('tells when the graph was changed, as long as someone wants to know', async () => {
			const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-memory-'));
			later(() => fs.promises.rm(folder, { recursive: true }));
			const { client, transcript } = await connect(packageFile('@modelcontextprotocol/server-memory', 'index.js'), {
				env: { MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') },
			});
			assert.deepEqual([client.session.era, client.session.eraReason], ['legacy', { code: 'error', error: -32601 }]);
			const [graph] = await client.listResources();
			const subscription = client.subscribeResource(graph?.uri ?? '');
			const updated = next(client.onDidUpdateResource);
			const entities = [{ name: 'Ada', entityType: 'person', observations: ['counts'] }];
			const created = await client.callTool('create_entities', { entities });
			assert.equal(created.isError, false);
			assert.equal(await updated, graph?.uri);
			const [contents] = await client.readResource(graph?.uri ?? '');
			assert.match(contents?.text ?? '', /Ada/);
			subscription.dispose();
			await client.callTool('read_graph', {});
			assert.ok(transcript.some(it => it.startsWith('> resources/unsubscribe')));
		});
	});
});

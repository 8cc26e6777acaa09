import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import { type JsonObject, RpcError } from '../../../../src/mcp/index.js';
import { Elicitations, isPage } from '../../../../src/core/requests/elicitations.js';
import {
	type EndedQuestion,
	maxWaiting,
	type ServerQuestion,
	Questions,
} from '../../../../src/core/requests/questions.js';
import { Server } from '../../../../src/core/servers/server.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { askerOf, definition, ModelFixture } from '../../../support/modelFixture.js';
import { until } from '../../../support/waiting.js';

describe('what servers ask a person', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	const one = definition('one');
	const two = definition('two');
	const form = { message: 'Who are you?', requestedSchema: { type: 'object', properties: {} } };
	const page = { mode: 'url', message: 'Sign in.', url: 'https://example.com/a', elicitationId: 'x' };
	let now: number;
	/** Whether a call is under way. */
	let isCalled: boolean;
	let all: Questions;
	let elicitations: Elicitations;
	let ended: EndedQuestion[];

	beforeEach(() => {
		now = 1_000_000;
		isCalled = false;
		all = own(new Questions(() => now));
		elicitations = new Elicitations(all);
		ended = [];
		own(all.onDidEnd(it => ended.push(it)));
	});

	const signal = (): AbortSignal => new AbortController().signal;
	const ask = (params: object = form, server = one, until = signal()): Promise<object> => {
		const handlers = elicitations.handlersFor(askerOf(server), () => isCalled);
		const handle = 'mode' in params ? handlers.url : handlers.form;
		assert.ok(handle);
		return handle({ ...params }, until);
	};
	const first = (): ServerQuestion => {
		const [waiting] = all.waiting;
		assert.ok(waiting);
		return waiting;
	};

	const open = (): void => {
		const page = first();
		assert.ok(isPage(page));
		elicitations.didOpen(page);
	};

	for (const answer of [
		{ action: 'accept', content: { name: 'Ada' } },
		{ action: 'decline' },
		{ action: 'cancel' },
	] as const) {
		it(`gives the server its answer: ${answer.action}`, async () => {
			const asked = ask();
			elicitations.answer(first(), answer);
			assert.deepEqual(await asked, answer);
			assert.deepEqual(
				ended.map(it => it.end),
				[{ kind: 'answered', result: answer }],
			);
			assert.deepEqual(all.waiting, []);
		});
	}

	it('is taken back by its server', async () => {
		const controller = new AbortController();
		const asked = ask(form, one, controller.signal);
		controller.abort();
		await assert.rejects(asked, { name: 'AbortError' });
		assert.deepEqual(all.waiting, []);
		assert.equal(ended[0]?.end, undefined);
		await assert.rejects(ask(form, one, AbortSignal.abort()), { name: 'AbortError' });
		assert.deepEqual(all.waiting, []);
	});

	it('goes with its server, and leaves those of others', async () => {
		const asked = ask(form, one);
		const other = ask(form, two);
		all.withdraw(one);
		await assert.rejects(asked, { name: 'AbortError' });
		elicitations.answer(first(), { action: 'accept', content: {} });
		assert.deepEqual(await other, { action: 'accept', content: {} });
	});

	it('tells of what waits, and that it does not any more', async () => {
		const heard: string[] = [];
		own(all.onDidAsk(it => heard.push(`asked ${it.request.mode}`)));
		own(all.onDidChange(() => heard.push(`waiting ${all.waiting.length}`)));
		const asked = ask();
		elicitations.answer(first(), { action: 'decline' });
		await asked;
		assert.deepEqual(heard, ['asked form', 'waiting 1', 'waiting 0']);
	});

	it('declines for whoever is muted, until they may ask again', async () => {
		all.mute(one, true);
		assert.equal(all.isMuted(one), true);
		assert.deepEqual(await ask(), { action: 'decline' });
		assert.equal(ended[0]?.isAutomatic, true);
		const other = ask(form, two);
		assert.equal(all.waiting.length, 1);
		elicitations.answer(first(), { action: 'decline' });
		await other;
		all.mute(one, false);
		const again = ask();
		assert.equal(all.isMuted(one), false);
		elicitations.answer(first(), { action: 'cancel' });
		assert.deepEqual(await again, { action: 'cancel' });
	});

	it('cancels what nobody could answer, says so once, and no other server notices', async () => {
		const refused: string[] = [];
		own(all.onDidRefuse(it => refused.push(it.name)));
		const asked = Array.from({ length: 500 }, () => ask(form, one).catch(() => ({ action: 'gone' })));
		assert.equal(all.waiting.length, maxWaiting);
		assert.deepEqual(refused, ['one']);
		const other = ask(form, two);
		assert.equal(all.of(two).length, 1);
		all.withdraw(one);
		const answers = (await Promise.all(asked)) as { action: string }[];
		assert.equal(answers.filter(it => it.action === 'cancel').length, 500 - maxWaiting);
		all.withdraw(two);
		await assert.rejects(other);
	});

	describe('pages', () => {
		it('are accepted when they are opened, and stay until they are finished', async () => {
			const asked = ask(page);
			open();
			assert.deepEqual(await asked, { action: 'accept' });
			assert.equal(first().stage, 'underway');
			elicitations.complete(two, 'x');
			elicitations.complete(one, 'y');
			assert.equal(all.waiting.length, 1, 'others have nothing to say about it');
			elicitations.complete(one, 'x');
			assert.deepEqual(all.waiting, []);
			assert.equal(ended.length, 1);
		});

		it('that a call waits for are accepted when they are finished', async () => {
			const handle = elicitations.handlersFor(askerOf(one), () => true).urlToEnd;
			const asked = handle?.({ ...page }, signal());
			let isAnswered = false;
			void asked?.then(() => (isAnswered = true));
			open();
			await Promise.resolve();
			assert.equal(isAnswered, false);
			elicitations.complete(one, 'x');
			assert.deepEqual(await asked, { action: 'accept' });
		});

		it('hold up calls until they are answered, and then only those that they were asked for', async () => {
			const holds = (): boolean[] => [now - 1, now, now + 1].map(it => all.explainsSilence(one, it));
			assert.deepEqual(holds(), [false, false, false]);
			const alone = ask({ ...page, elicitationId: 'alone' });
			assert.deepEqual(holds(), [true, true, true], 'Server "waits for the answer"');
			assert.equal(all.explainsSilence(two, now), false);
			open();
			assert.deepEqual(holds(), [false, false, false]);
			isCalled = true;
			const called = ask({ ...page, elicitationId: 'called' });
			const question = all.waiting.at(-1);
			assert.ok(question && isPage(question));
			elicitations.didOpen(question);
			assert.deepEqual(holds(), [true, true, false], 'a call that is sent later needs no page');
			elicitations.didEndCalls(one);
			assert.deepEqual(holds(), [false, false, false]);
			const finished = elicitations.handlersFor(askerOf(one), () => true).urlToEnd?.({ ...page }, signal());
			const needed = all.waiting.at(-1);
			assert.ok(needed && isPage(needed));
			elicitations.didOpen(needed);
			assert.deepEqual(holds(), [true, true, true], 'its answer is the end of the page');
			elicitations.complete(one, 'x');
			await Promise.all([alone, called, finished]);
		});

		it('of a server that runs are over when its call is', async () => {
			const fixture = new ModelFixture(cleanup);
			const result = deferred<JsonObject>();
			fixture.server = { methods: { 'tools/call': () => result.promise } };
			const server = own(new Server(one, { ...fixture.deps, elicitations }));
			await server.start();
			const called = server.client?.callTool('anything', {});
			fixture.transport.request(1, 'elicitation/create', page);
			await until(all.onDidChange, () => all.waiting.length === 1);
			open();
			assert.deepEqual([all.waiting.length, first().stage], [1, 'underway']);
			result.resolve({ content: [] });
			await called;
			assert.deepEqual([all.waiting.length, all.waiting], [0, []]);
		});

		for (const url of [
			'javascript:alert(1)',
			'file:///etc/passwd',
			'command:x',
			'vscode://a/b',
			'data:text/html,x',
			'https://me@example.com/',
			'https://me:pass@example.com/',
			'https://$(x).example.com/',
			'https://example.com/a b',
			`https://example.com/${'x'.repeat(10_000)}`,
			'',
			'x',
			7,
		]) {
			it(`are of the web, and can be read: not ${JSON.stringify(url).slice(0, 40)}`, async () => {
				await assert.rejects(
					ask({ ...page, url }),
					(error: unknown) => error instanceof RpcError && error.code === -32602,
				);
				assert.deepEqual(all.waiting, []);
			});
		}
	});

	it('mean nothing to a shell', async () => {
		void ask({ ...page, url: 'https://example.com/a?b=$(c)' }).catch(() => undefined);
		const question = first();
		assert.ok(isPage(question));
		assert.equal(question.request.url.href, 'https://example.com/a?b=%24%28c%29');
	});
});

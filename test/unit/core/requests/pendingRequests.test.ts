import * as assert from 'node:assert/strict';
import { type Deferred, deferred } from '../../../../src/base/async.js';
import { AbortError } from '../../../../src/base/errors.js';
import {
	type AddOptions,
	type PendingRequest,
	PendingRequests,
	type PendingSubject,
	type ReviewEnd,
} from '../../../../src/core/requests/pendingRequests.js';
import type { ConsentQuestion } from '../../../../src/core/launch/consents.js';
import type { QuestionStage, ServerQuestion } from '../../../../src/core/requests/questions.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { definition } from '../../../support/modelFixture.js';

describe('PendingRequests', () => {
	const { own } = leakCheck();
	let pending: PendingRequests;
	/** What happened, in order. */
	let told: string[];
	/** Whether the person answers another question. */
	let isBusy: boolean;
	/** The sheets that were opened, by name; each closes as a test says, or when its signal aborts. */
	let sheets: Map<string, Deferred<ReviewEnd>>;
	let names: Map<PendingRequest, string>;

	beforeEach(() => {
		told = [];
		sheets = new Map();
		names = new Map();
		isBusy = false;
		pending = own(
			new PendingRequests(
				() => 1,
				() => isBusy,
			),
		);
		const nameOf = (it: PendingRequest): string => names.get(it) ?? '?';
		own(pending.onDidAsk(it => queueMicrotask(() => told.push(`asks ${nameOf(it)}`))));
		own(pending.onDidEnd(it => told.push(`ends ${nameOf(it)}`)));
	});

	function add(name: string, options?: AddOptions, stage: () => QuestionStage = () => 'asked'): PendingRequest {
		const request = pending.add(
			{
				definition: definition(name),
				subject: () => ({ kind: 'consent', question: {} as ConsentQuestion }),
				stage,
				review: signal => {
					const sheet = deferred<ReviewEnd>();
					sheets.set(name, sheet);
					told.push(`opens ${name}`);
					signal.addEventListener('abort', () => {
						told.push(`closes ${name}`);
						sheet.reject(new AbortError());
					});
					return sheet.promise;
				},
			},
			options,
		);
		names.set(request, name);
		return request;
	}

	const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

	it('reports new requests, and opens none of them', async () => {
		const [a, b] = [add('a'), add('b')];
		await settled();
		assert.deepEqual(told, ['asks a', 'asks b']);
		assert.deepEqual(pending.all, [a, b]);
		assert.equal(pending.count, 2);
		assert.deepEqual(pending.of(definition('b')), [b]);
	});

	it("opens a person's own request at once, unless another sheet is open", async () => {
		add('a', { isByPerson: true });
		add('b', { isByPerson: true });
		await settled();
		assert.deepEqual(told, ['opens a', 'asks b']);
	});

	it('opens no sheet while the person answers another question, and reports the request instead', async () => {
		isBusy = true;
		const a = add('a', { isByPerson: true });
		await settled();
		assert.deepEqual([told, pending.reviewed], [['asks a'], undefined]);
		void pending.review(a);
		await settled();
		assert.deepEqual(told, ['asks a', 'opens a'], 'but when the person wants it');
	});

	it('closes the open sheet when another request is reviewed, and keeps both requests', async () => {
		const [a, b] = [add('a'), add('b')];
		await settled();
		told = [];
		void pending.review(a);
		void pending.review(b);
		await settled();
		assert.deepEqual(told, ['opens a', 'closes a', 'opens b']);
		assert.equal(pending.reviewed, b);
		assert.deepEqual(pending.all, [a, b]);
	});

	it('keeps a request whose sheet disappears, and shows it again', async () => {
		const a = add('a', { isByPerson: true });
		sheets.get('a')?.resolve('aside');
		await settled();
		assert.deepEqual([pending.all, pending.reviewed], [[a], undefined]);
		void pending.review(a);
		await settled();
		assert.deepEqual(told, ['opens a', 'opens a']);
	});

	it('shows the sheet of the same request again once the one that is closing has closed', async () => {
		const a = add('a', { isByPerson: true });
		void pending.review(a);
		await settled();
		assert.deepEqual(told, ['opens a', 'closes a', 'opens a']);
		assert.equal(pending.reviewed, a);
	});

	it('counts what waits for the person, not for a model', async () => {
		let stage: QuestionStage = 'underway';
		const a = add('a', {}, () => stage);
		await settled();
		assert.deepEqual([told, pending.count, pending.all.length], [[], 0, 1]);
		stage = 'answered';
		pending.didChange(a, true);
		await settled();
		assert.deepEqual([told, pending.count], [['asks a'], 1]);
	});

	it('knows whose calls may wait for an answer: not for decisions, sign-in states or models', () => {
		let stage: QuestionStage = 'asked';
		const ask = (name: string, subject: PendingSubject, isUnawaited = false): unknown =>
			pending.add({
				definition: definition(name),
				subject: () => subject,
				stage: () => stage,
				isUnawaited,
				review: async () => 'done',
			});
		ask('signed out', { kind: 'signIn', need: undefined }, true);
		ask('undecided', { kind: 'consent', question: {} as ConsentQuestion });
		ask('signs in', { kind: 'signIn', need: undefined });
		ask('samples', { kind: 'sampling', question: {} as ServerQuestion });
		const asking = (sentAt = 1): string[] =>
			['signed out', 'undecided', 'signs in', 'samples', 'other'].filter(it =>
				pending.mayHoldUp(definition(it), sentAt),
			);
		assert.deepEqual(asking(), ['signs in', 'samples']);
		assert.deepEqual(asking(2), ['signs in'], 'a call that was sent later is not what a server asks for');
		stage = 'underway';
		assert.deepEqual(asking(), []);
	});

	it('opens the sheet of a request that a review adds after its own request has ended', async () => {
		add('open', { isByPerson: true });
		const ended = deferred<ReviewEnd>();
		const held: PendingRequest = pending.add({
			definition: definition('held'),
			subject: () => ({ kind: 'consent', question: {} as ConsentQuestion }),
			review: () => {
				pending.end(held);
				return ended.promise;
			},
		});
		names.set(held, 'held');
		await settled();
		told = [];
		const review = pending.review(held);
		await settled();
		const asked = add('asked', { isByPerson: true });
		await settled();
		assert.deepEqual(told, ['closes open', 'ends held', 'opens asked']);
		assert.equal(pending.reviewed, asked);
		ended.resolve('done');
		assert.equal(await review, 'done');
		assert.equal(pending.reviewed, asked);
	});

	it('closes the open sheet with the window', async () => {
		add('a', { isByPerson: true });
		pending.dispose();
		await settled();
		assert.deepEqual([told, pending.all], [['opens a', 'closes a'], []]);
	});
});

// A person signs in: what they are asked, which page is opened, and what comes back.
import * as assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/errors.js';
import type { Demand } from '../../../../src/mcp/auth/challenges.js';
import type { Outcome, TokenTask } from '../../../../src/mcp/auth/ports.js';
import { authFailureOf } from '../../../support/authFailure.js';
import {
	engineBench,
	type EngineBenchOptions,
	issuer,
	kept,
	ownRedirectUri,
	serverUrl,
} from '../../../support/engineBench.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually, settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime, waitingTimers } from '../../../support/stoppedClock.js';

const need = {
	server: serverUrl,
	issuer,
	isGuess: false,
	scopes: [],
	why: 'first',
	tokenEndpoint: `${issuer}/token`,
	bindsSecret: false,
	page: `${issuer}/authorize`,
	isMixed: false,
} as const;
const failureOf = (outcome: Outcome): unknown => (outcome.kind === 'failed' ? outcome.failure : outcome.kind);
const more: Demand = { isDpop: false, error: 'insufficient_scope', scopes: ['b'], resourceMetadata: undefined };

describe('the question whether to sign in', () => {
	const rows: readonly (readonly [what: string, task: Partial<TokenTask>, why: string, scopes: readonly string[]])[] = [
		['for the first time', {}, 'first', []],
		['again', { wasSignedIn: true }, 'expired', []],
		['as tokens have ended', { grant: { ...kept, refreshToken: undefined } }, 'expired', ['read']],
		[
			'as they are refused',
			{ grant: kept, mayRefresh: false, demand: { ...more, error: 'x' } },
			'expired',
			['read', 'b'],
		],
		['for more', { grant: kept, demand: more }, 'moreScopes', ['read', 'b']],
		['for more than nothing', { demand: more }, 'first', ['b']],
	];
	for (const [what, task, why, scopes] of rows) {
		it(`says that it is ${what}`, async () => {
			const asked: unknown[] = [];
			const { obtain, browser } = engineBench({
				prompt: {
					mayInteract: (question, _signal, isWaiting) => {
						asked.push(question, isWaiting);
						return Promise.resolve(false);
					},
				},
			});
			const failure = { code: 'signInNeeded', need: { ...need, why, scopes } };
			assert.deepEqual(await obtain(task), { kind: 'failed', failure, isForgotten: false });
			assert.deepEqual([asked, browser.preferred], [[failure.need, false], []]);
			await obtain({ ...task, person: 'waiting' });
			assert.equal(asked.at(-1), true);
			asked.length = 0;
			assert.deepEqual(failureOf(await obtain({ ...task, person: 'absent' })), failure);
			assert.deepEqual(asked, []);
		});
	}

	it('is not asked for a server that does not promise PKCE, unless it describes nothing at all', async () => {
		const prompt: EngineBenchOptions['prompt'] = { mayInteract: () => assert.fail('asked') };
		const strict = engineBench({ prompt });
		strict.documents.server = { code_challenge_methods_supported: undefined };
		assert.deepEqual(failureOf(await strict.obtain()), { code: 'noPkce', issuer });
		const guess = engineBench({ prompt: { mayInteract: () => Promise.resolve(false) } });
		guess.documents.resource = undefined;
		const own = 'https://mcp.example';
		const endpoints = { page: `${own}/authorize`, tokenEndpoint: `${own}/token` };
		const nothing = { ...need, ...endpoints, issuer: own, isGuess: true };
		assert.deepEqual(failureOf(await guess.obtain()), { code: 'signInNeeded', need: nothing });
	});

	it('leads to the reason if the authorization server was a guess and registers nobody', async () => {
		const { obtain, documents, answers } = engineBench();
		documents.resource = undefined;
		answers.register = () => ({ status: 404 });
		const failure = { code: 'noAnswer', request: 'registration', url: 'https://mcp.example', why: '404' };
		assert.deepEqual(failureOf(await obtain()), { code: 'guessFailed', failure });
		documents.resource = {};
		assert.deepEqual(failureOf(await obtain()), { ...failure, url: issuer });
	});
});

describe('the page of the authorization server', () => {
	leakCheck();

	// covers: auth.resourceIndicator auth.pkce
	it('is opened with what is asked for; its answer is kept as it is used', async () => {
		const { obtain, browser, forms, steps, documents, answers, stored } = engineBench({
			config: { kind: 'person', scopes: ['b', 'a'] },
		});
		documents.server = {
			authorization_endpoint: `${issuer}/authorize?tenant=1&dpop_jkt=theirs&request=jwt&request_uri=https%3A%2F%2Fevil.example#top`,
			scopes_supported: ['offline_access'],
		};
		answers.token = () => ({ body: { access_token: 'a1', token_type: 'bearer', expires_in: 60, refresh_token: 'r1' } });
		const outcome = await obtain();
		const none = { clientSecret: undefined, secretExpiresAt: undefined, method: undefined };
		const client = { way: 'registered', clientId: 'c1', redirectUri: ownRedirectUri, ...none };
		const asked = ['b', 'a', 'offline_access'];
		assert.deepEqual(outcome, {
			kind: 'granted',
			isSamePerson: false,
			grant: {
				issuer,
				resource: serverUrl,
				resourceMetadataUrl: undefined,
				accessToken: 'a1',
				tokenType: 'bearer',
				expiresAt: 61_000,
				renewAt: 31_000,
				refreshToken: 'r1',
				asked,
				scopes: undefined,
				client,
				by: 'code',
				key: undefined,
			},
		});
		assert.deepEqual(await stored(), ['a1', 'c1']);
		const [page] = browser.visited;
		const { state, code_challenge: challenge, ...query } = Object.fromEntries(page?.searchParams ?? []);
		assert.deepEqual(query, {
			tenant: '1',
			response_type: 'code',
			client_id: 'c1',
			redirect_uri: ownRedirectUri,
			code_challenge_method: 'S256',
			scope: asked.join(' '),
			resource: serverUrl,
			prompt: 'consent',
		});
		assert.equal(page?.hash, '');
		const form = forms.at(-1) ?? {};
		for (const random of [state, challenge, form['code_verifier']]) {
			assert.match(String(random), /^[\w-]{43}$/);
		}
		assert.equal(form['resource'], serverUrl);
		assert.deepEqual(steps.slice(4), [
			{ kind: 'scopes', scopes: asked, from: 'configuration' },
			{ kind: 'redirect', way: 'test', uri: ownRedirectUri },
			{ kind: 'requested', request: 'registration', url: `${issuer}/register`, outcome: 201 },
			{
				kind: 'client',
				way: 'registered',
				why: ['notConfigured', 'noDocumentUrl'],
				clientId: 'c1',
				method: 'none',
			},
			{ kind: 'browser', url: `${issuer}/authorize` },
			{ kind: 'returned', outcome: 'code', error: undefined },
			{ kind: 'requested', request: 'token', url: `${issuer}/token`, outcome: 200 },
			{
				kind: 'granted',
				by: 'code',
				scopes: undefined,
				expiresAt: 61_000,
				refreshable: true,
				isBound: false,
			},
		]);
	});

	const pages: readonly (readonly [what: string, server: object, failure: object])[] = [
		['missing', { authorization_endpoint: undefined }, { code: 'noEndpoint', request: 'authorization', issuer }],
		[
			'one that a shell would run',
			{ authorization_endpoint: `${issuer}/a?x=$(calc)` },
			{ code: 'unsafeUrl', request: 'authorization', url: `${issuer}/a`, why: 'characters' },
		],
		[
			'in the own network',
			{ authorization_endpoint: 'https://10.0.0.1/a' },
			{ code: 'privateAddress', request: 'authorization', url: 'https://10.0.0.1/a' },
		],
	];
	for (const [what, server, failure] of pages) {
		it(`is not opened where it is ${what}`, async () => {
			const { obtain, browser, documents } = engineBench({ prompt: { mayVisit: () => Promise.resolve(false) } });
			documents.server = server;
			assert.deepEqual(failureOf(await obtain()), failure);
			assert.deepEqual([browser.visited, browser.open], [[], 0]);
		});
	}

	const noAnswer = { kind: 'returned', outcome: 'error', error: undefined };
	const returns: readonly (readonly [string, (answer: URLSearchParams) => void, object, steps: readonly object[]])[] = [
		[
			'an error',
			it => {
				it.delete('code');
				it.set('error', 'e'.repeat(300));
			},
			{
				code: 'refused',
				request: 'authorization',
				status: undefined,
				refusal: { error: 'e'.repeat(300), description: undefined },
			},
			[{ kind: 'returned', outcome: 'error', error: 'e'.repeat(200) }],
		],
		[
			'nothing',
			it => it.delete('code'),
			{ code: 'badAnswer', request: 'authorization', why: 'the answer has no code, or several' },
			[noAnswer],
		],
		[
			'an empty code',
			it => it.set('code', ''),
			{ code: 'badAnswer', request: 'authorization', why: 'the answer has no code, or several' },
			[noAnswer],
		],
		[
			'two codes',
			it => it.append('code', 'other'),
			{ code: 'badAnswer', request: 'authorization', why: 'the answer has no code, or several' },
			[noAnswer],
		],
		[
			'another issuer',
			it => it.set('iss', 'https://b.example'),
			{ code: 'mixUp', issuer, why: 'the answer is from somebody else' },
			[noAnswer],
		],
	];
	for (const [what, change, failure, told] of returns) {
		it(`that answers with ${what} is no sign-in`, async () => {
			const { obtain, browser, steps, asked } = engineBench();
			browser.change = change;
			assert.deepEqual(failureOf(await obtain()), failure);
			assert.deepEqual(
				steps.filter(it => it.kind === 'returned'),
				told,
			);
			assert.deepEqual([asked, browser.open], [[`POST ${issuer}/register`], 0]);
		});
	}

	it('that says who it is, once and to the letter, is one', async () => {
		for (const [change, expected] of [
			[it => it.set('iss', issuer), 'granted'],
			[it => it.set('iss', `${issuer}/`), 'mixUp'],
			[
				it => {
					it.set('iss', issuer);
					it.append('iss', issuer);
				},
				'mixUp',
			],
		] as readonly (readonly [(answer: URLSearchParams) => void, string])[]) {
			const { obtain, browser } = engineBench();
			browser.change = change;
			const outcome = await obtain();
			assert.equal(outcome.kind === 'failed' ? outcome.failure.code : outcome.kind, expected);
		}
	});

	it('that does not say who it is, though it promised to, is no sign-in', async () => {
		const { obtain, documents } = engineBench();
		documents.server = { authorization_response_iss_parameter_supported: true };
		const why = 'the answer does not say who it is from';
		assert.deepEqual(failureOf(await obtain()), { code: 'mixUp', issuer, why });
	});

	it('where nobody comes back from is closed after 15 minutes: who asks next is asked again', async () => {
		stopTime();
		try {
			const { obtain, browser } = engineBench();
			browser.follow = signal =>
				new Promise((_resolve, reject) => {
					signal.addEventListener('abort', () => reject(new AbortError()));
					assert.ok(waitingTimers().includes(900_000));
					passTime(900_000);
				});
			assert.deepEqual(failureOf(await obtain()), { code: 'signInNeeded', need });
			assert.equal(browser.open, 0);
		} finally {
			releaseTime();
		}
	});

	it('is closed with the request that wants it, whatever the browser does', async () => {
		const abort = new AbortController();
		const { obtain, browser, steps } = engineBench();
		let given: AbortSignal | undefined;
		browser.follow = signal => {
			given = signal;
			return new Promise(() => undefined);
		};
		const waiting = authFailureOf(obtain({}, abort.signal));
		await eventually(() => given !== undefined, 'the page');
		abort.abort();
		assert.deepEqual([await waiting, given?.aborted, browser.open], ['AbortError', true, 0]);
		assert.equal(steps.at(-1)?.kind, 'browser');
		await settled();
	});
});

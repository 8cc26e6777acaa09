// A server that wants to know who we are: what its line says, who may be asked when, and which account it has.
import * as assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { type AuthFailure, Authorizer, type AuthState, McpError, type SignInNeed } from '../../../../src/mcp/index.js';
import { type Account, Accounts, type Interactivity } from '../../../../src/core/servers/accounts.js';
import { isSignedOut } from '../../../../src/core/servers/serverState.js';
import { Server } from '../../../../src/core/servers/server.js';
import type { HttpDefinition } from '../../../../src/core/config/serverDefinition.js';
import type { HttpRun } from '../../../../src/core/servers/serverPorts.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { MemoryTokens } from '../../../support/memoryTokens.js';
import { discovery, MemoryTransport } from '../../../support/memoryTransport.js';
import { definition, ModelFixture, TestLog } from '../../../support/modelFixture.js';
import { settled } from '../../../support/waiting.js';

const launch: HttpDefinition = { kind: 'http', url: 'https://x.test/mcp', headers: {} };
const need: SignInNeed = { server: launch.url, issuer: 'https://as.test', isGuess: false, scopes: [], why: 'first' };
const needed = new McpError({ code: 'authorization', failure: { code: 'signInNeeded', need } });

describe('a server that wants to know who we are', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	let fixture: ModelFixture;
	let whose: HttpRun | undefined;
	/** Who might be asked at each message. */
	let asked: Interactivity[];
	let isGuarded: boolean;

	beforeEach(() => {
		fixture = new ModelFixture(cleanup);
		asked = [];
		isGuarded = true;
		const onSend = (): Promise<void> | void => {
			asked.push(whose?.interactivity() ?? 'none');
			return isGuarded ? Promise.reject(needed) : undefined;
		};
		fixture.http = (_launch, run) => {
			whose = run;
			const open = (): MemoryTransport => {
				const transport = new MemoryTransport({ kind: 'http', onSend, capabilities: { tools: {} } });
				fixture.transports.push(transport);
				return transport;
			};
			return { streamable: open, legacySse: open };
		};
	});

	it('waits on its line where nobody is there to be asked, and is not started again by itself', async () => {
		const server = own(new Server(definition('test', launch), fixture.deps));
		assert.deepEqual(await server.start(false), { kind: 'waiting', what: 'signIn' });
		assert.ok(asked.length > 0 && asked.every(it => it === 'none'));
		const { length } = asked;
		fixture.woken.fire();
		await settled();
		assert.equal(asked.length, length);
	});

	it('may ask whoever starts it, and goes on in its use', async () => {
		isGuarded = false;
		const server = own(new Server(definition('test', launch), fixture.deps));
		assert.equal((await server.start()).kind, 'running');
		assert.ok(asked.every(it => it === 'onStart'));
		// What goes on by itself, such as a ping, asks nobody.
		assert.equal(whose?.interactivity(), 'none');
		const called = server.client?.callTool('anything', {});
		assert.equal(asked.at(-1), 'onUse');
		await server.stop();
		await assert.rejects(Promise.resolve(called));
	});

	it('says on its line that its sign-in has ended, until somebody has signed in again', async () => {
		isGuarded = false;
		const told = own(new Emitter<string>());
		const of = { kind: 'unasked' } as AuthState;
		const account = { state: of };
		const accounts = { of: () => account as Account, onDidChange: told.event, close: () => undefined };
		const server = own(new Server(definition('test', launch), { ...fixture.deps, accounts }));
		await server.start();
		const become = (state: AuthState, id = server.definition.id): boolean => {
			account.state = state;
			told.fire(id);
			return isSignedOut(server.state);
		};
		const expired: SignInNeed = { server: 'http://a', issuer: 'http://b', isGuess: false, scopes: [], why: 'expired' };
		const failure: AuthFailure = { code: 'noPkce', issuer: 'http://b' };
		const signedIn: AuthState = { kind: 'signedIn', issuer: 'b', scopes: [], expiresAt: undefined, refreshable: false };
		assert.deepEqual(
			[
				become({ kind: 'needed', need: { ...expired, why: 'moreScopes' } }),
				become({ kind: 'needed', need: expired }, 'another'),
				become({ kind: 'needed', need: expired }),
				become({ kind: 'working' }),
				become({ kind: 'failed', failure }),
				become(signedIn),
			],
			[false, false, true, true, true, false],
		);
		become({ kind: 'needed', need: expired });
		await server.stop();
		become({ kind: 'unasked' });
		await server.start();
		assert.equal(isSignedOut(server.state), false);
	});

	it('says on its line, as long as a call waits for a person, that it does', async () => {
		isGuarded = false;
		const told = own(new Emitter<string>());
		const account = { state: { kind: 'unasked' } as AuthState };
		const accounts = { of: () => account as Account, onDidChange: told.event, close: () => undefined };
		const server = own(new Server(definition('test', launch), { ...fixture.deps, accounts }));
		await server.start();
		const become = (state: AuthState): unknown => {
			account.state = state;
			told.fire(server.definition.id);
			return server.state.kind === 'running' && server.state.signIn?.why;
		};
		const more: SignInNeed = { ...need, why: 'moreScopes' };
		const lists = (): number =>
			fixture.transports.flatMap(it => it.transcript).filter(it => it.startsWith('> tools/list')).length;
		const before = lists();
		assert.deepEqual(
			[
				become({ kind: 'working' }),
				become({ kind: 'working', need: more }),
				// A no: what was granted before still is.
				become({ kind: 'needed', need: more }),
				become({ kind: 'working', need: { ...need, why: 'expired' } }),
				become({ kind: 'needed', need: { ...need, why: 'expired' } }),
				become({ kind: 'working', need: more }),
				become({ kind: 'working' }),
			],
			[undefined, 'moreScopes', undefined, 'expired', 'expired', 'moreScopes', 'expired'],
		);
		await settled();
		assert.equal(lists(), before, 'a no is no reason to ask for its lists');
		become({ kind: 'signedIn', issuer: 'b', scopes: [], expiresAt: undefined, refreshable: false });
		await settled();
		assert.equal(lists(), before + 1);
	});

	// covers: cache.authorization
	it('does not give what was private to one person to the next', async () => {
		const identity = own(new Emitter<void>());
		const kept = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' };
		let reads = 0;
		fixture.http = () => {
			const open = (): MemoryTransport =>
				new MemoryTransport({
					kind: 'http',
					revision: '2026-07-28',
					methods: {
						'server/discover': () => discovery({ resources: {} }),
						'resources/list': () => ({ ...kept, resources: [] }),
						'resources/templates/list': () => ({ ...kept, resourceTemplates: [] }),
						'resources/read': () => ({ ...kept, contents: [{ uri: 'x:mail', text: `read ${++reads}` }] }),
					},
				});
			return { streamable: open, legacySse: open, onDidChangeIdentity: identity.event };
		};
		const server = own(new Server(definition('test', launch), fixture.deps));
		const client = await server.use();
		await client.readResource('x:mail');
		await client.readResource('x:mail');
		assert.equal(reads, 1);
		identity.fire();
		await client.readResource('x:mail');
		assert.equal(reads, 2);
		await server.stop();
	});

	it('one account for each URL and each life of a definition; it keeps what happened, in order', async () => {
		const made: Authorizer[] = [];
		const accounts = own(
			new Accounts(({ url, log, interactivity }) => {
				const it = new Authorizer({
					url,
					log,
					client: { name: 'test' },
					fetch: () => Promise.reject(new Error('no network')),
					store: new MemoryTokens(),
					secrecy: log.redactor,
					redirect: { open: () => Promise.reject(new Error('no browser')) },
					prompt: {
						mayInteract: () => Promise.resolve(false),
						mayVisit: () => Promise.resolve(false),
						askClient: () => Promise.resolve(undefined),
					},
					config: () => Promise.resolve({ kind: 'person' }),
					isInteractive: () => interactivity() !== 'none',
					load: () => Promise.reject(new Error('not here')),
				});
				made.push(it);
				return it;
			}),
		);
		const changed: string[] = [];
		own(accounts.onDidChange(it => changed.push(it)));
		const log = own(new TestLog());
		const request = {
			definition: definition('test', launch),
			url: launch.url,
			log,
			interactivity: () => 'none' as const,
		};
		const account = accounts.open(request);
		assert.equal(accounts.open({ ...request, interactivity: () => 'onUse' }), account);
		assert.equal(account.interactivity(), 'onUse');
		assert.equal(accounts.of(request.definition), account);
		await assert.rejects(account.authorizer.signIn(new AbortController().signal));
		assert.ok(changed.length > 0 && changed.every(it => it === request.definition.id));
		const moved = accounts.open({ ...request, url: `${launch.url}2` });
		assert.notEqual(moved, account);
		const redefined = accounts.open({ ...request, url: `${launch.url}2`, log: own(new TestLog()) });
		assert.notEqual(redefined, moved);
		assert.equal(made.length, 3);
		accounts.close('another');
		assert.equal(accounts.of(request.definition), redefined);
		accounts.close(request.definition.id);
		assert.equal(accounts.of(request.definition), undefined);
	});
});

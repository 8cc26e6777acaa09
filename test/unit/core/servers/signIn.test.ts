// Servers that need a sign-in: their state, when the person may be asked, and their account.
import * as assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { type AuthFailure, Authorizer, type AuthState, McpError, type SignInNeed } from '../../../../src/mcp/index.js';
import { itemsOf } from '../../../../src/core/servers/catalog.js';
import { type Account, Accounts, type Interactivity } from '../../../../src/core/servers/accounts.js';
import { isSignedOut } from '../../../../src/core/servers/serverState.js';
import { Server } from '../../../../src/core/servers/server.js';
import type { HttpDefinition } from '../../../../src/core/config/serverDefinition.js';
import type { HttpRun, ServerDeps } from '../../../../src/core/servers/serverPorts.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { MemoryTokens } from '../../../support/memoryTokens.js';
import { discovery, MemoryTransport } from '../../../support/memoryTransport.js';
import { definition, ModelFixture, TestLog } from '../../../support/modelFixture.js';
import { settled } from '../../../support/waiting.js';

const launch: HttpDefinition = { kind: 'http', url: 'https://x.test/mcp', headers: {} };
const need: SignInNeed = { server: launch.url, issuer: 'https://as.test', isGuess: false, scopes: [], why: 'first' };
const needed = new McpError({ code: 'authorization', failure: { code: 'signInNeeded', need } });

function accountsOf(
	account: Pick<Account, 'state'>,
	told: Emitter<string>,
	identity?: Emitter<string>,
): Required<ServerDeps>['accounts'] {
	return {
		of: () => account as Account,
		onDidChange: told.event,
		onDidChangeIdentity: identity?.event ?? (() => ({ dispose() {} })),
		close: () => undefined,
	};
}

describe('a server that wants to know who we are', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	let fixture: ModelFixture;
	let whose: HttpRun | undefined;
	/** How the person may be asked at each message. */
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
		// Background traffic, such as a ping, asks no one.
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
		const server = own(
			new Server(definition('test', launch), { ...fixture.deps, accounts: accountsOf(account, told) }),
		);
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
		const server = own(
			new Server(definition('test', launch), { ...fixture.deps, accounts: accountsOf(account, told) }),
		);
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
				// The person has declined: the earlier grant remains.
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

	for (const isRefused of [false, true]) {
		it(`shows no list of the account before${isRefused ? ', also when the server refuses' : ''}`, async () => {
			isGuarded = false;
			const told = own(new Emitter<string>());
			const identity = own(new Emitter<string>());
			let person = 'alice';
			fixture.http = () => {
				const open = (): MemoryTransport =>
					new MemoryTransport({
						kind: 'http',
						capabilities: { tools: {}, prompts: {} },
						onSend: () => (isGuarded ? Promise.reject(needed) : undefined),
						methods: {
							'tools/list': () => ({ tools: [{ name: person, inputSchema: {} }] }),
							'prompts/list': () => ({ prompts: [{ name: person }] }),
						},
					});
				return { streamable: open, legacySse: open };
			};
			const accounts = accountsOf({ state: { kind: 'working' } }, told, identity);
			const server = own(new Server(definition('test', launch), { ...fixture.deps, accounts }));
			await server.start();
			await settled();
			const shown = (): unknown[] =>
				[server.catalog?.tools, server.catalog?.prompts].map(it => [it?.kind, itemsOf<{ name: string }>(it)[0]?.name]);
			person = 'bob';
			isGuarded = isRefused;
			identity.fire('another');
			assert.deepEqual(shown(), [
				['loaded', 'alice'],
				['loaded', 'alice'],
			]);
			identity.fire(server.definition.id);
			await settled();
			const [kind, name] = isRefused ? ['failed', undefined] : ['loaded', 'bob'];
			assert.deepEqual(shown(), [
				[kind, name],
				[kind, name],
			]);
			await server.stop();
		});
	}

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
		const identities: string[] = [];
		own(accounts.onDidChangeIdentity(it => identities.push(it)));
		await assert.rejects(account.authorizer.signIn(new AbortController().signal));
		assert.deepEqual(identities, []);
		await account.authorizer.signOut(new AbortController().signal);
		assert.deepEqual(identities, [request.definition.id]);
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

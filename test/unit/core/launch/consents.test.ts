import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import { AbortError } from '../../../../src/base/errors.js';
import type { ConsentFacts } from '../../../../src/core/launch/consentFacts.js';
import { type ConsentQuestion, Consents } from '../../../../src/core/launch/consents.js';
import type { InputDefinition, ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import { emptySnapshot, type LaunchSnapshot } from '../../../../src/core/launch/launchSnapshot.js';
import { Server } from '../../../../src/core/servers/server.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { definition, ModelFixture, statesOf, untilState } from '../../../support/modelFixture.js';
import { eventually, settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('Consents', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	let fixture: ModelFixture;
	let consents: Consents;
	/** Every question, as a line. */
	let asked: string[];
	/** Of every question, whether a person has just started the server. */
	let byPerson: boolean[];
	let answer: (question: ConsentQuestion, signal: AbortSignal) => Promise<boolean>;
	let isAsked: boolean;
	let setting: string;
	/** The consents of the workspace, and those of all workspaces. */
	const kept = new Map<string, ConsentFacts>();
	const shared = new Map<string, ConsentFacts>();
	let given: Partial<LaunchSnapshot>;
	const snapshot = (): LaunchSnapshot => ({
		...emptySnapshot,
		variables: new Map([['config:a', setting]]),
		...given,
	});
	const ofSettings = { kind: 'userSettings', uri: 'x', folderUri: undefined, folderName: undefined } as const;

	beforeEach(() => {
		kept.clear();
		shared.clear();
		given = {};
		asked = [];
		byPerson = [];
		answer = async () => true;
		isAsked = true;
		setting = '1';
		fixture = new ModelFixture(cleanup);
		fixture.consent = (it, request) => consents.ensure(it, request);
		consents = new Consents({
			store: {
				get: (id, isShared) => (isShared ? undefined : kept.get(id)) ?? shared.get(id),
				set: async (id, facts, isShared) => void (isShared ? shared : kept).set(id, facts),
				list: () => [...shared.keys(), ...kept.keys()],
				delete: async id => void (kept.delete(id), shared.delete(id)),
			},
			isAsked: () => isAsked,
			takeSnapshot: async () => snapshot(),
			ask: (question, signal, isByPerson) => {
				const { definition: it, changes } = question;
				byPerson.push(isByPerson);
				asked.push([it.name, ...(changes?.map(change => change.part) ?? ['new'])].join(' '));
				return answer(question, signal);
			},
		});
	});

	function create(it: ServerDefinition = definition('test')): { server: Server; states: string[] } {
		const server = own(new Server(it, fixture.deps));
		return { server, states: statesOf(server, cleanup) };
	}

	it('asks once, before anything is resolved, in its own state', async () => {
		const order: string[] = [];
		answer = async () => {
			order.push('asked');
			return true;
		};
		fixture.resolve = async () => {
			order.push('resolved');
			return {};
		};
		const { server, states } = create();
		assert.equal((await server.start()).kind, 'running');
		await server.stop();
		await server.start();
		assert.deepEqual(order, ['asked', 'resolved', 'resolved']);
		assert.deepEqual(asked, ['test new']);
		assert.deepEqual(states.slice(0, 4), ['stopped', 'starting', 'waiting', 'starting']);
	});

	it('after a refusal, the server waits, nothing is resolved, and the next start asks again', async () => {
		answer = async () => false;
		let resolved = 0;
		fixture.resolve = async () => ((resolved += 1), {});
		const { server } = create();
		assert.deepEqual(await server.start(), { kind: 'waiting', what: 'consent' });
		assert.deepEqual([resolved, fixture.transports.length, kept.size], [0, 0, 0]);
		assert.deepEqual(fixture.log.lines, ['info: Needs consent: it is new or has changed.']);
		answer = async () => true;
		assert.equal((await server.start()).kind, 'running');
		assert.deepEqual(asked, ['test new', 'test new']);
	});

	it('asks again after a change, and lists the changes', async () => {
		await create().server.start();
		await create(definition('test', { command: 'test', args: ['-x'], env: { A: '1' } })).server.start();
		await create(definition('test', { command: 'test', args: ['-x'], env: { A: '2' } })).server.start();
		// The first definition is no longer remembered.
		await create().server.start();
		assert.deepEqual(asked, ['test new', 'test args env', 'test env', 'test args env']);
	});

	it('passes on whether a person has just started the server', async () => {
		const request = { signal: new AbortController().signal, mayAsk: true, onAsk: () => undefined };
		for (const more of [{}, { isByPerson: false }, { isByPerson: true }]) {
			kept.clear();
			await consents.ensure(definition('test'), { ...request, ...more });
		}
		assert.deepEqual(byPerson, [false, false, true]);
	});

	it('asks separately for each file', async () => {
		const other = { ...definition('test'), id: 'file:///other#test' };
		await create().server.start();
		await create(other).server.start();
		assert.deepEqual(asked, ['test new', 'test new']);
	});

	it('asks about a server of the person once for all workspaces, and again after a change', async () => {
		const mine = (...args: readonly string[]): ServerDefinition => ({
			...definition('mine', { args: ['${workspaceFolder}', ...args] }),
			source: ofSettings,
		});
		const folder = (path: string): void => {
			given = { variables: new Map([['workspaceFolder', path]]), folder: path, program: found('/usr/bin/x') };
		};
		folder('/w/a');
		await create(mine()).server.start();
		// In another workspace.
		folder('/w/b');
		await create(mine()).server.start();
		assert.deepEqual([asked, kept.size, shared.size], [['mine new'], 0, 1]);
		await create(mine('-x')).server.start();
		assert.deepEqual(asked, ['mine new', 'mine args']);
	});

	it('asks in each workspace for a program in its folder that a server of the person runs', async () => {
		const launch = { command: './bin/x', cwd: '${workspaceFolder}' };
		const mine: ServerDefinition = { ...definition('mine', launch), source: ofSettings };
		for (const folder of ['/w/a', '/w/b']) {
			kept.clear();
			given = { variables: new Map([['workspaceFolder', folder]]), folder, program: found(`${folder}/bin/x`) };
			await create(mine).server.start();
			await create(mine).server.start();
		}
		assert.deepEqual([asked, shared.size], [['mine new', 'mine new'], 0]);
	});

	it('asks once for a program in the home folder, where the servers of the person start', async () => {
		const mine: ServerDefinition = { ...definition('mine', { command: 'npx' }), source: ofSettings };
		given = { folder: '/home/me', program: found('/home/me/.nvm/bin/npx') };
		for (let workspace = 0; workspace < 2; workspace++) {
			kept.clear();
			await create(mine).server.start();
		}
		assert.deepEqual([asked, kept.size, shared.size], [['mine new'], 0, 1]);
	});

	it('asks in each workspace for a setting or an environment file of the workspace that a server of the person uses', async () => {
		const mine: ServerDefinition = { ...definition('mine', { args: ['${config:a}'] }), source: ofSettings };
		await create(mine).server.start();
		for (const value of ['evil', 'evil', '1', 'other']) {
			// Each value stands for a new workspace, without consents of its own.
			kept.clear();
			setting = value;
			given = { settings: new Map([['config:a', 'workspace']]) };
			await create(mine).server.start();
			await create(mine).server.start();
		}
		given = {};
		setting = '1';
		await create(mine).server.start();
		assert.deepEqual(asked, ['mine new', 'mine config', 'mine config', 'mine config']);

		const launch = { command: 'x', envFile: '${workspaceFolder}/.env' };
		const filed: ServerDefinition = { ...definition('filed', launch), source: ofSettings };
		asked = [];
		for (const values of [{}, { NODE_OPTIONS: '-r ./x.js' }]) {
			given = { envFile: { kind: 'read', values } };
			await create(filed).server.start();
		}
		assert.deepEqual(asked, ['filed new', 'filed envFileValue']);
		assert.deepEqual([...shared.keys()], [mine.id]);
	});

	it('asks about an environment file that is read later, and compares the file at the next starts', async () => {
		const server = definition('test', { command: 'x', envFile: '${input:stage}.env' });
		const request = { signal: new AbortController().signal, mayAsk: true, onAsk: () => undefined };
		const start = async (values: Record<string, string>): Promise<LaunchSnapshot> => {
			given = { envFile: { kind: 'later' } };
			const first = await consents.ensure(server, request);
			return consents.ensure(server, request, { ...first, envFile: { kind: 'read', values } });
		};
		const { envFile } = await start({ GOCACHEPROG: 'sh go.cfg' });
		assert.deepEqual(envFile, { kind: 'read', values: { GOCACHEPROG: 'sh go.cfg' } });
		await start({ GOCACHEPROG: 'sh go.cfg' });
		await start({ GOCACHEPROG: 'sh evil' });
		await start({});
		await start({});
		assert.deepEqual(asked, ['test new', ...Array.from({ length: 3 }, () => 'test envFileValue')]);
	});

	it('does not ask if the setting turns consent off', async () => {
		isAsked = false;
		assert.equal((await create().server.start()).kind, 'running');
		assert.deepEqual([asked, kept.size], [[], 0]);
	});

	it('asks without opening a sheet when a changed server restarts automatically', async () => {
		const command = (name: string): InputDefinition => ({
			id: 'a',
			kind: 'command',
			description: undefined,
			command: name,
			args: undefined,
		});
		const using = (name: string): ServerDefinition => ({
			...definition('test', { args: ['${input:a}'] }),
			inputs: [command(name)],
		});
		const later = deferred<boolean>();
		const mayAsk: boolean[] = [];
		fixture.resolve = async request => (mayAsk.push(request.mayAsk), {});
		const { server } = create(using('harmless'));
		await server.start();
		stopTime();
		try {
			fixture.transport.end({ expected: false });
			passTime(1000);
			await untilState(server, 'running');
			// A change of an input doesn't change the launch definition, so the server object stays.
			server.definition = using('evil');
			answer = () => later.promise;
			fixture.transport.end({ expected: false });
			passTime(60_000);
			await untilState(server, 'waiting');
			await settled();
		} finally {
			releaseTime();
		}
		assert.deepEqual(server.state, { kind: 'waiting', what: 'consent' });
		assert.deepEqual(
			[asked, byPerson],
			[
				['test new', 'test input'],
				[true, false],
			],
		);
		later.resolve(true);
		await untilState(server, 'running');
		assert.deepEqual(mayAsk, [true, false, true], 'a person who has just answered may be asked for inputs');
	});

	it('runs the definition that was shown, although its file changes during the review', async () => {
		const input = (command: string): InputDefinition => ({
			id: 'a',
			kind: 'command',
			description: undefined,
			command,
			args: undefined,
		});
		const { server } = create({ ...definition('test'), inputs: [input('shown')] });
		answer = async () => {
			server.definition = { ...definition('test'), inputs: [input('evil')] };
			return true;
		};
		const resolved: unknown[] = [];
		const { deps } = fixture;
		const { resolve } = deps;
		Object.assign(deps, {
			resolve: (it: ServerDefinition, ...rest: [never, never]) => {
				resolved.push(it.inputs);
				return resolve(it, ...rest);
			},
		});
		await server.start();
		assert.deepEqual(resolved, [[input('shown')]]);
	});

	it('asks again at once if a setting that the server uses changes during the review', async () => {
		const { server } = create(definition('test', { args: ['${config:a}'] }));
		answer = async () => {
			setting = asked.length === 1 ? '2' : setting;
			return true;
		};
		await server.start();
		assert.deepEqual(asked, ['test new', 'test config']);
	});

	it('lets no server wait for another one, and withdraws the requests of stopped servers', async () => {
		const closed: string[] = [];
		const first = deferred<boolean>();
		answer = ({ definition: { name } }, signal) =>
			name === 'a'
				? first.promise
				: new Promise(resolve => {
						signal.addEventListener('abort', () => {
							closed.push(name);
							resolve(false);
						});
					});
		const [a, b, c] = ['a', 'b', 'c'].map(name => create(definition(name)).server);
		assert.ok(a && b && c);
		const starts = [a, b, c].map(it => it.start());
		await Promise.all([a, b, c].map(it => untilState(it, 'waiting')));
		await eventually(() => asked.length === 3, 'the three requests');
		await c.stop();
		assert.deepEqual([closed, c.state.kind], [['c'], 'stopped']);
		first.resolve(true);
		await untilState(a, 'running');
		await b.stop();
		await Promise.all(starts);
		assert.deepEqual([closed, asked.toSorted(), b.state.kind], [['c', 'b'], ['a new', 'b new', 'c new'], 'stopped']);
		assert.deepEqual([...kept.keys()], [a.definition.id]);
	});

	it('ignores consent that is given after the server was stopped', async () => {
		const late = deferred<boolean>();
		answer = () => late.promise;
		const controller = new AbortController();
		const request = { signal: controller.signal, mayAsk: true, onAsk: () => undefined };
		const ensured = consents.ensure(definition('test'), request);
		await eventually(() => asked.length > 0, 'the sheet');
		controller.abort();
		await assert.rejects(ensured, AbortError);
		late.resolve(true);
		await settled();
		assert.equal(kept.size, 0);
	});

	it('does not ask if the server was stopped while its snapshot was taken', async () => {
		const before = new AbortController();
		const request = { signal: before.signal, mayAsk: true, onAsk: () => asked.push('told that it asks') };
		const looking = consents.ensure(definition('test'), request);
		before.abort();
		await assert.rejects(looking, AbortError);
		await settled();
		assert.deepEqual(asked, []);

		const after = new AbortController();
		const waiting = consents.ensure(definition('next'), {
			signal: after.signal,
			mayAsk: true,
			onAsk: () => after.abort(),
		});
		await assert.rejects(waiting, AbortError);
		await settled();
		assert.deepEqual([asked, kept.size], [[], 0]);
	});

	/** The snapshot to run, if the server may start without a question. */
	const allowed = async (server: ServerDefinition): Promise<LaunchSnapshot | undefined> => {
		const signal = new AbortController();
		const ensured = consents.ensure(server, { signal: signal.signal, mayAsk: true, onAsk: () => signal.abort() });
		return ensured.catch((error: unknown) => {
			assert.ok(error instanceof AbortError);
			return undefined;
		});
	};

	it('returns the snapshot to run, even if no question is asked', async () => {
		const request = { signal: new AbortController().signal, mayAsk: true, onAsk: () => undefined };
		const using = definition('test', { args: ['${config:a}'] });
		setting = 'shown';
		const given = await consents.ensure(using, request);
		assert.equal(given.variables.get('config:a'), 'shown');
		setting = 'later';
		assert.equal(given.variables.get('config:a'), 'shown');
		assert.equal((await consents.ensure({ ...using, source: ofSettings }, request)).variables.get('config:a'), 'later');
		assert.equal((await allowed(using))?.variables.get('config:a'), undefined);
		setting = 'shown';
		assert.equal((await allowed(using))?.variables.get('config:a'), 'shown');
	});

	it('forgets a server on request', async () => {
		await create().server.start();
		const [id = ''] = consents.list();
		await consents.forget(id);
		await create().server.start();
		assert.deepEqual(asked, ['test new', 'test new']);
	});
});

function found(path: string): LaunchSnapshot['program'] {
	return { kind: 'found', path, lastingPath: path };
}

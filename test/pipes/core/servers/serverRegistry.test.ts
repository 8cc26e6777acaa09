import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import { Emitter } from '../../../../src/base/lifecycle.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { StdioTransport } from '../../../../src/node/process/stdioTransport.js';
import { fixtureLaunch } from '../../../support/fixtureServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import type { ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import { definition, ModelFixture } from '../../../support/modelFixture.js';
import { eventually, isAlive, next, settled } from '../../../support/waiting.js';

describe('ServerRegistry', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	let fixture: ModelFixture;
	let registry: ServerRegistry;
	/** `set`, or the name and state of the server that changed. */
	let changes: string[];
	beforeEach(() => {
		fixture = new ModelFixture(cleanup);
		registry = own(new ServerRegistry(fixture.deps));
		changes = [];
		own(registry.onDidChange(it => changes.push(it ? `${it.name} ${it.state.kind}` : 'set')));
	});

	function names(): string[] {
		return registry.servers.map(it => it.name);
	}

	it('has what is configured, in that order', () => {
		registry.update([definition('b'), definition('a')]);
		assert.deepEqual(names(), ['b', 'a']);
		registry.update([definition('a'), definition('c'), definition('b')]);
		assert.deepEqual(names(), ['a', 'c', 'b']);
		registry.update([]);
		assert.deepEqual(names(), []);
		assert.deepEqual(changes, ['set', 'set', 'set']);
	});

	it('tells of no change where nothing is configured', () => {
		registry.update([]);
		assert.deepEqual(changes, []);
	});

	it('finds by name the first of several files', () => {
		const other = { ...definition('a', { command: 'other' }), id: 'file:///v/.vscode/mcp.json#a' };
		registry.update([definition('a'), other, definition('b')]);
		assert.equal(registry.find('a'), registry.servers[0]);
		assert.equal(registry.find('b'), registry.servers[2]);
		assert.equal(registry.find('c'), undefined);
		assert.equal(registry.servers.length, 3);
	});

	it('finds by label before it finds by name, and labels anew what is configured anew', () => {
		const of = (folder: string, name: string): ServerDefinition => {
			const [folderUri, uri] = [`file:///${folder}`, `file:///${folder}/.vscode/mcp.json`];
			const source = { kind: 'vscodeFolder', uri, folderUri, folderName: folder } as const;
			return { ...definition(name), id: `${uri}#${name}`, source };
		};
		registry.update([of('evil', 'db (work)'), of('work', 'db')]);
		const labels = (): string[] => registry.servers.map(it => registry.label(it));
		assert.deepEqual(labels(), ['db (work)', 'db']);
		registry.update([of('evil', 'db (work)'), of('work', 'db'), of('evil', 'db')]);
		assert.deepEqual(labels(), ['db (work) (evil)', 'db (work)', 'db (evil)']);
		assert.equal(registry.find('db (work)'), registry.servers[1]);
		assert.equal(registry.find(of('evil', 'db').id), registry.servers[2]);
		assert.equal(registry.labelled('db'), undefined);
	});

	it('takes the secrets of all servers out', async () => {
		registry.update([definition('a'), definition('b')]);
		registry.servers.forEach(it => it.log.redactor.hide([`secret of ${it.name}`]));
		assert.deepEqual(registry.redact(['secret of a', { b: 'secret of b' }]), ['<redacted>', { b: '<redacted>' }]);
	});

	it('takes the secrets of former servers out, and what a server was given only for its own records', async () => {
		registry.update([definition('a'), definition('b')]);
		const [a, b] = registry.servers;
		assert.ok(a && b);
		a.log.redactor.hide(['secret of a']);
		for (const it of [a, b]) {
			it.log.redactor.hideGiven([`given to ${it.name}`]);
		}
		const texts = ['secret of a', 'given to a', 'given to b'];
		const shown = (server?: Server): string[] => registry.redact(texts, server);
		const all = [shown(), shown(a), shown(b)];
		assert.deepEqual(all, [
			['<redacted>', 'given to a', 'given to b'],
			['<redacted>', '<redacted>', 'given to b'],
			['<redacted>', 'given to a', '<redacted>'],
		]);
		registry.update([definition('a', { args: ['--more'] }), definition('b')]);
		assert.deepEqual([shown(), shown(a), shown(b)], all);
		registry.update([]);
		assert.deepEqual([shown(), shown(a), shown(b)], all);
		await settled();
	});

	it('does not touch what did not change, wherever it stands now', async () => {
		registry.update([definition('a'), definition('b')]);
		const [a, b] = registry.servers;
		await a?.start();
		registry.update([{ ...definition('b'), offset: 9 }, { ...definition('a'), offset: 50 }, definition('c')]);
		assert.deepEqual([registry.servers[0] === b, registry.servers[1] === a, a?.state.kind], [true, true, 'running']);
		assert.deepEqual(changes, ['set', 'a starting', 'a running', 'set']);
	});

	it('a changed definition is another server: the old one stops, the new one waits to be started', async () => {
		registry.update([definition('a')]);
		const [before] = registry.servers;
		await before?.start();
		const transport = fixture.transport;
		registry.update([definition('a', { args: ['--more'] })]);
		const [after] = registry.servers;
		assert.ok(after && after !== before);
		assert.equal(after.state.kind, 'stopped');
		await registry.stopAll();
		assert.deepEqual(transport.calls, ['start', 'close', 'dispose']);
		assert.deepEqual(changes, ['set', 'a starting', 'a running', 'set']);
		await after.start();
		assert.equal(fixture.log.lines[0], 'info: Starting: a --more');
	});

	it('marks a server that was stopped because its definition changed, until it is started or stopped', async () => {
		const told: string[] = [];
		own(registry.onDidInterrupt(({ server, before }) => told.push(`${server.name} ${JSON.stringify(before.launch)}`)));
		registry.update([definition('a'), definition('b')]);
		await registry.find('a')?.start();
		const { launch } = definition('a');
		registry.update([definition('a', { args: ['1'] }), definition('b', { args: ['1'] })]);
		const states = (): unknown[] => registry.servers.map(it => it.state);
		assert.deepEqual(
			[states(), told],
			[[{ kind: 'stopped', hasChanged: true }, { kind: 'stopped' }], [`a ${JSON.stringify(launch)}`]],
		);
		// Another change of a server that already says so is no other interruption.
		registry.update([definition('a', { args: ['2'] })]);
		assert.deepEqual([states(), told.length], [[{ kind: 'stopped', hasChanged: true }], 1]);
		await registry.find('a')?.start();
		await registry.find('a')?.stop();
		assert.deepEqual(states(), [{ kind: 'stopped' }]);
	});

	it('what is removed while it runs is stopped, disposed, and cannot be started again', async () => {
		registry.update([definition('a')]);
		const server = registry.find('a');
		await server?.start();
		registry.update([]);
		await registry.stopAll();
		assert.deepEqual(fixture.transport.calls, ['start', 'close', 'dispose']);
		await server?.start();
		assert.equal(fixture.transports.length, 1);
	});

	it('what is removed while it starts is stopped', async () => {
		fixture.server = { methods: { initialize: () => undefined } };
		registry.update([definition('a')]);
		const starting = registry.find('a')?.start();
		await settled();
		registry.update([]);
		await registry.stopAll();
		assert.deepEqual(await starting, { kind: 'stopped' });
		assert.deepEqual(fixture.transport.calls, ['start', 'close', 'dispose']);
	});

	it('takes no configuration once it is told to stop: what is read while a window closes starts nothing', async () => {
		registry.update([definition('a')]);
		assert.equal(registry.isClosing, false);
		const stopping = registry.stopAll();
		registry.update([definition('a'), definition('late')]);
		await stopping;
		assert.equal(registry.isClosing, true);
		assert.deepEqual(
			registry.servers.map(it => it.name),
			['a'],
		);
	});

	it('a successor starts no process before nothing is left of those that had its id', async () => {
		const gates = [deferred<void>(), deferred<void>()];
		fixture.server = { onClose: () => gates[0]?.promise };
		registry.update([definition('a')]);
		await registry.find('a')?.start();
		// A successor that never ran, or that wasn't configured for a while, doesn't end the wait.
		registry.update([definition('a', { args: ['1'] })]);
		registry.update([]);
		fixture.server = { onClose: () => gates[1]?.promise };
		registry.update([definition('a', { args: ['2'] })]);
		const successor = registry.find('a');
		const starting = successor?.start();
		await settled();
		assert.deepEqual([successor?.state.kind, fixture.transports.length], ['starting', 1]);
		gates[0]?.resolve();
		assert.equal((await starting)?.kind, 'running');
		assert.deepEqual(fixture.transports[0]?.calls, ['start', 'close', 'dispose']);
		registry.update([definition('a')]);
		const next = registry.find('a');
		const waiting = next?.start();
		await settled();
		await next?.stop();
		assert.deepEqual([await waiting, fixture.transports.length], [{ kind: 'stopped' }, 2]);
		gates[1]?.resolve();
		await registry.stopAll();
	});

	it('closes the account of a server that is gone, and not of one that has another definition', async () => {
		const closed: string[] = [];
		const none = own(new Emitter<string>());
		const { event } = none;
		const accounts = {
			of: () => undefined,
			onDidChange: event,
			onDidChangeIdentity: event,
			close: (id: string) => void closed.push(id),
		};
		const [first, gone] = [definition('a'), definition('b')];
		const it = own(new ServerRegistry({ ...fixture.deps, accounts }));
		it.update([first, gone]);
		it.update([definition('a', { args: ['--more'] })]);
		await it.stopAll();
		await settled();
		assert.deepEqual(closed, [gone.id]);
	});

	it('stopAll waits for everyone, also for those who are on their way out', async () => {
		const gates = [deferred<void>(), deferred<void>()];
		let next = 0;
		registry.update([definition('a'), definition('b')]);
		for (const server of registry.servers) {
			fixture.server = { onClose: () => gates[next++]?.promise };
			await server.start();
		}
		registry.update([definition('b')]);
		let stopped = false;
		const stopping = registry.stopAll().then(() => (stopped = true));
		for (const gate of gates) {
			await settled();
			assert.equal(stopped, false);
			gate.resolve();
		}
		await stopping;
		await registry.stopAll();
	});

	it('trust that is granted later reaches every server', () => {
		fixture.trusted = false;
		registry.update([definition('a'), definition('b')]);
		fixture.grantTrust();
		assert.deepEqual(
			registry.servers.map(it => it.state.kind),
			['stopped', 'stopped'],
		);
		assert.deepEqual(changes, ['set', 'a stopped', 'b stopped']);
	});

	it('disposing it disposes all, at once', async () => {
		registry.update([definition('a'), definition('b')]);
		await Promise.all(registry.servers.map(it => it.start()));
		registry.dispose();
		registry.dispose();
		assert.deepEqual(
			fixture.transports.map(it => it.calls),
			[
				['start', 'dispose'],
				['start', 'dispose'],
			],
		);
		assert.deepEqual(names(), []);
	});

	it('what is configured after the end is not taken', () => {
		registry.dispose();
		registry.update([definition('a')]);
		assert.deepEqual(names(), []);
	});

	it('real processes: change, remove and stop leave none', async function () {
		this.timeout(20_000);
		const pids: number[] = [];
		fixture.open = (launch, onStderr) => {
			const transport = new StdioTransport(fixtureLaunch(launch.command), { graceMs: 2000, onStderr });
			const start = transport.start.bind(transport);
			transport.start = async () => {
				await start();
				pids.push(transport.pid ?? 0);
			};
			return transport;
		};
		cleanup.later(async () => {
			registry.dispose();
			await eventually(() => !pids.some(isAlive), 'the processes are gone');
		});
		const list = ['a', 'b', 'c'].map(it => ({ ...definition(it, { command: 'good' }) }));
		registry.update(list);
		await Promise.all(registry.servers.map(it => it.start()));
		assert.deepEqual(pids.map(isAlive), [true, true, true]);
		// One is removed, one is changed, one stays.
		const changed = definition('b', { command: 'good', args: ['x'] });
		registry.update([changed, ...list.slice(2)]);
		await eventually(() => pids.filter(isAlive).length === 1, 'two have ended');
		await registry.find('b')?.start();
		assert.equal(pids.filter(isAlive).length, 2);
		await registry.stopAll();
		assert.deepEqual(
			pids.map(isAlive),
			pids.map(() => false),
		);
		assert.equal(pids.length, 4);
	});

	it('tells of a change after the set has changed', async () => {
		const seen = next(registry.onDidChange).then(() => names());
		registry.update([definition('a')]);
		assert.deepEqual(await seen, ['a']);
	});
});

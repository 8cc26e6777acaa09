import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { Commands, trustCommand } from '../../../../src/editor/contributions.js';
import { actionsFor, byUrgency, overviewOf, type ServerAction } from '../../../../src/features/servers/statusBar.js';
import type { ServerState } from '../../../../src/core/servers/serverState.js';
import { projectRoot } from '../../../host/paths.js';

/** A state with nothing but its kind. */
const inState = (kind: ServerState['kind']): ServerState => ({ kind }) as ServerState;
/** The contexts of rows by state. */
const contexts: Readonly<Record<ServerState['kind'], string>> = {
	stopped: 'server.stopped',
	untrusted: 'server.idle',
	waiting: 'server.stopped',
	starting: 'server.running',
	running: 'server.running',
	stopping: 'server.idle',
	reconnecting: 'server.running',
	failed: 'server.failed',
};
const allKinds = Object.keys(contexts) as ServerState['kind'][];

describe('all servers at a glance', () => {
	it('counts what runs, what waits for a person, and what is not as it should be', () => {
		const count = (...states: ServerState['kind'][]): number[] => Object.values(overviewOf(states.map(inState)));
		assert.deepEqual(count(), [0, 0, 0]);
		assert.deepEqual(count('running', 'running', 'stopped', 'starting'), [2, 0, 0]);
		assert.deepEqual(count('failed', 'untrusted', 'waiting', 'reconnecting', 'running'), [1, 2, 3]);
		assert.deepEqual(count('stopping'), [0, 0, 0]);
	});

	it('puts what waits for a person first, and keeps the order otherwise', () => {
		const servers = (['running', 'reconnecting', 'stopped', 'failed', 'untrusted'] as const).map(kind => ({
			state: inState(kind),
		}));
		assert.deepEqual(
			byUrgency(servers).map(it => it.state.kind),
			['failed', 'untrusted', 'reconnecting', 'running', 'stopped'],
		);
	});

	it('offers to sign in where a server wants to know who we are, in place of a start', () => {
		const offered = actionsFor({ kind: 'waiting', what: 'signIn' }).map(it => commandOf[it]);
		assert.equal(offered[0], Commands.signIn);
		const menu = menuItems('server.signIn');
		assert.deepEqual(
			menu.filter(it => it.group.startsWith('inline')).map(it => it.command),
			[Commands.signIn, Commands.showServerLog],
		);
		assert.ok(offered.every(it => menu.some(other => other.command === it && !other.group.startsWith('inline'))));
	});

	// Menus can't call code, so their when-clauses repeat `actionsFor`.
	for (const kind of allKinds) {
		it(`offers for a server that is ${kind} the same in its menu, inline and in the status bar's list`, () => {
			const menu = menuItems(contexts[kind]);
			// A click on the row manages trust.
			const offered = actionsFor(inState(kind))
				.filter(it => it !== 'trust')
				.map(it => commandOf[it]);
			// Commands that other features add to the menu are ignored.
			const known = new Set(Object.values(commandOf));
			const inContext = menu
				.filter(it => !it.group.startsWith('inline') && known.has(it.command))
				.map(it => it.command);
			const inline = menu.filter(it => it.group.startsWith('inline')).map(it => it.command);
			assert.deepEqual(inContext.toSorted(), offered.toSorted());
			assert.ok(inline.length <= 2 && inline.every(it => inContext.includes(it)), inline.join(' '));
		});
	}
});

const commandOf: Readonly<Record<ServerAction, string>> = {
	trust: trustCommand,
	explain: Commands.explainServer,
	signIn: Commands.signIn,
	start: Commands.startServer,
	stop: Commands.stopServer,
	restart: Commands.restartServer,
	showLog: Commands.showServerLog,
	configure: Commands.openConfiguration,
};

interface MenuItem {
	readonly command: string;
	readonly when: string;
	readonly group: string;
}

/** The menu items of `package.json` for a row of the tree with this context value. */
function menuItems(viewItem: string): MenuItem[] {
	const manifest = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
		contributes: { menus: { 'view/item/context': MenuItem[] } };
	};
	return manifest.contributes.menus['view/item/context'].filter(({ when }) => {
		const [, equal, pattern] = /viewItem (?:== (\S+)|=~ \/(\S+)\/)$/.exec(when) ?? [];
		assert.ok(equal ?? pattern, when);
		return pattern === undefined ? equal === viewItem : new RegExp(pattern).test(viewItem);
	});
}

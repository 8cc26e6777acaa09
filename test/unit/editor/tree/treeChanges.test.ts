// Changes of rows that the editor would lose, with a double that behaves like the editor.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../../src/base/async.js';
import { TreeChanges } from '../../../../src/editor/tree/treeChanges.js';
import { leakCheck } from '../../../support/leakCheck.js';

interface Row {
	readonly name: string;
}
const group: Row = { name: 'group' };
const other: Row = { name: 'other' };
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe('changes of a tree', () => {
	const { own } = leakCheck();
	const { executeCommand } = vscode.commands;
	/** The window has received what was sent before. */
	let arrive: () => void;
	let changes: TreeChanges<Row>;
	let told: string[];

	beforeEach(() => {
		told = [];
		Object.assign(vscode.commands, {
			executeCommand: (command: string) => {
				assert.equal(command, 'noop');
				const arrival = deferred<void>();
				arrive = () => arrival.resolve();
				return arrival.promise;
			},
		});
		changes = own(new TreeChanges<Row>());
		own(changes.onDidChange(rows => told.push(rows?.map(it => it.name).join(' ') ?? 'all')));
	});
	afterEach(() => {
		Object.assign(vscode.commands, { executeCommand });
	});

	async function arrived(): Promise<void> {
		await turn();
		await turn();
		arrive();
		await turn();
	}

	/** The first rows have reached the window. */
	async function begin(): Promise<void> {
		changes.send(undefined, [group, other]);
		await arrived();
	}

	it('are told once where nothing is on its way', async () => {
		await begin();
		changes.send(group, []);
		await arrived();
		changes.fire([group]);
		changes.didRead(group);
		await turn();
		assert.deepEqual(told, ['group']);
	});

	it('are told again when the children of the row, which were on their way, have arrived', async () => {
		await begin();
		changes.fire([group]);
		// The person opens the row before the editor reads it.
		changes.send(group, []);
		changes.didRead(group);
		changes.didRead(other);
		await turn();
		assert.deepEqual(told, ['group'], 'not before');
		await arrived();
		assert.deepEqual(told, ['group', 'group']);
		changes.didRead(group);
		changes.send(group, []);
		await arrived();
		assert.equal(told.length, 2, 'and not a third time');
	});

	it('are told again only when children that are still being found have arrived', async () => {
		await begin();
		const rows = deferred<Row[]>();
		void changes.send(group, rows.promise);
		changes.didRead(group);
		changes.send(other, []);
		await arrived();
		assert.deepEqual(told, []);
		rows.resolve([]);
		await arrived();
		assert.deepEqual(told, ['group']);
	});

	it('are told again of all rows where these changed while the first were on their way', async () => {
		changes.send(undefined, [group]);
		changes.fire(undefined);
		await arrived();
		assert.deepEqual(told, ['all', 'all']);
		changes.send(undefined, [group]);
		changes.fire(undefined);
		await arrived();
		assert.equal(told.length, 3, 'the editor asks for later ones because of a change, one after the other');
	});

	it('that the editor still gathers when it asks for the first rows are told again', async () => {
		changes.fire(undefined);
		await begin();
		assert.deepEqual(told, ['all', 'all']);
	});

	it('are told although the editor refuses to answer, or the rows could not be found', async () => {
		await begin();
		Object.assign(vscode.commands, { executeCommand: () => Promise.reject(new Error('no such command')) });
		const rows = deferred<Row[]>();
		changes.send(group, rows.promise).catch(() => undefined);
		changes.didRead(group);
		rows.reject(new Error('not found'));
		await turn();
		await turn();
		assert.deepEqual(told, ['group']);
	});

	it('are not told after the end', async () => {
		changes.send(group, []);
		changes.didRead(group);
		changes.dispose();
		await arrived();
		assert.deepEqual(told, []);
	});
});

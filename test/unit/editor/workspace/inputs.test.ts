/** Values of inputs: only a question waits for another question. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Deferred, deferred, Sequencer } from '../../../../src/base/async.js';
import { AbortError } from '../../../../src/base/errors.js';
import { Inputs } from '../../../../src/editor/workspace/inputs.js';
import type { InputStore } from '../../../../src/editor/storage/inputStore.js';
import type { InputDefinition, ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import type { ResolveRequest } from '../../../../src/core/launch/resolvedServer.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import { definition } from '../../../support/modelFixture.js';
import { settled } from '../../../support/waiting.js';

describe('values of inputs', () => {
	const { executeCommand } = vscode.commands;
	let questions: Sequencer;
	let kept: Map<string, string>;
	let inputs: Inputs;
	let ran: string[];
	let command: Deferred<string>;
	/** A question of another server that is never answered. */
	let other: Deferred<void>;

	beforeEach(() => {
		questions = new Sequencer();
		kept = new Map([['token', 'sesame']]);
		ran = [];
		command = deferred();
		other = deferred();
		const store = {
			get: async (_: string, { id }: InputDefinition) => kept.get(id),
			set: async (_: string, { id }: InputDefinition, value: string) => void kept.set(id, value),
		};
		inputs = new Inputs(store as unknown as InputStore, questions, it => it.name);
		Object.assign(vscode.commands, {
			executeCommand: (id: string) => {
				ran.push(id);
				return command.promise;
			},
		});
		void questions.run(() => other.promise);
	});
	afterEach(() => {
		other.resolve();
		Object.assign(vscode.commands, { executeCommand });
	});

	const server = (...ids: readonly string[]): ServerDefinition =>
		({
			...definition('a'),
			launch: {
				kind: 'stdio',
				command: 'x',
				args: ids.map(it => `\${input:${it}}`),
				env: {},
				envFile: undefined,
				cwd: undefined,
			},
			inputs: ids.map(id =>
				id === 'picked'
					? { kind: 'command', id, command: 'vault.token', args: undefined }
					: { kind: 'promptString', id, description: undefined, default: undefined, password: true },
			),
		}) as unknown as ServerDefinition;
	const request = (signal = new AbortController().signal, mayAsk = true): ResolveRequest => ({
		signal,
		mayAsk,
		onAsk: () => undefined,
	});

	it('are known before a start if they are stored and still one of the options', async () => {
		const { inputs: defined, ...rest } = server('token', 'stage', 'other', 'picked');
		kept.set('stage', 'removed');
		const pick = (it: InputDefinition): InputDefinition =>
			it.id === 'stage'
				? { ...it, kind: 'pickString', default: undefined, options: [{ label: 'dev', value: 'dev' }] }
				: it;
		assert.deepEqual(await inputs.answered({ ...rest, inputs: defined.map(pick) }), new Set(['token']));
		assert.deepEqual(ran, []);
	});

	it('that are kept do not wait for the question of another server', async () => {
		const { values } = await inputs.resolve(server('token'), request());
		assert.deepEqual([...values], [['token', 'sesame']]);
	});

	it('that are missing are reported at once if the person may not be asked', async () => {
		await assert.rejects(inputs.resolve(server('name'), request(undefined, false)), { name: 'InputNeededError' });
	});

	it('have no default in a masked input box', async () => {
		other.resolve();
		const shown: unknown[] = [];
		let accept = (): void => undefined;
		const box = {
			value: '',
			password: false,
			onDidChangeValue: () => undefined,
			onDidAccept: (listener: () => void) => void (accept = listener),
			onDidTriggerButton: () => undefined,
			onDidHide: () => undefined,
			dispose: () => undefined,
			show: () =>
				setImmediate(() => {
					shown.push([box.password, box.value]);
					box.value = 'typed';
					accept();
				}),
		};
		Object.assign(vscode.window, { createInputBox: () => box });
		try {
			for (const password of [true, false]) {
				const input = { kind: 'promptString', id: 'key', description: undefined, default: '--import=x', password };
				const asked = { ...server('key'), inputs: [input] } as unknown as ServerDefinition;
				kept.clear();
				box.value = '';
				await inputs.resolve(asked, request());
			}
		} finally {
			Reflect.deleteProperty(vscode.window, 'createInputBox');
			closeHeldInput();
		}
		assert.deepEqual(shown, [
			[true, ''],
			[false, '--import=x'],
		]);
	});

	it('that commands give do not wait for it either', async () => {
		const resolved = inputs.resolve(server('picked'), request());
		await settled();
		assert.deepEqual(ran, ['vault.token']);
		command.resolve('4711');
		assert.deepEqual([...(await resolved).values], [['picked', '4711']]);
	});

	it('may come from a command that itself waits for a question', async () => {
		Object.assign(vscode.commands, { executeCommand: () => questions.run(async () => 'asked') });
		const resolved = inputs.resolve(server('picked'), request());
		other.resolve();
		assert.deepEqual([...(await resolved).values], [['picked', 'asked']]);
	});

	it('run a command once for servers that start together', async () => {
		const both = [inputs.resolve(server('picked'), request()), inputs.resolve(server('picked'), request())];
		await settled();
		command.resolve('4711');
		assert.deepEqual(
			(await Promise.all(both)).map(it => it.values.get('picked')),
			['4711', '4711'],
		);
		assert.deepEqual(ran, ['vault.token']);
	});

	it('are cancelled at once while they wait for a turn or a command, and asked for again afterwards', async () => {
		for (const id of ['name', 'picked']) {
			const stop = new AbortController();
			const resolved = inputs.resolve(server(id), request(stop.signal));
			await settled();
			stop.abort();
			await assert.rejects(resolved, AbortError);
		}
		const again = inputs.resolve(server('picked'), request());
		await settled();
		assert.deepEqual(ran, ['vault.token', 'vault.token']);
		command.resolve('4711');
		assert.equal((await again).values.get('picked'), '4711');
	});
});

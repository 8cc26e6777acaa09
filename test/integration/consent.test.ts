import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { consentBench, recorder } from './consentBench.js';
import { eventually, inState, records, workspaceFolder } from './support.js';

const inputCommand = 'mcpWorkbench.test.consent';

describe('consent to servers of a workspace', () => {
	const bench = consentBench();
	const { configure, server, set, sheet, start, started, startSeen, stateOf, write } = bench;

	it('shows what will be run, and runs nothing of it before it is allowed', async () => {
		const calls: unknown[] = [];
		const command = vscode.commands.registerCommand(inputCommand, () => calls.push('called') && 'value');
		try {
			const config = {
				servers: {
					shown: server({ args: [recorder, '--of=${input:run}', 'a b', 'safe\u202Egpj.exe $(zap)'], envFile: 'a.env' }),
				},
				inputs: [{ id: 'run', type: 'command', command: inputCommand, args: { text: 'a  b' } }],
			};
			fs.writeFileSync(path.join(workspaceFolder(), 'a.env'), 'X=1\nNODE_OPTIONS=--no-warnings\n');
			await configure(config, 'shown');
			const done = start('shown');
			await inState(bench.api, 'shown', 'waiting');
			const { title, lines, textOf } = await sheet();
			assert.equal(title, 'Allow "shown" to start?');
			assert.match(textOf('Program'), /^node → \/.*\/node$/);
			assert.equal(textOf('Arguments'), `${recorder} --of=\${input:run} "a b" "safe\\u{202e}gpj.exe $\u200B(zap)"`);
			assert.equal(textOf('Editor command'), `${inputCommand} {"text":"a⟨␣×2⟩b"} for input run`);
			assert.deepEqual(
				lines.filter(it => !/^(Program|Arguments|Editor command|…) /.test(it)),
				[
					'About this server',
					"Show in Full | Some details of this server aren't fully shown",
					'Reason | New server',
					`Working directory | ${workspaceFolder()}`,
					'Environment | RECORD_FILE = ${workspaceFolder}/recorder.jsonl',
					'Environment | A_TOKEN',
					'Environment file | a.env',
					'From environment file | NODE_OPTIONS = --no-warnings',
					'From environment file | X',
					`Exposed folders | ${path.basename(workspaceFolder())}`,
					`Configured in | .vscode/mcp.json in folder "${path.basename(workspaceFolder())}"`,
					'Decision',
					'Start | Opens the full view first',
					'Deny',
				],
			);
			assert.ok(!lines.some(it => it.includes('sesame')));
			assert.deepEqual([calls, started()], [[], 0]);

			await bench.inputs.pick(it => it.label === 'Deny');
			await done;
			assert.deepEqual([stateOf('shown'), calls, started()], ['waiting', [], 0]);

			const again = start('shown');
			await startSeen();
			await again;
			await inState(bench.api, 'shown', 'running');
			assert.deepEqual([calls, started()], [['called'], 1]);
			// Every variable of a file is part of what was seen.
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'shown' });
			fs.writeFileSync(path.join(workspaceFolder(), 'a.env'), 'X=2\nNODE_OPTIONS=--no-warnings\n');
			const other = start('shown');
			assert.equal((await sheet()).textOf('Summary'), 'Variable X in the environment file');
			await startSeen();
			await other;
			await inState(bench.api, 'shown', 'running');
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'shown' });
			fs.writeFileSync(path.join(workspaceFolder(), 'a.env'), 'X=2\nNODE_OPTIONS=--require ./evil.js\n');
			const changed = start('shown');
			const now = await sheet();
			assert.equal(now.textOf('Summary'), 'Variable NODE_OPTIONS in the environment file');
			assert.equal(now.textOf('From environment file'), 'NODE_OPTIONS = "--require ./evil.js"');
			await bench.inputs.pick(it => it.label === 'Deny');
			await changed;
			assert.equal(started(), 2);
		} finally {
			command.dispose();
		}
	});

	it('asks again for what has changed, and says what', async () => {
		await configure({ servers: { changing: server() } }, 'changing');
		const done = start('changing');
		await bench.inputs.pick(it => it.label === 'Start');
		await done;
		const changed = server({
			args: [recorder, '-x'],
			env: { RECORD_FILE: '${workspaceFolder}/recorder.jsonl', B: '1' },
		});
		write({ servers: { changing: changed } });
		assert.match(await bench.inputs.message(), /^changing was stopped because its configuration has changed\.$/);
		const again = start('changing');
		const { lines, textOf } = await sheet();
		assert.equal(textOf('Summary'), 'Arguments, Environment variable B (new), Environment variable A_TOKEN (removed)');
		assert.deepEqual(
			lines.filter(it => !it.startsWith('…')).slice(0, 5),
			['Changed', lines[1], lines.find(it => it.startsWith('Arguments | ')), 'Environment | B', 'About this server'],
			lines.join('\n'),
		);
		await bench.inputs.pick(it => it.label === 'Start');
		await again;
		await inState(bench.api, 'changing', 'running');
		assert.equal(started(), 2);
	});

	it('holds a server back that has changed when it comes back by itself, and says so once', async () => {
		const config = (command: string, more: object = {}): object => ({
			servers: { held: server({ args: [recorder, '${input:run}'] }), ...more },
			inputs: [{ id: 'run', type: 'command', command }],
		});
		const command = vscode.commands.registerCommand(inputCommand, () => 'value');
		try {
			await configure(config(inputCommand), 'held');
			const done = start('held');
			await startSeen();
			await done;
			write(config('other.command', { read: server() }));
			// The launch is the same, so only the other server tells that it was read.
			await eventually('the change', () => bench.api.servers().find(it => it.name === 'read'));
			const [pid] = records().flatMap(it => it.started ?? []);
			assert.ok(pid !== undefined);
			process.kill(pid, 'SIGKILL');
			await inState(bench.api, 'held', 'waiting');
			const name = path.basename(workspaceFolder());
			assert.equal(
				await bench.inputs.message(),
				`held has changed in .vscode/mcp.json in folder "${name}". Review it before it starts.`,
			);
			const again = start('held');
			assert.equal((await sheet()).textOf('Summary'), 'Input run');
			await bench.inputs.pick(it => it.label === 'Deny');
			await again;
			assert.equal(started(), 1);
		} finally {
			command.dispose();
		}
	});

	it('does not ask about a server that the person has just added', async () => {
		await configure({ servers: { old: server() } }, 'old');
		const done = vscode.commands.executeCommand('mcpWorkbench.server.add');
		await bench.inputs.type(`RECORD_FILE="${path.join(workspaceFolder(), 'recorder.jsonl')}" node ${recorder}`);
		await bench.inputs.type(undefined);
		await bench.inputs.pick();
		await done;
		await inState(bench.api, 'recorder', 'running');
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'recorder' });
		// The other one in the same file is asked about still.
		const other = start('old');
		await inState(bench.api, 'old', 'waiting');
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'old' });
		await other;
	});

	it('never asks about servers of the person', async () => {
		const env = { RECORD_FILE: path.join(workspaceFolder(), 'recorder.jsonl') };
		try {
			await set('servers', { mine: { command: 'node', args: [recorder], env } });
			await inState(bench.api, 'mine', 'stopped');
			await start('mine');
			await inState(bench.api, 'mine', 'running');
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'mine' });
		} finally {
			await set('servers', undefined);
		}
	});
});

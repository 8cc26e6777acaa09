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
			assert.equal(textOf('Environment'), `RECORD_FILE = ${workspaceFolder()}/recorder.jsonl`);
			assert.equal(textOf('Arguments'), `${recorder} --of=\${input:run} "a b" "safe\\u{202e}gpj.exe $\u200B(zap)"`);
			assert.equal(textOf('Editor command'), `${inputCommand} {"text":"a⟨␣×2⟩b"} for input run`);
			assert.deepEqual(
				lines.filter(it => !/^(Program|Arguments|Editor command|Environment \| RECORD_FILE|…) /.test(it)),
				[
					'About this server',
					"Show in Full | Some details of this server aren't fully shown",
					'Reason | New server: not allowed before',
					`Working directory | ${workspaceFolder()}`,
					'Environment | A_TOKEN = sesame-open-4711',
					'Environment file | a.env',
					'From environment file | X = 1',
					'From environment file | NODE_OPTIONS = --no-warnings',
					`Exposed folders | ${path.basename(workspaceFolder())}`,
					`Configured in | .vscode/mcp.json in folder "${path.basename(workspaceFolder())}"`,
					'Decision',
					'Start | Opens the full view first',
					'Deny',
				],
			);
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
			[
				'Changed',
				lines[1],
				lines.find(it => it.startsWith('Arguments | ')),
				'Environment | B = 1',
				'About this server',
			],
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

	it('shows the whole definition of a server that was just added, before the server starts', async () => {
		await configure({ servers: { old: server() } }, 'old');
		const done = vscode.commands.executeCommand('mcpWorkbench.server.add');
		await bench.inputs.type(`RECORD_FILE="${path.join(workspaceFolder(), 'recorder.jsonl')}" node ${recorder}`);
		await bench.inputs.type(undefined);
		await bench.inputs.pick(it => it.label === '.vscode/mcp.json');
		const { title, textOf } = await sheet();
		assert.equal(title, 'Allow "recorder" to start?');
		assert.equal(textOf('Environment'), `RECORD_FILE = ${path.join(workspaceFolder(), 'recorder.jsonl')}`);
		assert.equal(started(), 0);
		await bench.inputs.pick(it => it.label === 'Start');
		await done;
		await inState(bench.api, 'recorder', 'running');
	});

	it('asks about an environment file whose path needs an input, and compares the file at the next start', async () => {
		const stage = path.join(workspaceFolder(), 'dev.env');
		const config = {
			servers: { later: server({ envFile: '${input:stage}.env' }) },
			inputs: [{ id: 'stage', type: 'promptString', default: 'dev' }],
		};
		fs.writeFileSync(stage, 'GOCACHEPROG=sh go.cfg\n');
		try {
			await configure(config, 'later');
			const done = start('later');
			const first = await sheet();
			assert.equal(first.textOf('Input'), 'stage → Path of "envFile"');
			assert.equal(first.textOf('Input default'), 'stage = dev');
			await bench.inputs.pick(it => it.label === 'Start');
			await bench.inputs.type(undefined);
			const second = await sheet();
			assert.equal(second.textOf('From environment file'), 'GOCACHEPROG = "sh go.cfg"');
			assert.equal(started(), 0);
			await bench.inputs.pick(it => it.label === 'Start');
			await done;
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'later' });
			await start('later');
			await inState(bench.api, 'later', 'running');
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'later' });
			fs.writeFileSync(stage, 'GOCACHEPROG=sh evil\n');
			const changed = start('later');
			assert.equal((await sheet()).textOf('Summary'), 'Variable GOCACHEPROG in the environment file');
			await bench.inputs.pick(it => it.label === 'Deny');
			await changed;
			assert.equal(started(), 2);
		} finally {
			fs.rmSync(stage);
		}
	});

	it('asks only once about servers of the person', async () => {
		const env = { RECORD_FILE: path.join(workspaceFolder(), 'recorder.jsonl') };
		try {
			await set('servers', { mine: { command: 'node', args: [recorder], env } });
			await inState(bench.api, 'mine', 'stopped');
			const done = start('mine');
			const { lines } = await sheet();
			assert.ok(lines.includes('Configured in | User Settings'), lines.join('\n'));
			await bench.inputs.pick(it => it.label === 'Start');
			await done;
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'mine' });
			await start('mine');
			await inState(bench.api, 'mine', 'running');
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'mine' });
		} finally {
			await set('servers', undefined);
		}
	});
});

// Where a soak takes place: an editor with our extension and the one that works, servers over HTTP, and the books.
import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../src/node/machine/ports.js';
import { projectRoot } from '../../host/paths.js';
import { commandLine } from '../../host/processes.js';
import { openWorkbench, type Workbench } from '../../host/workbench.js';
import { enter, type Line, readLedger } from './ledger.js';
import { Commander, ledgerName, type Order } from './orders.js';
import { argumentsOf, Configuration, type Planned } from './plan.js';

export class Stage {
	private readonly processes = new Map<string, { readonly port: number; child: ChildProcess }>();

	private constructor(
		readonly workbench: Workbench,
		readonly root: string,
		readonly configuration: Configuration,
		readonly commander: Commander,
	) {}

	/** Opens an editor; what is configured is what `configure` writes before. */
	static async open(settings: Readonly<Record<string, unknown>>): Promise<Stage> {
		const fixture = fs.mkdtempSync(path.join(projectRoot, '.vscode-test', 'soak-'));
		try {
			const folders = ['first', 'second'].map(it => ({ path: it }));
			fs.writeFileSync(path.join(fixture, 'soak.code-workspace'), JSON.stringify({ folders }));
			Configuration.prepare(fixture);
			const workbench = await openWorkbench({
				workspace: fixture,
				settings,
				machine: { vsix: [], extensions: [projectRoot, path.join(projectRoot, 'test', 'fixtures', 'soak')] },
			});
			const root = path.dirname(workbench.workspace);
			await workbench.openView('MCP Workbench');
			return new Stage(workbench, root, new Configuration(root), new Commander(root));
		} finally {
			fs.rmSync(fixture, { recursive: true });
		}
	}

	get ledger(): string {
		return path.join(this.root, ledgerName);
	}

	lines(): Line[] {
		return readLedger(this.ledger);
	}

	/** Enters what is about to be done to a server, or to all. @param settleMs until it is done, from now */
	trouble(what: string, server: string | undefined, settleMs: number): void {
		const at = Date.now();
		enter(this.ledger, { kind: 'trouble', at, what, settled: at + settleMs, ...(server !== undefined && { server }) });
	}

	/** Configures a server; starts it, if it is one at a URL. */
	async add(planned: Planned): Promise<void> {
		const { name, transport, folder } = planned;
		if (transport === 'stdio') {
			const env = { SOAK_LEDGER: this.ledger, SOAK_NAME: name };
			this.configuration.set(folder, name, { command: 'node', args: argumentsOf(planned), env });
			return;
		}
		const port = await freePort();
		await this.serve(planned, port);
		const url = `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`;
		this.configuration.set(folder, name, { type: transport, url });
	}

	/** Kills the process of a server. @returns whether there was one */
	async kill(planned: Planned): Promise<boolean> {
		const served = this.processes.get(planned.name);
		if (!served) {
			const found = this.serverProcesses().filter(it => it.name === planned.name);
			found.forEach(it => process.kill(it.pid, 'SIGKILL'));
			return found.length > 0;
		}
		const gone = new Promise(resolve => {
			served.child.once('exit', resolve);
		});
		served.child.kill('SIGKILL');
		await gone;
		return true;
	}

	/** Starts what was killed at its URL again. */
	async revive(planned: Planned): Promise<void> {
		const served = this.processes.get(planned.name);
		if (served) {
			await this.serve(planned, served.port);
		}
	}

	/** Those that extension hosts have started. */
	serverProcesses(): { readonly pid: number; readonly name: string }[] {
		return this.workbench.session
			.processes()
			.map(({ pid }) => ({ pid, command: commandLine(pid).trim() }))
			.filter(({ command }) => /\.m?js /.test(command) && /servers\/|server-everything/.test(command))
			.map(({ pid, command }) => ({ pid, name: command.slice(command.lastIndexOf(' ') + 1) }));
	}

	/** Reloads the window, and waits for the next extension host. */
	async reload(): Promise<void> {
		const lives = path.join(this.root, 'lives');
		const before = fs.readFileSync(lives, 'utf8');
		await this.commander.order({ do: 'reload' });
		await this.eventually('another extension host', () => fs.readFileSync(lives, 'utf8') !== before);
	}

	/** @throws Error after two minutes */
	async eventually(what: string | (() => string), condition: () => boolean | Promise<boolean>): Promise<void> {
		for (const end = Date.now() + 120_000; !(await condition()); await delay(200)) {
			if (Date.now() > end) {
				throw new Error(`${typeof what === 'string' ? what : what()} did not come`);
			}
		}
	}

	async order(order: Order): Promise<ReturnType<Commander['order']>> {
		return this.commander.order(order);
	}

	async dispose(): Promise<void> {
		for (const { child } of this.processes.values()) {
			child.kill('SIGKILL');
		}
		await this.workbench.dispose();
	}

	private async serve(planned: Planned, port: number): Promise<void> {
		const child = spawn(process.execPath, argumentsOf(planned, port), {
			env: { ...process.env, PORT: String(port), SOAK_LEDGER: this.ledger, SOAK_NAME: planned.name },
			stdio: ['ignore', 'ignore', 'pipe'],
		});
		this.processes.set(planned.name, { port, child });
		let said = '';
		child.stderr.on('data', (chunk: Buffer) => {
			said = (said + chunk.toString()).slice(-1000);
		});
		await this.eventually(`${planned.name} on port ${port}`, () => said.includes(String(port)));
	}
}

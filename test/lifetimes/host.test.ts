// The editor host itself: whatever happens, what it starts it also ends, and its exit code says how it went.
import * as assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openBrowser } from '../host/browser.js';
import { settledQuickInput } from '../host/gestures.js';
import { programPath, projectRoot } from '../host/paths.js';
import { commandLine, isMarked, listProcesses } from '../host/processes.js';
import { IntegrationHost } from '../host/runIntegration.js';
import { HostSession } from '../host/session.js';
import { openWorkbench } from '../host/workbench.js';

const fixture = path.join(projectRoot, 'test', 'fixtures', 'hostextension');

type Mode = 'pass' | 'fail' | 'hang' | 'crash';

/** A program of the host under observation: all it starts carries a mark, all it writes goes into one folder. */
class Run {
	readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'host-'));
	readonly #mark = randomUUID();
	readonly #child: ChildProcess;
	readonly exitCode: Promise<number | null>;
	output = '';
	static readonly #all: Run[] = [];

	constructor(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
		this.#child = spawn(process.execPath, [programPath(program), ...args], {
			env: { ...process.env, ...env, HOST_TEST: this.#mark, TMPDIR: this.folder },
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const read = (chunk: Buffer): void => {
			this.output += chunk.toString();
		};
		this.#child.stdout?.on('data', read);
		this.#child.stderr?.on('data', read);
		this.exitCode = new Promise(resolve => {
			this.#child.on('close', resolve);
		});
		Run.#all.push(this);
	}

	/** Removes what failed tests left. */
	static cleanUp(): void {
		for (const run of Run.#all.splice(0)) {
			for (const line of run.processes()) {
				process.kill(Number.parseInt(line, 10), 'SIGKILL');
			}
			fs.rmSync(run.folder, { recursive: true, force: true });
		}
	}

	/** The fixture's tests in the launcher. */
	static launch(mode: Mode, ...args: string[]): Run {
		const paths = [`--extensionDevelopmentPath=${fixture}`, `--extensionTestsPath=${path.join(fixture, 'tests.js')}`];
		return new Run('launch', [...paths, fixture, ...args], { HOST_FIXTURE_MODE: mode });
	}

	async outputOf(pattern: RegExp): Promise<string> {
		await until(String(pattern), () => pattern.test(this.output));
		return pattern.exec(this.output)?.[0] ?? '';
	}

	signal(signal: NodeJS.Signals): void {
		this.#child.kill(signal);
	}

	processes(): string[] {
		return listProcesses()
			.filter(it => isMarked(it.pid, `HOST_TEST=${this.#mark}`))
			.map(it => `${it.pid} ${commandLine(it.pid)}`);
	}

	kill(pattern: RegExp): void {
		const found = this.processes().find(it => pattern.test(it));
		assert.ok(found !== undefined, `No ${String(pattern)} in\n${this.processes().join('\n')}`);
		process.kill(Number.parseInt(found, 10), 'SIGKILL');
	}

	/** Ends the observation. */
	assertNothingLeft(): void {
		const left = { processes: this.processes(), files: fs.readdirSync(this.folder) };
		assert.deepEqual(left, { processes: [], files: [] });
	}
}

async function until(what: string, condition: () => boolean): Promise<void> {
	for (const end = Date.now() + 90_000; !condition(); await delay(50)) {
		assert.ok(Date.now() < end, `${what}: not within 90 s`);
	}
}

describe('the launcher', function () {
	this.timeout(120_000);
	afterEach(() => {
		Run.cleanUp();
	});

	const cases: {
		name: string;
		mode: Mode;
		code: number;
		says: RegExp;
		act?: (run: Run) => void;
	}[] = [
		{ name: 'fails when a test fails', mode: 'fail', code: 1, says: /Error: 1 test failed/ },
		{
			name: 'fails when the extension host dies',
			mode: 'crash',
			code: 1,
			says: /The extension host ended before the tests did/,
			act: run => {
				// The process that nobody deactivates any more: it would get all the time to end by itself.
				run.kill(/setInterval/);
			},
		},
		{
			name: 'fails when the server dies',
			mode: 'hang',
			code: 1,
			says: /The VS Code server ended \(SIGKILL\)/,
			act: run => {
				run.kill(/server-main\.js/);
			},
		},
		{
			name: 'fails when the browser dies',
			mode: 'hang',
			code: 1,
			says: /The browser ended/,
			act: run => {
				// Not the shell that Debian starts it with.
				run.kill(/^\d+ (?!\/bin\/sh ).*chrom.*--remote-debugging-pipe/i);
			},
		},
		{
			name: 'ends in good order on Ctrl+C',
			mode: 'hang',
			code: 130,
			says: /deactivated/,
			act: run => {
				run.signal('SIGINT');
			},
		},
	];
	for (const { name, mode, code, says, act } of cases) {
		it(name, async () => {
			const run = Run.launch(mode);
			if (act !== undefined) {
				await run.outputOf(/hanging|crashing/);
				act(run);
			}
			assert.equal(await run.exitCode, code, run.output);
			assert.match(run.output, says);
			run.assertNothingLeft();
		});
	}

	it('gives up after its time-out', async () => {
		const run = Run.launch('hang', '--host-timeout=6');
		assert.equal(await run.exitCode, 1);
		assert.match(run.output, /(did not begin|said nothing) within 6 s/);
		run.assertNothingLeft();
	});
});

describe('runs of tests in one browser', function () {
	this.timeout(240_000);

	it('know nothing of each other; after one that crashed, there is another browser', async () => {
		const host = new IntegrationHost({ kind: 'browser', title: 'the newest editor', editor: 'newest' });
		const run = async (mode: Mode): Promise<number | string> =>
			host
				.run({
					extensionDevelopmentPath: fixture,
					extensionTestsPath: path.join(fixture, 'tests.js'),
					workspace: fixture,
					env: { HOST_FIXTURE_MODE: mode },
				})
				.catch(String);
		const browsers = (): number[] =>
			listProcesses()
				.filter(it => it.parent === process.pid && /chrom.*--remote-debugging-pipe/i.test(commandLine(it.pid)))
				.map(it => it.pid);
		const others = browsers();
		const browser = (): number | undefined => browsers().find(it => !others.includes(it));
		try {
			assert.equal(await run('pass'), 0);
			const first = browser();
			assert.ok(first);
			assert.equal(await run('pass'), 0);
			assert.equal(browser(), first);
			assert.match(String(await run('crash')), /The extension host ended before the tests did/);
			assert.equal(browser(), undefined);
			assert.equal(await run('pass'), 0);
			assert.ok(browser());
		} finally {
			await host.dispose();
		}
		assert.equal(browser(), undefined);
	});
});

describe('npm start', function () {
	this.timeout(120_000);
	afterEach(() => {
		Run.cleanUp();
	});

	for (const [signal, code] of [
		['SIGTERM', 143],
		['SIGINT', 130],
	] as const) {
		it(`prints an address, opens the view and the walkthrough, and ends everything on ${signal}`, async () => {
			const data = fs.mkdtempSync(path.join(os.tmpdir(), 'start-'));
			const run = new Run('start', ['--no-open', `--data=${data}`]);
			const session = new HostSession();
			try {
				const address = await run.outputOf(/http:\S+/);
				const browser = await openBrowser(session);
				const page = browser.pages()[0] ?? (await browser.newPage());
				await page.goto(address);
				// The view is in front, beside the walkthrough.
				await page.locator('.getting-started-step[data-step-id$="#firstSteps#server"]').waitFor();
				const row = page.locator('.part.sidebar .monaco-list-row', { hasText: 'everything' }).first();
				await row.hover();
				await row.locator('.action-label[aria-label^="Start Server"]').click();
				// The demo is a workspace as any other: what it configures is shown first.
				await settledQuickInput(page);
				await page.locator('.quick-input-list .monaco-list-row:has(.codicon-debug-start)').click();
				await until('the MCP server has started', () => run.processes().some(it => it.includes('server-everything')));
				run.signal(signal);
				assert.equal(await run.exitCode, code);
				run.assertNothingLeft();
			} finally {
				await session.dispose();
				fs.rmSync(data, { recursive: true });
			}
		});
	}
});

describe('openWorkbench', function () {
	this.timeout(120_000);

	for (const editor of ['newest', 'oldest'] as const) {
		it(`shows a workbench with toasts and lists (${editor})`, async () => {
			const workbench = await openWorkbench({
				machine: { editor, vsix: [], extensions: [fixture] },
				workspace: fixture,
			});
			try {
				await workbench.runCommand('Host Fixture: Hello');
				await workbench.notification('Hello from the fixture');
				await workbench.openView('Explorer');
				await workbench.row('package.json').waitFor();
				assert.deepEqual(
					(await workbench.rows()).map(it => `${it.level} ${it.text}`),
					['1 extension.js', '1 package.json', '1 tests.js'],
				);
				assert.deepEqual(await workbench.notifications(), ['Hello from the fixture']);
				await workbench.screenshot(`host-${editor}`);
			} finally {
				await workbench.dispose();
			}
			assert.deepEqual(workbench.session.processes(), []);
			assert.equal(fs.existsSync(workbench.session.folder), false);
		});
	}
});

/**
 * Runs tools of a real server from their pages in a bare page. Everything on the extension's side is real: the server with its
 * process, the registry, the page with its form, and the calls.
 */
import * as assert from 'node:assert/strict';
import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { Emitter } from '../../src/base/lifecycle.js';
import { deferred } from '../../src/base/async.js';
import { emptyPolicy } from '../../src/core/approvals/approval.js';
import { Approver } from '../../src/core/approvals/approver.js';
import { type CallEnd, type CallOutcome, Calls } from '../../src/core/calls/calls.js';
import { MessageRing } from '../../src/core/messages/messageRing.js';
import type { Server } from '../../src/core/servers/server.js';
import { ServerRegistry } from '../../src/core/servers/serverRegistry.js';
import { EditorState } from '../../src/editor/storage/editorState.js';
import { LastArguments } from '../../src/features/tools/lastArguments.js';
import { currentTool, ToolRunner, type RunnerDeps } from '../../src/features/tools/runTool.js';
import { createToolPages, type ToolPagesDeps } from '../../src/features/tools/toolPages.js';
import type { PageRun } from '../../src/editor/pages/runPage.js';
import type { RunPages } from '../../src/editor/pages/runPages.js';
import type { JsonObject, Tool, ToolResult } from '../../src/mcp/index.js';
import { AjvValidator } from '../../src/mcp/schema/ajvValidator.js';
import { StdioTransport } from '../../src/node/process/stdioTransport.js';
import { fillForm } from '../support/fillForm.js';
import { inherited } from '../support/fixtureServer.js';
import { MemoryTools } from '../support/memoryTools.js';
import { definition, ModelFixture } from '../support/modelFixture.js';
import { makeMemento } from '../support/vscodeDouble.js';
import { BarePage, extensionUri } from './barePage.js';

export interface Launch {
	/** The server's script, run by Node. */
	readonly file: string;
	readonly args?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
}

/** The result of a run. */
export interface RunResult {
	readonly result: ToolResult;
	/** The texts of the result. */
	readonly text: string;
}

export class RealTools {
	bare!: BarePage;
	/** A folder for the files of the tests. Deleted after the suite. */
	readonly folder = path.join(os.tmpdir(), `mcp-workbench-${crypto.randomUUID()}`);
	private server!: Server;
	private pages!: RunPages<Tool>;
	private outcome = deferred<CallOutcome>();
	private readonly disposables: { dispose(): void }[] = [];

	/** Registers the hooks of a suite, whose tests share one server. @param launch called before the first test */
	static use(launch: (folder: string) => Promise<Launch> | Launch): RealTools {
		const tools = new RealTools();
		before(async function () {
			this.timeout(30_000);
			fs.mkdirSync(tools.folder);
			tools.bare = await BarePage.shared();
			await tools.start(await launch(tools.folder));
		});
		beforeEach(() => tools.bare.reset());
		afterEach(function () {
			assert.deepEqual(this.currentTest?.state === 'passed' ? tools.bare.problems : [], []);
		});
		after(async () => {
			await tools.server.stop();
			tools.disposables.toReversed().forEach(it => it.dispose());
			fs.rmSync(tools.folder, { recursive: true });
		});
		return tools;
	}

	/** The path of a file or folder within `folder`. */
	at(...names: readonly string[]): string {
		return path.join(this.folder, ...names);
	}

	/** Opens the page of a tool. */
	async open(name: string): Promise<void> {
		this.pages.show(this.server, await currentTool(this.server, name), true);
		await this.bare.load();
	}

	/** The field with a label, of the open page. */
	field(label: string): Locator {
		return this.bare.page.getByLabel(label, { exact: true });
	}

	/** Enters arguments into the open page. */
	async enter(values: JsonObject): Promise<void> {
		await fillForm(this.bare.page.getByRole('main'), values);
		await this.bare.settle();
	}

	/** Runs the tool with the keyboard, and waits until the page shows how the call has ended. */
	async run(): Promise<CallEnd> {
		const { bare } = this;
		this.outcome = deferred();
		await bare.press('Control+Enter');
		const problems = bare.page.getByRole('alert').or(bare.page.locator('[aria-invalid=true]'));
		assert.equal(await problems.filter({ visible: true }).count(), 0, 'The page refuses the arguments.');
		const { end } = await this.outcome.promise;
		await bare.settle();
		return end;
	}

	/** Runs a tool as a person does: opens its page, enters the arguments, presses Run, and waits for the result. */
	async runWith(name: string, values: JsonObject): Promise<RunResult> {
		await this.open(name);
		await this.enter(values);
		const end = await this.run();
		if (end.kind !== 'answered') {
			throw new Error(`The call has ${end.kind}.`, { cause: 'error' in end ? end.error : undefined });
		}
		const shown = await this.bare.page.getByRole('main').innerText();
		assert.match(shown, end.result.isError ? /The tool reported an error/ : /Done/);
		const text = end.result.content.map(it => (it.type === 'text' ? it.text : '')).join('\n');
		return { result: end.result, text };
	}

	/** Makes a call without a page, to prepare the server. */
	async call(name: string, args: JsonObject): Promise<void> {
		const { client = assert.fail('The server does not run.') } = this.server;
		await client.callTool(name, args);
	}

	private async start({ file, args = [], env = {} }: Launch): Promise<void> {
		const own = <T extends { dispose(): void }>(it: T): T => {
			this.disposables.push(it);
			return it;
		};
		const fixture = new ModelFixture({ own, later: () => undefined });
		fixture.open = (launch, onStderr) => new StdioTransport(launch, { graceMs: 5000, onStderr });
		fixture.roots = [{ uri: `file://${this.folder}`, name: 'folder' }];
		const registry = own(new ServerRegistry(fixture.deps));
		const launch = {
			command: process.execPath,
			args: [file, ...args],
			env: { ...inherited(), ...env },
			cwd: this.folder,
		};
		registry.update([definition('server', launch)]);
		this.server = registry.find('server') ?? assert.fail();
		const state = await this.server.start();
		assert.equal(state.kind, 'running', JSON.stringify(state));
		const messages = own(new MessageRing());
		const ajv = new AjvValidator();
		const calls = own(
			new Calls(
				anyCall(),
				() => false,
				async () => undefined,
			),
		);
		const last = new LastArguments(new EditorState(makeMemento()));
		const noChange = own(new Emitter<void>());
		const runner = own(
			new ToolRunner({
				registry,
				last,
				calls,
				showOutcome: () => undefined,
				state: new EditorState(makeMemento()),
				pending: { mayHoldUp: () => false },
				isSilenceExpected: () => false,
			} as unknown as RunnerDeps),
		);
		this.pages = own(
			createToolPages({
				registry,
				documents: {},
				history: { entries: [], loadMore: async () => undefined, onDidChange: noChange.event },
				validator: {
					check: async (schema: unknown, value: unknown) => ajv.check(JSON.stringify(schema), JSON.stringify(value)),
				},
				accounts: { of: () => undefined },
				last,
				changed: { has: () => false },
				toolTokens: { of: () => ({ tokens: 1, isEstimate: true }), onDidCount: noChange.event },
				messages,
				context: { extensionUri },
				run: (server: Server, tool: Tool, given: JsonObject, place: PageRun) =>
					runner.runInPage(server, tool, given, {
						...place,
						onOutcome: it => {
							place.onOutcome(it);
							this.outcome.resolve(it);
						},
					}),
			} as unknown as ToolPagesDeps),
		);
	}
}

/** An approver that allows every call of the person. */
function anyCall(): Approver {
	return new Approver({
		policies: {
			ofDefinition: async () => ({ kind: 'read', policy: { rules: [], otherwise: 'ask' } }),
			ofUser: () => ({ kind: 'read', policy: emptyPolicy }),
		},
		tools: new MemoryTools(),
		grants: { list: () => [], add: async () => undefined },
		isTrusted: () => true,
		isAuthored: async () => false,
		roots: () => [],
		ignoresCase: false,
		// The person is asked only if the definition of the tool is too large to be stored.
		open: () => ({
			ask: async ({ request }) => ({ kind: 'allow', arguments: request.arguments, lasts: 'once', about: 'tool' }),
			dispose: () => undefined,
		}),
	});
}

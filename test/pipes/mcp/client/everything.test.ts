// The client against real servers over real pipes: @modelcontextprotocol/server-everything and -filesystem.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { nullLogger } from '../../../../src/base/log.js';
import { Client, type Progress, type Root, type ToolResult, type WireEvent } from '../../../../src/mcp/index.js';
import { StdioTransport } from '../../../../src/node/process/stdioTransport.js';
import { projectRoot } from '../../../host/paths.js';
import { inherited } from '../../../support/fixtureServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { onMessage } from '../../../support/onMessage.js';
import { summary } from '../../../support/memoryTransport.js';
import { SentCheck } from '../../../support/sentCheck.js';
import { eventually, isAlive, next } from '../../../support/waiting.js';

function text({ content }: ToolResult): string {
	return content.map(it => (it.type === 'text' ? it.text : it.type)).join('\n');
}

function isSent(method: string): (event: WireEvent) => boolean {
	return event =>
		event.kind === 'message' && event.direction === 'sent' && (event.message as { method?: string }).method === method;
}

describe('real servers', function () {
	this.timeout(30_000);
	const { own, later } = leakCheck();

	interface Connected {
		readonly client: Client;
		readonly transport: StdioTransport;
		/** The methods of the server's requests, with our answers. */
		readonly transcript: string[];
		readonly setRoots: (...roots: Root[]) => Promise<void>;
	}

	/** Starts a server package and connects to it. */
	async function connect(name: string, args: readonly string[], ...firstRoots: Root[]): Promise<Connected> {
		let roots = firstRoots;
		const file = path.join(path.dirname(packageFile(name)), 'dist', 'index.js');
		const launch = { command: process.execPath, args: [file, ...args], cwd: undefined, env: inherited() };
		// Everything does not notice the end of stdin, so SIGTERM has to follow soon.
		const transport = new StdioTransport(launch, { graceMs: 200, onStderr: () => undefined });
		const clientInfo = { name: 'test', version: '1' };
		const client = own(
			new Client({
				open: () => transport,
				clientInfo,
				timeoutMs: 20_000,
				log: nullLogger,
				handlers: { roots: () => roots },
			}),
		);
		const transcript: string[] = [];
		own(client.onDidTransfer(new SentCheck().follow));
		own(
			onMessage(client, ({ direction, message }) => {
				transcript.push(`${direction === 'sent' ? '>' : '<'} ${summary(message)}`);
			}),
		);
		later(async () => {
			await client.close();
			const { pid } = transport;
			assert.equal(pid !== undefined && isAlive(pid), false, 'the process is left');
		});
		await client.connect(new AbortController().signal);
		const setRoots = async (...changed: Root[]): Promise<void> => {
			roots = changed;
			await client.notifyRootsChanged();
		};
		return { client, transport, transcript, setRoots };
	}

	describe('server-everything', () => {
		const root = { uri: 'file:///one', name: 'one' };

		it('agrees on the newest revision, lists, reads and calls', async () => {
			const { client } = await connect('server-everything', ['stdio'], root);
			const { session } = client;
			assert.equal(session.protocolVersion, '2025-11-25');
			assert.ok(session.serverInfo.name && session.capabilities?.tools && session.instructions);
			const [tools, resources, templates, prompts] = await Promise.all([
				client.listTools(),
				client.listResources(),
				client.listResourceTemplates(),
				client.listPrompts(),
			]);
			const names = tools.map(it => it.name);
			assert.ok(
				['echo', 'get-sum', 'get-structured-content'].every(it => names.includes(it)),
				names.join(),
			);
			assert.ok(resources.length > 0 && templates.length > 0 && prompts.length > 0);
			const [contents] = await client.readResource(resources[0]?.uri ?? '');
			assert.equal(contents?.uri, resources[0]?.uri);
			assert.equal(text(await client.callTool('echo', { message: 'ä\u2028😀' })), 'Echo: ä\u2028😀');
			const structured = await client.callTool('get-structured-content', { location: 'New York' });
			assert.ok(typeof structured.structuredContent === 'object' && structured.structuredContent !== null);
			const failed = await client.callTool('get-sum', { a: 'x' });
			assert.equal(failed.isError, true);
		});

		it('reports progress', async () => {
			const { client } = await connect('server-everything', ['stdio']);
			const seen: Progress[] = [];
			const args = { duration: 0.09, steps: 3 };
			const result = await client.callTool('trigger-long-running-operation', args, { onProgress: it => seen.push(it) });
			assert.match(text(result), /completed/);
			assert.deepEqual(seen, [
				{ progress: 1, total: 3 },
				{ progress: 2, total: 3 },
				{ progress: 3, total: 3 },
			]);
		});

		// covers: cancel.interop
		it('is told that a call was cancelled, and goes on', async () => {
			const { client, transcript } = await connect('server-everything', ['stdio']);
			const controller = new AbortController();
			const cancelled = next(client.onDidTransfer, isSent('notifications/cancelled'));
			const call = client.callTool(
				'trigger-long-running-operation',
				{ duration: 60, steps: 6000 },
				{ signal: controller.signal, onProgress: () => controller.abort() },
			);
			await assert.rejects(call, { name: 'AbortError' });
			await cancelled;
			// The server may send requests at any time.
			assert.match(
				transcript.findLast(it => it.startsWith('> notifications/')) ?? '',
				/^> notifications\/cancelled {"requestId":\d+,"reason":"cancelled"}$/,
			);
			assert.equal(text(await client.callTool('get-sum', { a: 1, b: 2 })), 'The sum of 1 and 2 is 3.');
		});

		it('asks for the roots, and again when they change', async () => {
			const { client, transcript, setRoots } = await connect('server-everything', ['stdio'], root);
			const answered = (uri: string) => (): boolean => transcript.some(it => it.startsWith('> #') && it.includes(uri));
			await eventually(answered('file:///one'), 'the roots were asked for');
			await setRoots({ uri: 'file:///two' });
			await eventually(answered('file:///two'), 'the roots were asked for again');
			const roots = await client.callTool('get-roots-list', {});
			assert.match(text(roots), /1 total[^]*file:\/\/\/two/);
		});

		it('sends its log from the level that was asked for', async () => {
			const { client } = await connect('server-everything', ['stdio']);
			await client.setLoggingLevel('debug');
			const logged = next(client.onDidLog);
			await client.callTool('toggle-simulated-logging', {});
			assert.ok((await logged).data !== undefined);
		});
	});

	describe('server-filesystem', () => {
		let folders: string[];
		beforeEach(() => {
			folders = ['a', 'b'].map(name => {
				const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `mcp-workbench-${name}-`)));
				fs.writeFileSync(path.join(folder, 'file.txt'), `in ${name}\n`);
				return folder;
			});
		});
		afterEach(() => folders.forEach(it => fs.rmSync(it, { recursive: true })));

		// covers: roots.interop
		it('may read what the roots allow, and something else after they have changed', async () => {
			const [a = '', b = ''] = folders;
			const { client, transcript, setRoots } = await connect('server-filesystem', [a], { uri: pathToFileURL(a).href });
			assert.equal(client.session.protocolVersion, '2025-11-25');
			const read = async (folder: string): Promise<string> => {
				const result = await client.callTool('read_text_file', { path: path.join(folder, 'file.txt') });
				return result.isError ? 'denied' : text(result);
			};
			assert.deepEqual([await read(a), await read(b)], ['in a\n', 'denied']);
			await setRoots({ uri: pathToFileURL(b).href, name: 'b' });
			await eventually(() => transcript.some(it => it.startsWith('> #') && it.includes(b)), 'the roots were asked for');
			// The server handles the answer at some later time; a call shows when it has.
			let allowed = '';
			while (!allowed.includes(b)) {
				allowed = text(await client.callTool('list_allowed_directories', {}));
			}
			assert.deepEqual([await read(a), await read(b)], ['denied', 'in b\n']);
		});
	});
});

/** The package.json of an official server, wherever it is installed. */
function packageFile(name: string): string {
	return createRequire(path.join(projectRoot, 'package.json')).resolve(`@modelcontextprotocol/${name}/package.json`);
}

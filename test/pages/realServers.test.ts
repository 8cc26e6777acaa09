/**
 * Tools of third-party servers, which are filled in and run from their pages only. Each row has the values that the person
 * enters, and checks the effect on the server: in its files, its repository, or its answer.
 */
import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '../../src/mcp/index.js';
import { ensureChromium } from '../host/debian.js';
import { until } from '../host/gestures.js';
import { packageFile } from '../support/realServers.js';
import { RealTools, type RunResult } from './realTools.js';

interface Row {
	readonly tool: string;
	/** Prepares the server. */
	readonly given?: () => unknown;
	/** The values that the person enters, by label. */
	readonly values: JsonObject;
	readonly check: (result: RunResult) => unknown;
}

function runs(tools: RealTools, rows: readonly Row[]): void {
	for (const row of rows) {
		it(row.tool, async function () {
			this.timeout(20_000);
			await row.given?.();
			await row.check(await tools.runWith(row.tool, row.values));
		});
	}
}

describe('tools that run from their pages', () => {
	describe('of server-everything', () => {
		const file = packageFile('@modelcontextprotocol/server-everything', 'index.js');
		const tools = RealTools.use(() => ({ file, args: ['stdio'], env: { MCP_WORKBENCH_TEST_NOTE: 'here' } }));
		runs(tools, [
			{
				tool: 'echo',
				values: { message: '"two" – zwei' },
				check: ({ text }) => assert.equal(text, 'Echo: "two" – zwei'),
			},
			{
				tool: 'get-sum',
				values: { a: 2.5, b: -4 },
				check: ({ text }) => assert.equal(text, 'The sum of 2.5 and -4 is -1.5.'),
			},
			{
				tool: 'get-env',
				values: {},
				check: ({ text }) => assert.match(text, /"MCP_WORKBENCH_TEST_NOTE": "here"/),
			},
			{
				tool: 'get-structured-content',
				values: { location: 'Chicago' },
				check: ({ result }) => assert.equal(typeof (result.structuredContent as JsonObject)['temperature'], 'number'),
			},
			{
				tool: 'get-annotated-message',
				values: { messageType: 'debug', includeImage: true },
				check: ({ result }) =>
					assert.deepEqual(
						result.content.map(it => it.type),
						['text', 'image'],
					),
			},
			{
				tool: 'get-resource-links',
				values: { count: 2 },
				check: ({ result }) => assert.equal(result.content.filter(it => it.type === 'resource_link').length, 2),
			},
			{
				tool: 'gzip-file-as-resource',
				values: { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' },
				check: ({ result }) => {
					const [block] = result.content;
					const resource = block?.type === 'resource' ? block.resource : assert.fail();
					assert.equal('blob' in resource && gunzipSync(Buffer.from(resource.blob, 'base64')).toString(), 'hello');
				},
			},
			{
				tool: 'trigger-long-running-operation',
				values: { duration: 0.1, steps: 2 },
				check: ({ text }) => assert.match(text, /0\.1 seconds, Steps: 2/),
			},
		]);
	});

	describe('of server-filesystem', () => {
		const file = packageFile('@modelcontextprotocol/server-filesystem', 'index.js');
		const tools = RealTools.use(folder => ({ file, args: [folder] }));
		const { at } = bound(tools);
		const write = (name: string, text: string): void => {
			fs.mkdirSync(path.dirname(at(name)), { recursive: true });
			fs.writeFileSync(at(name), text);
		};
		const read = (name: string): string => fs.readFileSync(at(name), 'utf8');
		runs(tools, [
			{
				tool: 'write_file',
				values: { path: at('written.txt'), content: 'one\n\ttwo "three"\n' },
				check: () => assert.equal(read('written.txt'), 'one\n\ttwo "three"\n'),
			},
			{
				tool: 'edit_file',
				given: () => write('edited.txt', 'red\ngreen\nblue\n'),
				values: {
					path: at('edited.txt'),
					edits: [
						{ oldText: 'red', newText: 'rot' },
						{ oldText: 'blue', newText: 'blau' },
					],
				},
				check: () => assert.equal(read('edited.txt'), 'rot\ngreen\nblau\n'),
			},
			{
				tool: 'create_directory',
				values: { path: at('made/inner') },
				check: () => assert.ok(fs.statSync(at('made/inner')).isDirectory()),
			},
			{
				tool: 'move_file',
				given: () => write('from.txt', 'x'),
				values: { source: at('from.txt'), destination: at('to.txt') },
				check: () => assert.ok(!fs.existsSync(at('from.txt')) && read('to.txt') === 'x'),
			},
			{
				tool: 'read_multiple_files',
				given: () => ['1', '2'].forEach(it => write(`several/${it}.txt`, `text ${it}`)),
				values: { paths: [at('several/1.txt'), at('several/2.txt')] },
				check: ({ text }) => assert.match(text, /text 1[^]*text 2/),
			},
			{
				tool: 'read_text_file',
				given: () => write('lines.txt', 'a\nb\nc\n'),
				values: { path: at('lines.txt'), head: 2 },
				check: ({ text }) => assert.equal(text, 'a\nb'),
			},
			{
				tool: 'search_files',
				given: () => ['kept', 'left'].forEach(it => write(`found/${it}/note.md`, '')),
				values: { path: at('found'), pattern: '**/*.md', excludePatterns: ['left/**'] },
				check: ({ text }) => assert.equal(text, at('found/kept/note.md')),
			},
			{
				tool: 'directory_tree',
				given: () => ['kept', 'left'].forEach(it => write(`tree/${it}/note.md`, '')),
				values: { path: at('tree'), excludePatterns: ['left', '*.txt'] },
				check: ({ text }) => assert.ok(text.includes('kept') && !text.includes('left')),
			},
		]);
	});

	describe('of server-memory', () => {
		const file = packageFile('@modelcontextprotocol/server-memory', 'index.js');
		const tools = RealTools.use(folder => ({ file, env: { MEMORY_FILE_PATH: path.join(folder, 'graph.jsonl') } }));
		const { at } = bound(tools);
		const ann = { type: 'entity', name: 'Ann', entityType: 'person', observations: ['tall', 'quick'] };
		const bob = { type: 'entity', name: 'Bob', entityType: 'person', observations: [] };
		const knows = { type: 'relation', from: 'Ann', to: 'Bob', relationType: 'knows' };
		const likes = { ...knows, relationType: 'likes' };
		const given = (...graph: readonly object[]): void =>
			fs.writeFileSync(at('graph.jsonl'), graph.map(it => JSON.stringify(it)).join('\n'));
		const becomes = (...graph: readonly object[]): void =>
			assert.deepEqual(
				fs
					.readFileSync(at('graph.jsonl'), 'utf8')
					.split('\n')
					.map(it => JSON.parse(it) as unknown),
				graph,
			);
		runs(tools, [
			{
				tool: 'create_entities',
				given: () => given(),
				values: {
					entities: [
						{ name: 'Ann', entityType: 'person', observations: ['tall', 'quick'] },
						{ name: 'Bob', entityType: 'person' },
					],
				},
				check: () => becomes(ann, bob),
			},
			{
				tool: 'create_relations',
				given: () => given(ann, bob),
				values: { relations: [{ from: 'Ann', to: 'Bob', relationType: 'knows' }] },
				check: () => becomes(ann, bob, knows),
			},
			{
				tool: 'add_observations',
				given: () => given(bob),
				values: { observations: [{ entityName: 'Bob', contents: ['kind', 'old'] }] },
				check: () => becomes({ ...bob, observations: ['kind', 'old'] }),
			},
			{
				tool: 'delete_observations',
				given: () => given(ann),
				values: { deletions: [{ entityName: 'Ann', observations: ['tall'] }] },
				check: () => becomes({ ...ann, observations: ['quick'] }),
			},
			{
				tool: 'delete_relations',
				given: () => given(ann, bob, knows, likes),
				values: { relations: [{ from: 'Ann', to: 'Bob', relationType: 'knows' }] },
				check: () => becomes(ann, bob, likes),
			},
			{
				tool: 'delete_entities',
				given: () => given(ann, bob),
				values: { entityNames: ['Ann'] },
				check: () => becomes(bob),
			},
			{
				tool: 'open_nodes',
				given: () => given(ann, bob),
				values: { names: ['Bob', 'Nobody'] },
				check: ({ text }) => assert.ok(text.includes('Bob') && !text.includes('Ann')),
			},
		]);
	});

	describe('of git-mcp-server', () => {
		const file = packageFile('@cyanheads/git-mcp-server', 'index.js');
		const env = {
			GIT_CONFIG_GLOBAL: os.devNull,
			GIT_CONFIG_NOSYSTEM: '1',
			GIT_AUTHOR_NAME: 'Ann',
			GIT_AUTHOR_EMAIL: 'ann@example.com',
			GIT_COMMITTER_NAME: 'Ann',
			GIT_COMMITTER_EMAIL: 'ann@example.com',
		};
		const tools = RealTools.use(folder => ({ file, env: { ...env, MCP_LOG_LEVEL: 'error', LOGS_DIR: folder } }));
		const { at } = bound(tools);
		const git = (repository: string, ...args: readonly string[]): string =>
			execFileSync('git', args, { cwd: at(repository), env: { ...process.env, ...env }, encoding: 'utf8' }).trim();
		/** A repository with one commit, and two new files. */
		const given = (repository: string) => (): void => {
			fs.mkdirSync(at(repository));
			git(repository, 'init', '--quiet', '--initial-branch=main');
			git(repository, 'commit', '--quiet', '--allow-empty', '--message=First');
			['a.txt', 'b.txt'].forEach(it => fs.writeFileSync(at(repository, it), it));
		};
		runs(tools, [
			{
				tool: 'git_init',
				values: { path: at('made'), initialBranch: 'trunk' },
				given: () => fs.mkdirSync(at('made')),
				check: () => assert.equal(git('made', 'symbolic-ref', 'HEAD'), 'refs/heads/trunk'),
			},
			{
				tool: 'git_add',
				given: given('add'),
				values: { path: at('add'), paths: ['a.txt', 'b.txt'] },
				check: () => assert.equal(git('add', 'diff', '--cached', '--name-only'), 'a.txt\nb.txt'),
			},
			{
				tool: 'git_commit',
				given: given('commit'),
				values: {
					path: at('commit'),
					message: 'Second\n\nWith a body.',
					author: { name: 'Bob', email: 'bob@example.com' },
					filesToStage: ['b.txt'],
				},
				check: () => {
					assert.equal(git('commit', 'log', '-1', '--format=%an %ae|%B'), 'Bob bob@example.com|Second\n\nWith a body.');
					assert.equal(git('commit', 'ls-files'), 'b.txt');
				},
			},
			{
				tool: 'git_branch',
				given: given('branch'),
				values: { path: at('branch'), mode: 'create', branchName: 'topic' },
				check: () => assert.equal(git('branch', 'branch', '--list', 'topic'), 'topic'),
			},
			{
				tool: 'git_checkout',
				given: given('checkout'),
				values: { path: at('checkout'), target: 'other', createBranch: true },
				check: () => assert.equal(git('checkout', 'branch', '--show-current'), 'other'),
			},
			{
				tool: 'git_tag',
				given: given('tag'),
				values: { path: at('tag'), mode: 'create', tagName: 'v1', message: 'The first' },
				check: () => assert.equal(git('tag', 'tag', '--list', '--format=%(refname:short) %(subject)'), 'v1 The first'),
			},
		]);
	});

	describe('of server-debug', () => {
		const file = packageFile('@modelcontextprotocol/server-debug', 'index.js');
		const tools = RealTools.use(folder => ({ file, args: ['--stdio', `--log-file=${path.join(folder, 'log')}`] }));
		const { at } = bound(tools);
		runs(tools, [
			{
				tool: 'debug-log',
				values: { type: 'note', payload: { list: [1, { deep: null }] } },
				check: () => {
					const { type, payload } = JSON.parse(fs.readFileSync(at('log'), 'utf8')) as JsonObject;
					assert.deepEqual({ type, payload }, { type: 'note', payload: { list: [1, { deep: null }] } });
				},
			},
			{
				tool: 'debug-tool',
				values: { contentType: 'mixed', multipleBlocks: false, includeStructuredContent: false, simulateError: true },
				check: ({ result }) => assert.deepEqual([result.isError, result.structuredContent], [true, undefined]),
			},
		]);
	});

	describe('of the browser of @playwright/mcp', () => {
		const file = packageFile('@playwright/mcp', 'cli.js', '.');
		/** The paths that the visited page has requested from its server. */
		const asked: string[] = [];
		const site = http.createServer(({ url = '' }, response) => {
			asked.push(decodeURIComponent(url));
			response.setHeader('content-type', 'text/html').end(page);
		});
		let address = '';
		const tools = RealTools.use(async folder => {
			await new Promise<void>(resolve => {
				site.listen(0, '127.0.0.1', resolve);
			});
			address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
			const browser = ['--headless', '--isolated', '--no-sandbox', `--executable-path=${await ensureChromium()}`];
			// The server stores files in the home folder.
			return { file, args: [...browser, `--output-dir=${folder}`, '--timeout-settle=0'], env: { HOME: folder } };
		});
		after(() => site.close());
		const open = (): Promise<void> => tools.call('browser_navigate', { url: address });
		const tells = (url: string): Promise<void> => until(url, async () => asked.includes(url), 10_000);
		runs(tools, [
			{
				tool: 'browser_navigate',
				get values() {
					return { url: `${address}/visited` };
				},
				check: () => tells('/visited'),
			},
			{
				tool: 'browser_fill_form',
				given: open,
				values: {
					fields: [
						{ target: '#name', name: 'Name', type: 'textbox', value: 'Ann Lee' },
						{ target: '#loud', name: 'Loud', type: 'checkbox', value: 'true' },
					],
				},
				check: () => Promise.all([tells('/name/Ann Lee'), tells('/loud/true')]),
			},
			{
				tool: 'browser_select_option',
				given: open,
				values: { target: '#colors', values: ['red', 'blue'] },
				check: () => tells('/colors/red,blue'),
			},
			{
				tool: 'browser_emulate_media',
				given: open,
				values: { colorScheme: 'dark' },
				check: () => tells('/dark'),
			},
		]);
	});
});

/** A page that reports each input to its server. */
const page = `<!DOCTYPE html><title>Site</title>
<input id="name"><input id="loud" type="checkbox">
<select id="colors" multiple><option>red</option><option>green</option><option>blue</option></select>
<script>
	const valueOf = ({ type, checked, selectedOptions, value }) =>
		type === 'checkbox' ? checked : selectedOptions ? [...selectedOptions].map(it => it.value) : value;
	addEventListener('input', ({ target }) => fetch('/' + target.id + '/' + valueOf(target)));
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => fetch('/dark'));
</script>`;

function bound(tools: RealTools): Pick<RealTools, 'at'> {
	return { at: (...names) => tools.at(...names) };
}

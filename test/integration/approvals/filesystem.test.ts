/** The reference server for files, under a policy that looks at paths: what it is told to write is really written. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi, ProtocolObject } from '../../../src/api.js';
import { QuickInputs } from '../quickInputs.js';
import { activate, callTool, inState, workspaceFolder } from '../support.js';

describe('calls that reach files', () => {
	let api: ExtensionApi;
	let inputs: QuickInputs;
	const { showInformationMessage } = vscode.window;
	const paths = ['path', 'paths', 'source', 'destination'];
	const writeRules = (...rules: object[]): void =>
		fs.writeFileSync(inWorkspace('.vscode', 'mcp-policy.json'), JSON.stringify({ rules }));
	const inWorkspace = (...names: string[]): string => path.join(workspaceFolder(), ...names);

	before(async () => {
		api = await activate();
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'files' });
		await inState(api, 'files', 'running');
		writeRules(
			{ decision: 'deny', outsideRoots: true, paths },
			{ decision: 'allow', server: 'files', annotations: { readOnlyHint: true } },
			{ decision: 'ask', tool: 'write_*' },
		);
	});

	beforeEach(() => {
		inputs = new QuickInputs();
		Object.assign(vscode.window, { showInformationMessage: () => Promise.resolve('Review') });
	});

	afterEach(() => {
		inputs.dispose();
		Object.assign(vscode.window, { showInformationMessage });
	});

	after(async () => {
		fs.rmSync(inWorkspace('.vscode', 'mcp-policy.json'), { force: true });
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'files' });
		await inState(api, 'files', 'stopped');
	});

	const call = (tool: string, args: ProtocolObject): Promise<ProtocolObject> => callTool(api, 'files', tool, args);
	const write = (file: string, content: string): Promise<unknown> => call('write_file', { path: file, content });
	const choose = (label: string): Promise<{ lines: string[] }> => inputs.pick(it => it.label === label);

	it('ask before they write, with what they reach and the rule, and then write', async () => {
		const file = inWorkspace('note.txt');
		const written = write(file, 'Water the roses.');
		const { lines } = await choose('Allow Once');
		assert.ok(lines.includes('Reason | Rule 3 of mcp-policy.json'), lines.join('\n'));
		assert.ok(lines.includes(`Paths | ${path.basename(workspaceFolder())}`), lines.join('\n'));
		await written;
		assert.equal(fs.readFileSync(file, 'utf8'), 'Water the roses.');
	});

	it('write nothing when they are denied', async () => {
		const file = inWorkspace('denied.txt');
		const refused = assert.rejects(write(file, 'x'), { code: 'denied' });
		await choose('Deny');
		await refused;
		assert.equal(fs.existsSync(file), false);
	});

	it('write what the person has made of it', async () => {
		const [file, other] = [inWorkspace('one.txt'), inWorkspace('two.txt')];
		const written = write(file, 'x');
		await inputs.pick(it => it.label === 'Edit Arguments…');
		await inputs.pick(it => it.label.startsWith('path'));
		await inputs.type(other);
		await inputs.pick(it => it.label === 'Use These Arguments');
		await choose('Allow Once');
		await written;
		assert.deepEqual([fs.existsSync(file), fs.readFileSync(other, 'utf8')], [false, 'x']);
	});

	it('read without a question where a rule allows what the server says only reads', async () => {
		fs.writeFileSync(inWorkspace('read.txt'), 'Read me.');
		const { content } = await call('read_text_file', { path: inWorkspace('read.txt') });
		assert.deepEqual(content, [{ type: 'text', text: 'Read me.' }]);
	});

	it('go nowhere outside of the folders, by whatever way the path is written', async () => {
		const outside = path.join(os.tmpdir(), 'mcp-workbench-outside.txt');
		for (const file of [outside, path.join(workspaceFolder(), '..', 'x.txt'), `${workspaceFolder()}/a/../../x.txt`]) {
			await assert.rejects(call('read_text_file', { path: file }), (error: Error) => {
				assert.match(error.message, /Rule 1 of mcp-policy\.json/, file);
				return true;
			});
		}
	});

	it('read and write inside the folder without a question where a rule names the arguments that are paths', async () => {
		writeRules({ decision: 'allow', server: 'files', root: '*', paths });
		const [file, moved] = [inWorkspace('inside.txt'), inWorkspace('moved.txt')];
		await write(file, 'import "../x";\n$HOME ~ C:\\');
		await call('edit_file', { path: file, edits: [{ oldText: 'x', newText: '../y\n' }] });
		await call('move_file', { source: file, destination: moved });
		await call('list_directory', { path: workspaceFolder() });
		await call('read_multiple_files', { paths: [moved] });
		assert.match(fs.readFileSync(moved, 'utf8'), /^import "\.\.\/\.\.\/y\n/);
		const outside = assert.rejects(call('read_text_file', { path: '/etc/hostname' }), { code: 'denied' });
		await choose('Deny');
		await outside;
	});
});

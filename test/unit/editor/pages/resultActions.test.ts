/** Copying, saving and opening a result; the test answers the dialogs. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import {
	copyBlock,
	copyOutcome,
	openBlock,
	openStructured,
	saveBlock,
	saveOutcome,
} from '../../../../src/editor/pages/resultHost.js';
import type { Documents } from '../../../../src/editor/documents/documents.js';
import type { ContentBlock, ToolResult } from '../../../../src/mcp/index.js';
import type { CallEnd, CallOutcome } from '../../../../src/core/calls/calls.js';
import { screen } from '../../../support/quickPickDouble.js';
import { makeFolder, workspace } from '../../../support/vscodeDouble.js';

const text: ContentBlock = { type: 'text', text: 'Two\nlines.' };
const image: ContentBlock = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
const picture: ContentBlock = {
	type: 'resource',
	resource: { uri: 'a://pictures/7?size=8', mimeType: 'image/png', blob: 'iVBORw0KGgo=' },
};
const blob: ContentBlock = { type: 'resource', resource: { uri: 'a://b/c/d.zip?x#y', blob: 'UEsDBAA=' } };
const page: ContentBlock = { type: 'resource', resource: { uri: 'a://b/c/d.md', text: '# D' } };
const notes: ContentBlock = {
	type: 'resource',
	resource: { uri: 'a://b/c/e.md', blob: Buffer.from('\uFEFF# E').toString('base64') },
};
const link: ContentBlock = { type: 'resource_link', uri: 'a://b', name: 'b' };
const strange: ContentBlock = { type: 'unknown', raw: { type: 'hologram' } };
const result: ToolResult = { content: [text, image, strange], structuredContent: { a: 1 }, isError: false };

function outcome(end: CallEnd): CallOutcome {
	const tool = { name: '../dig/it', inputSchema: {} };
	// Nothing here asks the server.
	return { id: '1', server: undefined as never, tool, arguments: { bed: 'south' }, durationMs: 5, end };
}
const ended = outcome({ kind: 'answered', result, schemaCheck: undefined, warnings: [] });
const failed = outcome({ kind: 'failed', error: new Error('gone') });

describe('actions on a result', () => {
	const original = { ...vscode.window };
	let folder: string;
	const target = (): string => path.join(folder, 'saved');
	/** What was asked: the lines of a list, or the names that were proposed. */
	let asked: string[];

	beforeEach(() => {
		asked = [];
		folder = makeFolder();
		workspace.workspaceFolders = [{ uri: vscode.Uri.file(folder), name: 'garden', index: 0 }];
		Object.assign(vscode.window, {
			showSaveDialog: async ({ defaultUri }: vscode.SaveDialogOptions) => {
				asked.push(path.basename(defaultUri?.path ?? ''));
				return vscode.Uri.file(target());
			},
		});
	});
	afterEach(() => {
		const { showSaveDialog, showInformationMessage } = original;
		Object.assign(vscode.window, { showSaveDialog, showInformationMessage });
		screen.onShow = () => undefined;
		workspace.workspaceFolders = undefined;
		fs.rmSync(folder, { recursive: true });
	});

	function choose(label: string | undefined): void {
		screen.onShow = pick => {
			asked.push(...pick.items.map(it => it.label));
			if (label === undefined) {
				pick.hide();
			} else {
				pick.accept(label);
			}
		};
	}

	async function copied(work: () => Promise<unknown>): Promise<string> {
		await vscode.env.clipboard.writeText('nothing');
		await work();
		return vscode.env.clipboard.readText();
	}

	const forms: readonly (readonly [label: string | undefined, copied: string])[] = [
		['Text', 'Two\nlines.\n\n[image · image/png · 8 B]\n\n{\n  "type": "hologram"\n}'],
		['JSON', JSON.stringify({ content: [text, image, strange.raw], structuredContent: { a: 1 } }, undefined, 2)],
		['Structured result', '{\n  "a": 1\n}'],
		['Arguments', '{\n  "bed": "south"\n}'],
		[undefined, 'nothing'],
	];
	for (const [label, expected] of forms) {
		it(`is copied as ${label ?? 'nothing, where the list is left'}`, async () => {
			choose(label);
			assert.equal(await copied(() => copyOutcome(ended)), expected);
			assert.deepEqual(asked, ['Text', 'JSON', 'Structured result', 'Arguments']);
		});
	}

	it('copies only the arguments if there is no result', async () => {
		choose('Arguments');
		assert.equal(await copied(() => copyOutcome(failed)), '{\n  "bed": "south"\n}');
		assert.deepEqual(asked, ['Arguments']);
		await saveOutcome(failed);
		assert.equal(fs.readFileSync(target(), 'utf8'), '{\n  "bed": "south"\n}');
	});

	it('is saved whole, under a name that stays in the chosen folder', async () => {
		await saveOutcome(ended);
		const { content, structuredContent } = JSON.parse(fs.readFileSync(target(), 'utf8')) as ToolResult;
		assert.deepEqual([content, structuredContent], [[text, image, strange.raw], { a: 1 }]);
		await saveOutcome({ ...ended, tool: { name: '/plan', inputSchema: {} } });
		assert.deepEqual(asked, ['.._dig_it.json', 'plan.json']);
	});

	const blocks: readonly (readonly [what: string, block: ContentBlock, copied: string, saved: string, name: string])[] =
		[
			['text', text, 'Two\nlines.', 'Two\nlines.', '.._dig_it.txt'],
			['an image', image, 'iVBORw0KGgo=', '\x89PNG\r\n\x1A\n', '.._dig_it.png'],
			['a picture', picture, 'iVBORw0KGgo=', '\x89PNG\r\n\x1A\n', '7.png'],
			['bytes', blob, 'UEsDBAA=', 'PK\x03\x04\0', 'd.zip'],
			['text as bytes', notes, '# E', '\xEF\xBB\xBF# E', 'e.md'],
			['a page', page, '# D', '# D', 'd.md'],
			['a link', link, 'a://b', 'a://b', '.._dig_it.txt'],
			['something else', strange, '{\n  "type": "hologram"\n}', '{\n  "type": "hologram"\n}', '.._dig_it.json'],
		];
	for (const [what, block, inClipboard, saved, name] of blocks) {
		it(`has a block of ${what}, which is copied and saved`, async () => {
			assert.equal(await copied(() => copyBlock(block)), inClipboard);
			await saveBlock(ended, block);
			assert.equal(fs.readFileSync(target(), 'latin1'), saved);
			assert.deepEqual(asked, [name]);
		});
	}

	it('is opened in an editor up to the size that editors show', async () => {
		const shown: string[] = [];
		const documents = {
			showFile: async (title: string, value: string) => void shown.push(`${title}: ${value}`),
		} as unknown as Documents;
		await openStructured(ended, documents);
		await openBlock(ended, text, documents);
		await openBlock(ended, page, documents);
		await openBlock(ended, notes, documents);
		await openBlock(ended, strange, documents);
		assert.deepEqual(shown, [
			'../dig/it.json: {\n  "a": 1\n}',
			'../dig/it.txt: Two\nlines.',
			'd.md: # D',
			'e.md: # E',
			'../dig/it.json: {\n  "type": "hologram"\n}',
		]);
		const messages: string[] = [];
		Object.assign(vscode.window, {
			showInformationMessage: async (message: string, choice: string) => {
				messages.push(message);
				return choice;
			},
		});
		const large = 'x'.repeat(20_000_001);
		await openBlock(ended, { type: 'text', text: large }, documents);
		assert.equal(shown.length, 5);
		assert.deepEqual(messages, ['The content is too large for an editor (20 MB).']);
		assert.equal(fs.statSync(target()).size, large.length);
		await assert.rejects(copyBlock({ type: 'text', text: large }), /too large to copy/);
	});
});

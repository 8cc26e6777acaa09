/** The list of pages agrees with docs/, and the selected page is opened. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { listPages, openDocumentation } from '../../../../src/features/documentation/pages.js';
import { projectRoot } from '../../../host/paths.js';
import { screen } from '../../../support/quickPickDouble.js';

const docs = path.join(projectRoot, 'docs');
const read = (file: string): string => fs.readFileSync(path.join(docs, file), 'utf8');

/** What a person types, and the page that must come first. */
const searches = {
	token: 'Sign-in',
	import: 'Server configuration',
	log: 'Troubleshooting',
	rules: 'Approvals',
	telemetry: 'Security',
	cursor: 'Server configuration',
	copilot: 'Models and other extensions',
	untrusted: 'Security',
	'raw messages': 'Messages',
	'disable tool': 'Server configuration',
	docker: 'Troubleshooting',
	elicitation: 'What servers ask',
	'why does my server not start': 'Troubleshooting',
	'How do I keep a server from reading outside my project?': 'Security',
	'Where does it keep my token?': 'Sign-in',
	'How do I add a server?': 'Server configuration',
	'Where do I put an API key?': 'Server configuration',
	'How do I run a tool?': 'Tools and results',
	'How do I see every message?': 'Messages',
	'How do I stop being asked about every call?': 'Approvals',
	'How does Copilot use my servers?': 'Models and other extensions',
	'What does it send to whom?': 'Security',
	'Why does my server not start?': 'Troubleshooting',
};

describe('the documentation', () => {
	afterEach(() => {
		mock.reset();
		screen.onShow = pick => pick.hide();
	});

	it('lists every page of docs with its heading, as docs/README.md does', () => {
		const pages = listPages();
		assert.deepEqual(
			pages.map(([file]) => file).toSorted(),
			fs.readdirSync(docs).filter(it => it.endsWith('.md') && it !== 'README.md'),
		);
		for (const [file, title] of pages) {
			assert.ok(read(file).startsWith(`# ${title}\n`), file);
		}
		const rows = Array.from(read('README.md').matchAll(/^\| (\S.*\?) +\| \[(.+)\]\((.+)\) +\|$/gm));
		assert.deepEqual(
			rows.map(([, question, title, file]) => [file, title, question]),
			pages,
		);
	});

	it('opens the preview of the selected page', async () => {
		const run = mock.method(vscode.commands, 'executeCommand', () => Promise.resolve());
		await select('Approvals');
		assert.deepEqual(
			run.mock.calls.map(it => it.arguments.map(String)),
			[['markdown.showPreview', String(vscode.Uri.file(path.join(docs, 'approvals.md')))]],
		);
	});

	it('opens the text in an editor without the Markdown extension', async () => {
		mock.method(vscode.commands, 'executeCommand', () => Promise.reject(new Error('not found')));
		const opened: string[] = [];
		const window = vscode.window as unknown as Record<'showTextDocument', (uri: vscode.Uri) => Promise<void>>;
		window.showTextDocument = uri => {
			opened.push(String(uri));
			return Promise.resolve();
		};
		await select('Commands and keys');
		assert.deepEqual(opened, [String(vscode.Uri.file(path.join(docs, 'commands-and-keys.md')))]);
	});

	for (const [typed, title] of Object.entries(searches)) {
		it(`finds the page ${title} by "${typed}"`, async () => {
			assert.equal((await find(typed))[0], title);
		});
	}

	it('lists all pages if none has the words', async () => {
		assert.equal((await find('qwertz')).length, listPages().length);
	});

	it('opens nothing if no page is selected', async () => {
		const run = mock.method(vscode.commands, 'executeCommand', () => Promise.resolve());
		screen.onShow = pick => pick.hide();
		await openDocumentation(vscode.Uri.file(projectRoot));
		assert.equal(run.mock.callCount(), 0);
	});
});

/** Runs the command and selects the page with the title. */
async function select(title: string): Promise<void> {
	screen.onShow = pick => pick.accept(title);
	await openDocumentation(vscode.Uri.file(projectRoot));
}

/** The titles of the lines that are shown for a typed text, in their order. */
async function find(typed: string): Promise<string[]> {
	let titles: string[] = [];
	screen.onShow = pick => {
		pick.type(typed);
		titles = pick.items.filter(it => it.alwaysShow === true).map(it => it.label);
		pick.hide();
	};
	await openDocumentation(vscode.Uri.file(projectRoot));
	return titles;
}

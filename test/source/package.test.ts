/** What is shipped: exactly what runs, and what the editor shows about it. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { projectRoot } from '../host/paths.js';
import { listLinks } from '../support/markdownLinks.js';
import { createNotices, noticesFile } from '../support/notices.js';

interface Packer {
	readonly problemsOf: (
		packed: { readonly size: number; readonly files: ReadonlyMap<string, Buffer> },
		built: ReadonlyMap<string, Buffer>,
	) => string[];
	readonly rewriteLinks: (
		name: string,
		text: string,
		packed: ReadonlySet<string>,
		repository: string | undefined,
	) => string;
}

const packer = createRequire(path.join(projectRoot, 'package.json'))('./package.js') as Packer;

describe('the package', () => {
	let copy: string;
	before(() => (copy = fs.mkdtempSync(path.join(os.tmpdir(), 'package-'))));
	after(() => fs.rmSync(copy, { recursive: true }));

	it('holds only what runs', async function () {
		// Loading the packager alone takes seconds.
		this.timeout(180_000);
		// Walking through what is installed takes longest. All is ignored that is not named, and these are not.
		const installed = ['.git', '.vscode-test', 'node_modules', 'out'];
		const [everything, ...named] = fs.readFileSync(path.join(projectRoot, '.vscodeignore'), 'utf8').split('\n');
		assert.equal(everything, '**');
		assert.ok(!named.some(line => installed.some(it => line.startsWith(`!${it}`))));
		for (const name of fs.readdirSync(projectRoot).filter(it => !installed.includes(it))) {
			fs.cpSync(path.join(projectRoot, name), path.join(copy, name), { recursive: true });
		}
		const files = await listFiles({ cwd: copy, packageManager: PackageManager.None });
		assert.deepEqual(files.toSorted(), [
			'CHANGELOG.md',
			'LICENSE',
			'README.md',
			'SECURITY.md',
			'THIRD-PARTY-NOTICES.txt',
			'dist/api.d.ts',
			'dist/authorization.js',
			'dist/demo.js',
			'dist/extension.js',
			'dist/page.js',
			'dist/result.js',
			'dist/validator.js',
			'docs/README.md',
			'docs/api.md',
			'docs/approvals.md',
			'docs/comparison.md',
			'docs/configuration.md',
			'docs/keyboard.md',
			'docs/models-and-chat.md',
			'docs/prompts.md',
			'docs/protocol-support.md',
			'docs/resources.md',
			'docs/security.md',
			'docs/settings.md',
			'docs/sign-in.md',
			'docs/tools-and-results.md',
			'docs/troubleshooting.md',
			'l10n/bundle.l10n.zh-cn.json',
			'media/activityBar.svg',
			'media/icon.png',
			'media/languages/text.tmLanguage.json',
			'media/page.css',
			'media/result.css',
			'media/schemas/mcpPolicy.schema.json',
			'media/schemas/mcpServers.schema.json',
			'media/walkthrough/answer.svg',
			'media/walkthrough/history.svg',
			'media/walkthrough/server.svg',
			'media/walkthrough/start.svg',
			'media/walkthrough/tool.svg',
			'media/walkthrough/view.svg',
			'package.json',
			'package.nls.json',
			'package.nls.zh-cn.json',
		]);
	});

	it('says whose work it contains, as of now', async function () {
		this.timeout(30_000);
		const text = await createNotices();
		assert.ok(['ajv', 'oauth4webapi', 'cross-spawn', 'eventsource-parser'].every(it => text.includes(`\n${it} `)));
		assert.equal(fs.readFileSync(path.join(projectRoot, noticesFile), 'utf8'), text, 'npm run notices makes it anew');
	});

	it('is refused if it is too large, or holds another build than that for production', () => {
		const { problemsOf } = packer;
		const [small, large] = [Buffer.from('a'), Buffer.from('a // what was minified')];
		const built = new Map([['dist/a.js', small]]);
		const packed = (files: Record<string, Buffer>, size = 500_000): string[] =>
			problemsOf({ size, files: new Map(Object.entries(files)) }, built);
		assert.deepEqual(packed({ 'extension/dist/a.js': small, 'extension/LICENSE': large }), []);
		assert.deepEqual(packed({ 'extension/dist/a.js': small }, 500_001), ['500001 bytes are more than 500000']);
		assert.deepEqual(packed({}), ['dist/a.js is missing']);
		assert.deepEqual(packed({ 'extension/dist/a.js': large }), [
			'dist/a.js (22 bytes) is not the production build (1 bytes)',
		]);
		assert.deepEqual(packed({ 'extension/dist/a.js': small, 'extension/dist/a.js.map': small }), [
			'dist/a.js.map is no bundle',
		]);
	});

	describe('links of its documents', () => {
		const repository = 'https://example.org/a/b';
		const packed = new Set(['extension/docs/api.md', 'extension/docs/keyboard.md', 'extension/SECURITY.md']);
		const rewrite = (name: string, text: string, to?: string): string =>
			packer.rewriteLinks(`extension/${name}`, text, packed, to);

		it('lead to the repository from the pages of the editor, and are plain text without one', () => {
			const text =
				'a\n\n![Tour](media/tour.gif)\n\n[API](docs/api.md#use), [**x**](#x) and [web](https://example.com/)\n';
			assert.equal(
				rewrite('readme.md', text, repository),
				'a\n\n![Tour](https://example.org/a/b/raw/HEAD/media/tour.gif)\n\n' +
					'[API](https://example.org/a/b/blob/HEAD/docs/api.md#use), [**x**](#x) and [web](https://example.com/)\n',
			);
			assert.equal(rewrite('readme.md', text), 'a\n\nAPI, [**x**](#x) and [web](https://example.com/)\n');
		});

		it('stay between pages that are packed', () => {
			const text = '[Keys](keyboard.md#keys), [Security](../SECURITY.md), [Tests](../test/README.md)';
			assert.equal(rewrite('docs/api.md', text), '[Keys](keyboard.md#keys), [Security](../SECURITY.md), Tests');
			assert.equal(
				rewrite('docs/api.md', text, repository),
				'[Keys](keyboard.md#keys), [Security](../SECURITY.md), [Tests](https://example.org/a/b/blob/HEAD/test/README.md)',
			);
		});

		it('are none in README without a repository, which names the command instead', () => {
			const readme = fs.readFileSync(path.join(projectRoot, 'README.md'), 'utf8');
			const text = rewrite('readme.md', readme);
			assert.deepEqual(
				listLinks(text).filter(it => !/^(https?:|#)/.test(it)),
				[],
			);
			assert.ok(text.includes('**MCP Workbench: Open Documentation…**'));
		});
	});
});

/** The package: the files that run, and the files that the editor shows. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { projectRoot } from '../host/paths.js';
import { listLinks } from '../support/markdownLinks.js';
import { createNotices, noticesFile } from '../support/notices.js';
import { packer } from '../support/packer.js';

describe('the package', () => {
	let copy: string;
	before(() => (copy = fs.mkdtempSync(path.join(os.tmpdir(), 'package-'))));
	after(() => fs.rmSync(copy, { recursive: true }));

	it('holds only what runs', async function () {
		// Loading the packager alone takes seconds.
		this.timeout(180_000);
		// Walking through the installed packages takes longest. Files that aren't listed are ignored, and these aren't listed.
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
			'dist/serverReader.js',
			'dist/validator.js',
			'docs/README.md',
			'docs/api.md',
			'docs/approvals.md',
			'docs/commands-and-keys.md',
			'docs/configuration.md',
			'docs/images/approval.png',
			'docs/images/result.png',
			'docs/messages.md',
			'docs/prompts.md',
			'docs/protocol-support.md',
			'docs/resources.md',
			'docs/security.md',
			'docs/settings.md',
			'docs/sign-in.md',
			'docs/tools-and-results.md',
			'docs/troubleshooting.md',
			'docs/what-servers-ask.md',
			'l10n/bundle.l10n.zh-cn.json',
			'media/activityBar.svg',
			'media/form.css',
			'media/icon.png',
			'media/languages/text.tmLanguage.json',
			'media/messages.css',
			'media/page.css',
			'media/run.css',
			'media/schemas/mcpPolicy.schema.json',
			'media/schemas/mcpServers.schema.json',
			'media/walkthrough/result-dark.png',
			'media/walkthrough/result-light.png',
			'media/walkthrough/start-dark.png',
			'media/walkthrough/start-light.png',
			'media/walkthrough/tool-dark.png',
			'media/walkthrough/tool-light.png',
			'package.json',
			'package.nls.json',
			'package.nls.zh-cn.json',
		]);
	});

	it('has every page that Open Documentation lists, and every style sheet', () => {
		const rules = fs.readFileSync(path.join(projectRoot, '.vscodeignore'), 'utf8').split('\n');
		const files = ['docs', 'media'].flatMap(folder =>
			fs.readdirSync(path.join(projectRoot, folder)).flatMap(it => (/\.(md|css)$/.test(it) ? [`${folder}/${it}`] : [])),
		);
		assert.deepEqual(
			files.filter(it => !rules.includes(`!${it}`)),
			[],
		);
	});

	it('has up-to-date notices of the third-party software in it', async function () {
		this.timeout(30_000);
		const text = await createNotices();
		assert.ok(
			['ajv', 'oauth4webapi', 'cross-spawn', 'eventsource-parser', 'js-yaml', 'smol-toml'].every(it =>
				text.includes(`\n${it} `),
			),
		);
		assert.equal(fs.readFileSync(path.join(projectRoot, noticesFile), 'utf8'), text, 'npm run notices makes it anew');
	});

	it('is rejected if it is too large, or is not a production build', () => {
		const { problemsOf } = packer;
		const [small, large] = [Buffer.from('a'), Buffer.from('a // what was minified')];
		const built = new Map([['dist/a.js', small]]);
		const packed = (files: Record<string, Buffer>, size = 800_000, sizeWithoutPictures = 550_000): string[] =>
			problemsOf({ size, sizeWithoutPictures, files: new Map(Object.entries(files)) }, built);
		assert.deepEqual(packed({ 'extension/dist/a.js': small, 'extension/LICENSE': large }), []);
		assert.deepEqual(packed({ 'extension/dist/a.js': small }, 800_001), ['800001 bytes are more than 800000']);
		assert.deepEqual(packed({ 'extension/dist/a.js': small }, 800_000, 550_001), [
			'550001 bytes without pictures are more than 550000',
		]);
		assert.deepEqual(packed({}), ['dist/a.js is missing']);
		assert.deepEqual(packed({ 'extension/dist/a.js': large }), [
			'dist/a.js (22 bytes) is not the production build (1 bytes)',
		]);
		assert.deepEqual(packed({ 'extension/dist/a.js': small, 'extension/dist/a.js.map': small }), [
			'dist/a.js.map is no bundle',
		]);
	});

	describe('links and pictures of its documents', () => {
		const repository = 'https://example.org/a/b';
		const read = (file: string): Buffer => fs.readFileSync(path.join(projectRoot, file));
		const rewrite = (name: string, text: string, packed: readonly string[], to?: string): string =>
			packer.rewriteLinks(`extension/${name}`, text, new Set(packed.map(it => `extension/${it}`)), to, file =>
				file === 'media/a.png' ? Buffer.from('PNG') : read(file),
			);

		it('lead to the repository from the pages of the editor; without one, links are text and pictures are data with a caption', () => {
			const text = 'a\n\n![Tool](media/a.png)\n\n[API](docs/api.md#use), [**x**](#x) and [web](https://example.com/)\n';
			assert.equal(
				rewrite('readme.md', text, ['docs/api.md', 'media/a.png'], repository),
				'a\n\n![Tool](https://example.org/a/b/raw/HEAD/media/a.png)\n\n' +
					'[API](https://example.org/a/b/blob/HEAD/docs/api.md#use), [**x**](#x) and [web](https://example.com/)\n',
			);
			assert.equal(
				rewrite('readme.md', text, ['docs/api.md', 'media/a.png']),
				'a\n\n![](data:image/png;base64,UE5H)_Tool_\n\nAPI, [**x**](#x) and [web](https://example.com/)\n',
			);
		});

		it('stay between files that are packed', () => {
			const text =
				'![x](images/a.png) [Keys](commands-and-keys.md#keys), [Security](../SECURITY.md), [Tests](../test/README.md)';
			const packed = ['docs/commands-and-keys.md', 'docs/images/a.png', 'SECURITY.md'];
			const kept = '![x](images/a.png) [Keys](commands-and-keys.md#keys), [Security](../SECURITY.md), ';
			assert.equal(rewrite('docs/api.md', text, packed), `${kept}Tests`);
			assert.equal(
				rewrite('docs/api.md', text, packed, repository),
				`${kept}[Tests](https://example.org/a/b/blob/HEAD/test/README.md)`,
			);
		});

		describe('all lead somewhere', () => {
			const packed = fs
				.readFileSync(path.join(projectRoot, '.vscodeignore'), 'utf8')
				.split('\n')
				.flatMap(line => (line.startsWith('!') ? [line.slice(1)] : []));
			const exists = (file = ''): boolean => fs.existsSync(path.join(projectRoot, file.replace(/#.*/, '')));
			const isPng = (base64: string): boolean => Buffer.from(base64, 'base64').toString('latin1', 1, 4) === 'PNG';
			/** Whether a link leads somewhere from a document in the package. */
			const isAlive = (document: string, target: string): boolean => {
				if (target.startsWith(repository)) {
					return exists(target.slice(repository.length).replace(/^\/(raw|blob)\/HEAD\//, ''));
				}
				const [data = '', base64 = ''] = target.split(',');
				return (
					/^(https:|mailto:|#)/.test(target) ||
					(data === 'data:image/png;base64' && isPng(base64)) ||
					(document !== 'readme.md' &&
						document !== 'changelog.md' &&
						packed.includes(path.posix.join(path.posix.dirname(document), target.replace(/#.*/, ''))))
				);
			};
			for (const to of [undefined, repository]) {
				it(to === undefined ? 'without a repository' : 'with a repository', () => {
					const dead = packed
						.filter(it => it.endsWith('.md'))
						.flatMap(file => {
							const name = /^(README|CHANGELOG)/.test(file) ? file.toLowerCase() : file;
							const text = rewrite(name, read(file).toString(), packed, to);
							assert.doesNotMatch(text, /<(img|picture|a) /, 'only links and pictures of Markdown are rewritten');
							return listLinks(text)
								.filter(target => !isAlive(name, target))
								.map(target => `${file}: ${target}`);
						});
					assert.deepEqual(dead, []);
				});
			}
		});

		it('are named in README by the command that opens the pages', () => {
			assert.ok(read('README.md').includes('**MCP Workbench: Open Documentation…**'));
		});
	});
});

// What ships: Ajv is in the bundle of a thread, which starts when the first schema is checked; signing in has a bundle too.
import * as assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { projectRoot } from '../host/paths.js';
import { activate } from '../support/activation.js';

const requireFromHere = createRequire(path.join(projectRoot, 'package.json'));

describe('the bundles', function () {
	this.timeout(20_000);

	const heavy = /node_modules\/(ajv|ajv-formats|fast-uri|js-yaml|oauth4webapi|smol-toml)\//;

	interface Bundle {
		readonly text: string;
		readonly packages: string[];
		readonly imports: readonly string[];
	}

	/** What is shipped, by file. */
	const bundles = new Map<string, Bundle>();
	before(async () => {
		const { shipped } = requireFromHere('./esbuild.js') as { shipped: readonly BuildOptions[] };
		const options = { absWorkingDir: projectRoot, sourcemap: false, write: false, metafile: true } as const;
		for (const { metafile, outputFiles } of await Promise.all(shipped.map(it => build({ ...it, ...options })))) {
			for (const [file, { inputs, imports }] of Object.entries(metafile.outputs)) {
				const text = outputFiles.find(it => it.path === path.join(projectRoot, file))?.text ?? '';
				const packages = Object.keys(inputs).filter(it => heavy.test(it));
				bundles.set(file, { text, packages, imports: imports.map(it => it.path) });
			}
		}
	});

	function bundle(file: string): Bundle {
		const found = bundles.get(file);
		assert.ok(found, file);
		return found;
	}

	it('the extension holds neither Ajv nor OAuth, nor parsers of TOML and YAML', () => {
		const { packages, imports } = bundle('dist/extension.js');
		assert.deepEqual(packages, []);
		assert.ok(imports.includes('./authorization.js'));
		assert.ok(imports.includes('./serverReader.js'));
	});

	// The editor gives extensions its own `http` and `https`, with proxy and certificates, under these names.
	it('the extension asks for http and https by the names that the editor patches', () => {
		const { imports } = bundle('dist/extension.js');
		assert.deepEqual([...new Set(imports.filter(it => /^(node:)?https?$/.test(it)))].toSorted(), ['http', 'https']);
	});

	it("the extension imports the editor's API once: a copy for each file is half of what loading costs", () => {
		assert.equal([...bundle('dist/extension.js').text.matchAll(/require\("vscode"\)/g)].length, 1);
	});

	it('start-up loads no other bundle, with servers or without', () => {
		for (const servers of [0, 20]) {
			assert.deepEqual(
				activate(path.join(projectRoot, 'dist', 'extension.js'), servers).others,
				[],
				`${servers} servers`,
			);
		}
	});

	it('the validator holds all of it, and needs nothing else', () => {
		const { packages, imports } = bundle('dist/validator.js');
		assert.ok(packages.length > 50, `${packages.length} files`);
		assert.deepEqual(imports, ['node:worker_threads']);
	});

	it('signing in holds its library, and needs nothing else', () => {
		const { packages, imports } = bundle('dist/authorization.js');
		assert.deepEqual(packages, ['node_modules/oauth4webapi/build/index.js']);
		assert.deepEqual(imports, []);
	});

	it('what finds servers in texts holds the parsers of TOML and YAML, and needs nothing else', () => {
		const { packages, imports } = bundle('dist/serverReader.js');
		assert.deepEqual(new Set(packages.map(it => it.split('/')[1])), new Set(['js-yaml', 'smol-toml']));
		assert.deepEqual(imports, []);
	});
});

// What ships: Ajv and the patterns are in a bundle of their own, which is loaded when the first schema is checked; so is
// signing in.
import * as assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import type { SchemaEngine } from '../../src/mcp/schema/validator.js';
import { projectRoot } from '../host/paths.js';

const requireFromHere = createRequire(path.join(projectRoot, 'package.json'));

describe('the bundles', function () {
	this.timeout(20_000);

	const heavy = /node_modules\/(ajv|ajv-formats|re2js|fast-uri|oauth4webapi)\//;

	interface Bundle {
		readonly text: string;
		readonly packages: string[];
		readonly imports: readonly string[];
	}

	async function bundle(file: string): Promise<Bundle> {
		const { bundles } = requireFromHere('./esbuild.js') as { bundles: readonly BuildOptions[] };
		const options = bundles.find(it => it.outfile === file);
		assert.ok(options, file);
		const { metafile, outputFiles } = await build({
			...options,
			absWorkingDir: projectRoot,
			sourcemap: false,
			write: false,
			metafile: true,
		});
		const output = metafile.outputs[file];
		return {
			text: outputFiles[0]?.text ?? '',
			packages: Object.keys(output?.inputs ?? {}).filter(it => heavy.test(it)),
			imports: output?.imports.map(it => it.path) ?? [],
		};
	}

	it('the extension holds neither Ajv nor OAuth, and finds both beside itself', async () => {
		const { packages, imports } = await bundle('dist/extension.js');
		assert.deepEqual(packages, []);
		assert.ok(imports.includes('./validator.js') && imports.includes('./authorization.js'));
	});

	// The editor gives extensions its own `http` and `https`, with proxy and certificates, under these names.
	it('the extension asks for http and https by the names that the editor patches', async () => {
		const { imports } = await bundle('dist/extension.js');
		assert.deepEqual([...new Set(imports.filter(it => /^(node:)?https?$/.test(it)))], ['http', 'https']);
	});

	it("the extension takes the editor's API as it is: a copy for each file is half of what loading costs", async () => {
		const { text } = await bundle('dist/extension.js');
		assert.match(text, /= require\("vscode"\)/);
		assert.doesNotMatch(text, /\w\(require\("vscode"\)\)/);
	});

	it('the validator holds all of it, and needs nothing else', async () => {
		const { packages, imports } = await bundle('dist/validator.js');
		assert.ok(packages.length > 50, `${packages.length} files`);
		assert.deepEqual(imports, []);
	});

	it('signing in holds its library, and needs nothing else', async () => {
		const { packages, imports } = await bundle('dist/authorization.js');
		assert.deepEqual(packages, ['node_modules/oauth4webapi/build/index.js']);
		assert.deepEqual(imports, []);
	});

	it('the validator runs as it is built', () => {
		const { createSchemaEngine } = requireFromHere('./dist/validator.js') as { createSchemaEngine: () => SchemaEngine };
		const engine = createSchemaEngine();
		assert.equal(
			engine.check({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'string' }, 'a').kind,
			'valid',
		);
		assert.equal(engine.check({ pattern: '^a+$' }, 'b').kind, 'invalid');
	});
});

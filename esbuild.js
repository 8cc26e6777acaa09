// Bundles what ships (`dist/`) and what only tests and development run (`out/`).
// node esbuild.js [--production] [--watch]
const { Ajv } = require('ajv');
const { Ajv2020 } = require('ajv/dist/2020.js');
const { default: standaloneCode } = require('ajv/dist/standalone');
const { context } = require('esbuild');
const { globSync } = require('glob');
const fs = require('node:fs');
const path = require('node:path');
const { splitBundle } = require('./splitBundle.js');

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/**
 * Puts the code that Ajv generates for the dialects' own schemas in the place of `metaSchemas.ts`.
 * @type {import('esbuild').Plugin}
 */
const generatedMetaSchemas = {
	name: 'generated meta-schemas',
	setup(build) {
		build.onLoad({ filter: /[\\/]src[\\/]mcp[\\/]schema[\\/]metaSchemas\.ts$/ }, () => {
			/** @type {import('ajv').Options} */
			const options = { strict: false, validateFormats: false, logger: false, code: { source: true } };
			const validator = (ajv, id) =>
				`(module => { ${standaloneCode(ajv, ajv.getSchema(id))}; return module.exports; })({})`;
			const contents = `export const metaSchemas = {
				'draft-07': ${validator(new Ajv(options), 'http://json-schema.org/draft-07/schema')},
				'2020-12': ${validator(new Ajv2020(options), 'https://json-schema.org/draft/2020-12/schema')},
			};`;
			return { contents, resolveDir: __dirname };
		});
	},
};

/** @type {import('esbuild').BuildOptions} */
const common = {
	bundle: true,
	platform: 'node',
	// The oldest extension host we claim (VS Code 1.99) runs Node 20.
	target: 'node20',
	format: 'cjs',
	// jsonc-parser's UMD build hides its requires from a bundler; its ES build does not.
	mainFields: ['module', 'main'],
	sourcemap: production ? false : 'linked',
	minify: production,
	legalComments: 'none',
	logLevel: 'warning',
	plugins: [generatedMetaSchemas],
};

/**
 * What most sessions never need is a bundle of its own: Ajv and its patterns, loaded when the first schema is checked,
 * and signing in. An entry point that imports `./validator.js` finds it beside itself at run time.
 * @type {import('esbuild').Plugin}
 */
const bundlesBeside = {
	name: 'bundles beside',
	setup(build) {
		build.onResolve({ filter: /^\.\/(validator|authorization)\.js$/ }, ({ path, importer }) =>
			importer.endsWith('extension.ts') ? { path, external: true } : undefined,
		);
	},
};

/**
 * The editor's API is one variable of each bundle. What `import * as` makes of a CommonJS module instead is a copy of all
 * its names, one for each file that imports it: that was 40 % of the time that loading the bundle takes (measured: 32 ms
 * with, 18 ms without). Each `require('vscode')` also makes the editor look up the calling extension.
 * @type {import('esbuild').Plugin}
 */
const vscodeAsItIs = {
	name: 'vscode as it is',
	setup(build) {
		build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
			loader: 'ts',
			contents: (await fs.promises.readFile(path, 'utf8')).replace(
				/^import \* as vscode from 'vscode';$/m,
				"import vscode from 'vscode';",
			),
		}));
		build.onResolve({ filter: /^vscode$/ }, ({ path, namespace }) =>
			namespace === 'api' ? { path, external: true } : { path, namespace: 'api' },
		);
		build.onLoad({ filter: /.*/, namespace: 'api' }, () => ({
			loader: 'ts',
			contents: "import api = require('vscode'); export default api;",
		}));
	},
};

const startup = new Set(readStartup());

/** The modules that start-up runs, from `startup.txt`: `src/extension.ts`. */
function readStartup() {
	const lines = fs.readFileSync(path.join(__dirname, 'startup.txt'), 'utf8').split(/\r?\n/);
	return lines.filter(it => it !== '' && !it.startsWith('#'));
}

/**
 * The bundle of the extension that a module is in: what start-up runs, one for each feature, and one for what features
 * share. A path in `dist` without `.js`.
 */
function bundleOf(module) {
	const [, feature] = /^src\/(features\/[^/]+)\//.exec(module) ?? [];
	return startup.has(module) ? 'extension' : (feature ?? 'later');
}

/** @type {(bundleOf: (module: string) => string) => import('esbuild').BuildOptions} */
const extension = bundleOf => ({
	...common,
	outdir: 'dist',
	external: ['vscode'],
	plugins: [splitBundle(bundleOf), bundlesBeside, vscodeAsItIs],
	// `import()` becomes `require`: the oldest editor loads extensions as CommonJS only.
	supported: { 'dynamic-import': false },
});

/** What ships. */
const shipped = [
	extension(bundleOf),
	{ ...common, entryPoints: ['src/validator.ts'], outfile: 'dist/validator.js' },
	{ ...common, entryPoints: ['src/authorization.ts'], outfile: 'dist/authorization.js' },
	{ ...common, entryPoints: ['src/demo.ts'], outfile: 'dist/demo.js' },
	{
		...common,
		platform: 'browser',
		format: 'iife',
		// The views of results and pages; what every editor we claim, and the browsers of its web version, can run.
		target: 'es2022',
		entryPoints: { result: 'src/webviews/result/main.ts', page: 'src/webviews/page/main.ts' },
		outdir: 'dist',
		// A webview may load nothing but what it is given.
		sourcemap: false,
	},
];
const bundles = [...shipped];

if (!production) {
	// Every test file and every program under test/ is an entry of its own; what they import from
	// src is bundled into them, packages stay in node_modules.
	const entryPoints = globSync(
		[
			'test/!(e2e|lifetimes|unit)/**/*.test.ts',
			'test/host/bin/*.ts',
			'test/editor/index.ts',
			'test/integration/index.ts',
			'test/soak/editor/inEditor.ts',
			'test/conformance/client.ts',
			'test/bench/{activate,hold,record,resource,server,worker}.ts',
		],
		{
			posix: true,
		},
	);
	// An ES module, which the oldest extension host can't `require`: found by its path, it is bundled like our code.
	const alias = { 'eventsource-parser': path.join(__dirname, 'node_modules/eventsource-parser/dist/index.js') };
	const test = { ...common, packages: 'external', external: ['vscode'], alias };
	bundles.push({ ...test, entryPoints, outbase: 'test', outdir: 'out' });
	// Unit tests of host files run without an editor.
	bundles.push({
		...test,
		external: [],
		alias: { ...alias, vscode: path.join(__dirname, 'test/support/vscodeDouble.ts') },
		// What the double lacks is undefined, and fails the test that uses it.
		logOverride: { 'import-is-undefined': 'silent' },
		entryPoints: globSync('test/unit/**/*.test.ts', { posix: true }),
		outbase: 'test',
		outdir: 'out',
	});
	// Those that drive a workbench are one bundle: they share a machine, and what listens to the signals that end it.
	for (const folder of ['e2e', 'lifetimes']) {
		const imports = globSync(`test/${folder}/*.test.ts`, { posix: true }).toSorted();
		bundles.push({
			...test,
			stdin: { contents: imports.map(it => `import './${it}';`).join('\n'), resolveDir: __dirname },
			outfile: `out/${folder}/all.test.js`,
		});
	}
}

/** What other extensions compile against. */
function copyApi() {
	fs.mkdirSync('dist', { recursive: true });
	fs.copyFileSync('src/api.ts', 'dist/api.d.ts');
}

async function main() {
	// Tests run while they package the extension: only what is built anew is removed.
	for (const folder of production ? ['dist'] : ['dist', 'out']) {
		fs.rmSync(folder, { recursive: true, force: true });
	}
	copyApi();
	const contexts = await Promise.all(bundles.map(options => context(options)));
	if (watch) {
		await Promise.all(contexts.map(it => it.watch()));
		return;
	}
	try {
		await Promise.all(contexts.map(it => it.rebuild()));
	} finally {
		await Promise.all(contexts.map(it => it.dispose()));
	}
}

// Tests look at what the bundles hold.
module.exports = { bundles, extension, shipped };

if (require.main === module) {
	main().catch(() => {
		// esbuild has printed the errors.
		process.exitCode = 1;
	});
}

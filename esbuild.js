// Bundles what ships (`dist/`) and what only tests and development run (`out/`).
// node esbuild.js [--production | --shipped] [--watch]
// --production and --shipped leave `out/` alone; what --shipped builds is not minified.
const { Ajv } = require('ajv');
const { Ajv2020 } = require('ajv/dist/2020.js');
const { default: standaloneCode } = require('ajv/dist/standalone');
const { context } = require('esbuild');
const { globSync } = require('glob');
const fs = require('node:fs');
const path = require('node:path');

const production = process.argv.includes('--production');
const buildsTests = !production && !process.argv.includes('--shipped');
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
 * Imports the editor's API once. esbuild copies the names of a CommonJS module for each file that imports it, which for
 * all our files is half of the time that loading the extension takes.
 * @type {import('esbuild').Plugin}
 */
const vscodeOnce = {
	name: 'vscode once',
	setup(build) {
		build.onResolve({ filter: /^vscode$/ }, ({ path, namespace }) =>
			namespace === 'vscode' ? { path, external: true } : { path, namespace: 'vscode' },
		);
		build.onLoad({ filter: /.*/, namespace: 'vscode' }, () => ({ contents: "export * from 'vscode';" }));
	},
};

/** What ships. */
const shipped = [
	{
		...common,
		entryPoints: ['src/extension.ts'],
		outfile: 'dist/extension.js',
		// What most sessions never need is a bundle of its own, which `import()` finds beside this one.
		external: ['./authorization.js', './validator.js'],
		plugins: [...common.plugins, vscodeOnce],
		// `import()` becomes `require`: the oldest editor loads extensions as CommonJS only.
		supported: { 'dynamic-import': false },
	},
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

if (buildsTests) {
	// Every test file and every program under test/ is an entry of its own; what they import from
	// src is bundled into them, packages stay in node_modules.
	const entryPoints = globSync(
		[
			'test/{editor,integration,soak}/**/*.test.ts',
			'test/host/bin/*.ts',
			'test/{editor,integration}/index.ts',
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
	// These run without an editor.
	const withoutEditor = {
		...test,
		external: [],
		alias: { ...alias, vscode: path.join(__dirname, 'test/support/vscodeDouble.ts') },
		// What the double lacks is undefined, and fails the test that uses it.
		logOverride: { 'import-is-undefined': 'silent' },
	};
	bundles.push({
		...withoutEditor,
		entryPoints: globSync('test/{faults,hostile,pipes,source,tools,unit}/**/*.test.ts', { posix: true }),
		outbase: 'test',
		outdir: 'out',
	});
	// Tests that use a browser are one bundle for each folder, so that they share the browser and the signal handlers.
	for (const folder of ['e2e', 'lifetimes', 'pages', 'walk']) {
		const imports = globSync(`test/${folder}/*.test.ts`, { posix: true }).toSorted();
		bundles.push({
			...(folder === 'pages' ? withoutEditor : test),
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
	for (const folder of buildsTests ? ['dist', 'out'] : ['dist']) {
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
module.exports = { bundles, shipped };

if (require.main === module) {
	main().catch(() => {
		// esbuild has printed the errors.
		process.exitCode = 1;
	});
}

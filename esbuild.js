// Bundles what ships (`dist/`) and what only tests and development run (`out/`).
// node esbuild.js [--production | --shipped] [--watch]
// --production and --shipped leave `out/` alone; what --shipped builds is not minified.
const { context } = require('esbuild');
const { globSync } = require('glob');
const fs = require('node:fs');
const path = require('node:path');

const production = process.argv.includes('--production');
const buildsTests = !production && !process.argv.includes('--shipped');
const watch = process.argv.includes('--watch');

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
	// With `info`, watching prints when a build begins and ends, which the task `watch` of `.vscode` reads.
	logLevel: watch ? 'info' : 'warning',
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
		// Most sessions never sign in, and never add a server: `import()` finds the bundles beside this one.
		external: ['./authorization.js', './serverReader.js'],
		plugins: [vscodeOnce],
		// `import()` becomes `require`: the oldest editor loads extensions as CommonJS only.
		supported: { 'dynamic-import': false },
	},
	{ ...common, entryPoints: ['src/validator.ts'], outfile: 'dist/validator.js' },
	{ ...common, entryPoints: ['src/authorization.ts'], outfile: 'dist/authorization.js' },
	{ ...common, entryPoints: ['src/serverReader.ts'], outfile: 'dist/serverReader.js' },
	{ ...common, entryPoints: ['src/demo.ts'], outfile: 'dist/demo.js' },
	{
		...common,
		platform: 'browser',
		format: 'iife',
		// Our pages; what every editor we claim, and the browsers of its web version, can run.
		target: 'es2022',
		entryPoints: { page: 'src/webviews/page/main.ts' },
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
			'test/{editor,integration}/**/*.test.ts',
			'test/host/bin/*.ts',
			'test/{editor,integration}/index.ts',
			'test/conformance/client.ts',
			'test/bench/{activate,server,worker}.ts',
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
		entryPoints: globSync(['test/{faults,hostile,pipes,source,tools,unit}/**/*.test.ts', 'test/bench/resource.ts'], {
			posix: true,
		}),
		outbase: 'test',
		outdir: 'out',
	});
	// A page that has only a form.
	const [pages] = shipped.filter(it => it.platform === 'browser');
	bundles.push({ ...pages, entryPoints: ['test/pages/formPage.js'], outdir: 'out/pages' });
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

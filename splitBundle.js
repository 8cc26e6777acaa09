// Splits the extension into bundles, so that starting it reads and compiles only what start-up runs. Every module is in
// exactly one bundle: state and classes are shared as in a single bundle. ARCHITECTURE.md, "Start-up", tells the whole.
const esbuild = require('esbuild');
const path = require('node:path');

/** Entry points: `bundle:extension`. */
const entryPrefix = 'bundle:';

/**
 * Stands at the top of each bundle instead of its `require`, as text: an import of another bundle's module,
 * `require("./later.js#12")`, is an object that loads that bundle when something of the module is first used.
 * It inherits from the module from then on.
 * @param {NodeJS.Require} load
 */
function loadAtFirstUse(load) {
	const modules = new Map();
	return id => {
		const [file, name] = id.split('#');
		if (name === undefined) {
			return load(id);
		}
		let module = modules.get(id);
		if (!module) {
			const loading = new Proxy(
				{},
				{
					get(_, key) {
						const loaded = load(file)[name];
						Object.setPrototypeOf(module, loaded);
						return loaded[key];
					},
				},
			);
			module = Object.create(loading);
			modules.set(id, module);
		}
		return module;
	};
}

/**
 * The modules that the extension consists of, each with those that it imports. Imports of types are none.
 * @param {esbuild.BuildOptions} options
 * @returns {Promise<Map<string, string[]>>} by path: `src/extension.ts`
 */
async function readModules({ absWorkingDir, mainFields, external = [] }) {
	const { metafile } = await esbuild.build({
		absWorkingDir,
		mainFields,
		entryPoints: ['src/extension.ts'],
		external: [...external, './authorization.js', './validator.js'],
		packages: 'external',
		platform: 'node',
		bundle: true,
		write: false,
		metafile: true,
		logLevel: 'silent',
	});
	const inputs = Object.entries(metafile.inputs);
	return new Map(inputs.map(([file, { imports }]) => [file, imports.filter(it => !it.external).map(it => it.path)]));
}

/**
 * @param {(module: string) => string} bundleOf the bundle of a module, `src/core/diagnosis/doctor.ts`: its path in the output folder
 * without `.js`. `extension` is the one that the editor loads, and has to be that of `src/extension.ts`.
 * @returns {esbuild.Plugin}
 */
function splitBundle(bundleOf) {
	return {
		name: 'split bundle',
		async setup(build) {
			const options = build.initialOptions;
			const root = options.absWorkingDir ?? process.cwd();
			let modules = await readModules(options);
			/** What a bundle exports a module as: its number, which no export of `src/extension.ts` can be called. */
			const nameOf = module => [...modules.keys()].indexOf(module);
			const bundles = new Set([...modules.keys()].map(bundleOf));
			options.entryPoints = Object.fromEntries([...bundles].map(it => [it, `${entryPrefix}${it}`]));
			const banner = `require = (${loadAtFirstUse.toString()})(require);`;
			options.banner = { js: (await esbuild.transform(banner, { minify: options.minify ?? false })).code };
			build.onStart(async () => {
				modules = await readModules(options);
			});
			build.onResolve({ filter: /^bundle:/ }, it => ({
				path: it.path.slice(entryPrefix.length),
				namespace: 'bundle',
			}));
			build.onLoad({ filter: /.*/, namespace: 'bundle' }, ({ path: bundle }) => {
				const isElsewhere = it => bundleOf(it) !== bundle;
				const elsewhere = [...modules].filter(([it]) => isElsewhere(it));
				const shared = new Set(elsewhere.flatMap(([, imports]) => imports).filter(it => !isElsewhere(it)));
				const lines = [...shared].map(it => `export * as "${nameOf(it)}" from './${it}';`);
				if (bundle === 'extension') {
					lines.push("export * from './src/extension.ts';");
				}
				return { contents: lines.join('\n'), resolveDir: root };
			});
			build.onResolve({ filter: /^\.\.?\// }, ({ path: specifier, importer }) => {
				const from = path.relative(root, importer).replaceAll('\\', '/');
				const to = path.posix.join(path.posix.dirname(from), specifier).replace(/\.js$/, '.ts');
				if (!modules.has(from) || !modules.has(to) || bundleOf(from) === bundleOf(to)) {
					return undefined;
				}
				const file = path.posix.relative(path.posix.dirname(bundleOf(from)), bundleOf(to));
				return { path: `${file.startsWith('.') ? '' : './'}${file}.js#${nameOf(to)}`, external: true };
			});
		},
	};
}

module.exports = { splitBundle };

// ARCHITECTURE.md, Layers: who may import what. The first half looks at the real sources, the second proves
// that each rule can be broken.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { buildSync } from 'esbuild';
import { projectRoot } from '../host/paths.js';
import { checkLayers, type Layers } from '../support/layers.js';
import { readSources, type Sources } from '../support/sourceTrees.js';

const src = path.join(projectRoot, 'src');

describe('layers', () => {
	let layers: Layers;
	let sources: Sources;
	before(function () {
		// The parser takes its time where the machine has little.
		this.timeout(20_000);
		sources = readSources();
		layers = checkLayers(sources);
	});

	it('every import is one that its layer may make', () => {
		assert.deepEqual(layers.violations, []);
	});

	it('no files import each other in a circle, types included', () => {
		const imports = new Map<string, string[]>();
		for (const { from, specifier } of layers.imports) {
			if (specifier?.startsWith('.')) {
				const to = path.posix.join(path.posix.dirname(from), specifier).replace(/\.js$/, '.ts');
				imports.set(from, [...(imports.get(from) ?? []), to]);
			}
		}
		const circles: string[] = [];
		const finished = new Set<string>();
		const visit = (file: string, above: readonly string[]): void => {
			if (above.includes(file)) {
				circles.push([...above.slice(above.indexOf(file)), file].join(' → '));
			} else if (!finished.has(file)) {
				imports.get(file)?.forEach(it => visit(it, [...above, file]));
				finished.add(file);
			}
		};
		for (const file of imports.keys()) {
			visit(file, []);
		}
		assert.deepEqual(circles, []);
	});

	it('every layer was checked', () => {
		const folders = fs
			.readdirSync(src, { recursive: true, encoding: 'utf8', withFileTypes: true })
			.filter(it => it.isFile() && /\.[cm]?[jt]sx?$/.test(it.name))
			.map(it => path.relative(src, it.parentPath).split(path.sep));
		const onDisk = folders.map(([first = '', second = '']) =>
			first === 'features' || first === 'webviews' ? `${first}/${second}` : first,
		);
		assert.deepEqual(
			layers.names.filter(it => !it.endsWith('.ts')),
			[...new Set(onDisk)].filter(it => it !== '').toSorted(),
		);
		const expected =
			'api.ts authorization.ts base compose.ts core demo.ts editor extension.ts mcp node serverReader.ts validator.ts'.split(
				' ',
			);
		assert.deepEqual(
			expected.filter(it => !layers.names.includes(it)),
			[],
		);
		assert.ok(layers.names.some(it => it.startsWith('features/')));
	});

	it('every import that the bundler follows was looked at', () => {
		const { metafile } = buildSync({
			absWorkingDir: projectRoot,
			entryPoints: ['src/extension.ts'],
			bundle: true,
			write: false,
			outdir: 'out',
			metafile: true,
			platform: 'node',
			packages: 'external',
			logLevel: 'silent',
		});
		const found = new Set(layers.imports.map(it => `${it.from} ${it.specifier}`));
		const followed = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
			imports.map(it => `${path.posix.relative('src', file)} ${it.original ?? it.path}`),
		);
		assert.ok(followed.length > 50, `${followed.length} imports`);
		assert.deepEqual(
			followed.filter(it => !found.has(it)),
			[],
		);
	});
});

describe('layers, broken on purpose', () => {
	/** A program that keeps every rule. */
	const good: Sources = {
		'api.ts': 'export interface Api { readonly version: 1 }',
		'base/async.ts': `import { A } from './errors.js';\nswitch (A) { default: }`,
		'base/errors.ts': `export const A = 1; // import 'vscode'\nexport const text = "import 'vscode'", t = \`\${1} import('vscode')\`;`,
		'mcp/index.ts': `export { a, type B } from './client/client.js';\nexport type { C } from './client/client.js';`,
		'mcp/client/client.ts': `import Ajv from 'ajv/dist/2020.js';\nimport type { A } from '../../base/errors.js';`,
		'core/servers/server.ts': `import { parse } from 'jsonc-parser';\nimport { a } from '../../mcp/index.js';\nimport '../../base/async.js';`,
		'core/config/entry.ts': `import '../text/redactor.js';`,
		'core/text/redactor.ts': 'export {};',
		'node/stdio.ts': `import * as fs from 'node:fs/promises';\nimport spawn from 'cross-spawn';\nimport { a } from '../mcp/index.js';`,
		'editor/tree/tree.ts': `import * as vscode from 'vscode';\nimport { a } from '../../core/servers/server.js';\nimport type { B } from '../../mcp/index.js';`,
		'features/tools/register.ts': `import type * as vscode from 'vscode';\nimport { run } from './run.js';\nimport '../../editor/tree/tree.js';`,
		'features/tools/run.ts': `import type { P } from '../../webviews/result/protocol.js';\nexport const run = 1;`,
		'features/prompts/register.ts': `import '../../core/servers/server.js';`,
		'webviews/result/main.ts': `import './protocol.js';\nimport '../../base/async.js';`,
		'webviews/result/protocol.ts': 'export {};',
		'compose.ts': `import 'vscode';\nimport type { Api } from './api.js';\nimport './features/tools/register.js';\nimport './mcp/index.js';`,
		'extension.ts': `import 'node:os';\nimport './compose.js';\nimport './node/stdio.js';\nimport './api.js';`,
		'extension.web.ts': `import './compose.js';\nimport 'vscode';\nvoid import('./authorization.js');`,
		'validator.ts': `import 'node:worker_threads';\nimport './mcp/schema/ajvValidator.js';\nimport type { a } from './mcp/index.js';`,
		'mcp/schema/ajvValidator.ts': `import 'ajv';\nimport 'ajv-formats';`,
		'authorization.ts': `import './mcp/auth/authEngine.js';`,
		'mcp/auth/authEngine.ts': `import 'oauth4webapi';`,
	};

	/** The same program with `text` at the end of `file`. */
	function broken(file: string, text: string): readonly string[] {
		return checkLayers({ ...good, [file]: `${good[file] ?? ''}\n${text}` }).violations;
	}

	it('a program that keeps every rule has no violation', () => {
		assert.deepEqual(checkLayers(good).violations, []);
	});

	const table: readonly (readonly [file: string, text: string, ...violations: string[]])[] = [
		// Layers
		['base/async.ts', `import '../mcp/index.js';`, 'imports mcp/index.ts, which base may not'],
		['base/async.ts', `import 'ajv';`, 'imports the package ajv'],
		['mcp/client/client.ts', `import 'fs';`, 'imports fs of Node'],
		['mcp/client/client.ts', `import type { Uri } from 'vscode';`, 'imports vscode'],
		['core/servers/server.ts', `import '../../node/stdio.js';`, 'imports node/stdio.ts, which core may not'],
		[
			'core/config/entry.ts',
			`import type { Server } from '../servers/server.js';`,
			'imports core/servers/server.ts, which core/config may not',
		],
		[
			'node/stdio.ts',
			`import type { Server } from '../core/servers/server.js';`,
			'imports core/servers/server.ts, which node may not',
		],
		['editor/tree/tree.ts', `import '../../compose.js';`, 'imports compose.ts, which editor may not'],
		[
			'features/prompts/register.ts',
			`import '../tools/run.js';`,
			'imports features/tools/run.ts, which features/prompts may not',
		],
		['webviews/result/main.ts', `import '../../mcp/index.js';`, 'imports mcp/index.ts, which webviews/result may not'],
		['compose.ts', `import './node/stdio.js';`, 'imports node/stdio.ts, which compose.ts may not'],
		['compose.ts', `void import('./validator.js');`, 'imports validator.ts, which compose.ts may not'],
		[
			'mcp/client/client.ts',
			`import '../auth/authEngine.js';`,
			'imports mcp/auth/authEngine.ts, which only authorization.ts may',
		],
		// The door
		['extension.ts', `import type { A } from './mcp/client/client.js';`, 'imports mcp/client/client.ts past the door'],
		['mcp/index.ts', 'export const own = 1;', 'has something else than named exports of other files'],
		// Ways to import
		['base/async.ts', `export type T = import('vscode').Uri;`, 'imports vscode'],
		['base/async.ts', 'void import(`vscode`);', 'imports vscode'],
		['base/async.ts', `const v = require('vscode');`, 'imports vscode'],
		['base/async.ts', `import {\n\ta,\n} /* why */ from // not\n\t'vscode';`, 'imports vscode'],
		['base/async.ts', `void import('vs' + 'code');`, 'imports what only a run can tell'],
		['base/async.ts', `export { Uri } from 'vscode';`, 'passes on exports of another file', 'imports vscode'],
		['base/async.ts', `import './missing.js';`, 'imports ./missing.js, which is no source file'],
		// Names and shapes
		['base/errors.ts', 'export default 1;', 'has a default export'],
		['base/util.ts', '', 'is named after nothing in particular'],
		['editor/tree-view.ts', '', 'is not named in camelCase, .ts'],
		['views/x.ts', '', 'is in no layer'],
	];
	for (const [file, text, ...violations] of table) {
		it(`${file}: ${text.replaceAll(/\s+/g, ' ') || 'is there'}`, () => {
			assert.deepEqual(
				broken(file, text),
				violations.map(it => `${file}: ${it}`),
			);
		});
	}
});

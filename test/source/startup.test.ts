// ARCHITECTURE.md, "Start-up": what start-up runs is one bundle, and everything else loads when it is first used.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import Module, { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { globSync } from 'glob';
import { projectRoot } from '../host/paths.js';
import { activate } from '../support/startup.js';

const requireFromHere = createRequire(path.join(projectRoot, 'package.json'));
const dist = path.join(projectRoot, 'dist');

describe('start-up', function () {
	this.timeout(60_000);

	// A module that `startup.txt` doesn't list costs some milliseconds; these bundles hold libraries.
	it('loads neither the validator nor the authorization, with servers or without', () => {
		for (const servers of [0, 20]) {
			const { others } = activate(path.join(dist, 'extension.js'), servers, true);
			assert.deepEqual(
				others.filter(it => /^(?:validator|authorization)\.js$/.test(it)),
				[],
				`${servers} servers`,
			);
		}
	});

	it('every other bundle can be the first that is used', () => {
		const files = ['later.js', ...globSync('features/*.js', { cwd: dist, posix: true })];
		assert.ok(files.length > 10, files.join());
		for (const file of files) {
			const modules = loadWithExtension(file);
			const values = Object.values(modules).flatMap(it => Object.values(it));
			assert.ok(values.length > 0, file);
			assert.ok(!values.includes(undefined), file);
		}
	});
});

/** Loads a bundle into a new copy of the extension. What the editor has is anything. */
function loadWithExtension(file: string): Record<string, Record<string, unknown>> {
	const anything: unknown = new Proxy(function () {}, {
		get: (_, key) => (key === Symbol.toPrimitive ? () => '' : anything),
		apply: () => anything,
		construct: () => ({}),
	});
	const host = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };
	const load = host._load;
	for (const known of Object.keys(requireFromHere.cache).filter(it => it.startsWith(dist))) {
		delete requireFromHere.cache[known];
	}
	host._load = (request, ...rest) => (request === 'vscode' ? anything : load(request, ...rest));
	try {
		requireFromHere('./dist/extension.js');
		return requireFromHere(`./dist/${file}`) as Record<string, Record<string, unknown>>;
	} finally {
		host._load = load;
	}
}

describe('a split bundle', function () {
	this.timeout(20_000);

	let folder: string;
	before(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-split-'));
	});
	after(() => fs.rmSync(folder, { recursive: true }));

	/** Builds sources in which `later*.ts` are in bundles of their own, and loads the first bundle. */
	async function run<T>(name: string, sources: Readonly<Record<string, string>>): Promise<T> {
		const root = path.join(folder, name);
		fs.mkdirSync(path.join(root, 'src'), { recursive: true });
		for (const [file, text] of Object.entries(sources)) {
			fs.writeFileSync(path.join(root, 'src', file), text);
		}
		const { splitBundle } = requireFromHere('./splitBundle.js') as {
			splitBundle: (bundleOf: (module: string) => string) => Plugin;
		};
		await build({
			absWorkingDir: root,
			bundle: true,
			platform: 'node',
			format: 'cjs',
			outdir: 'dist',
			plugins: [splitBundle(it => /(later\w*)\.ts$/.exec(it)?.[1] ?? 'extension')],
		});
		return requireFromHere(path.join(root, 'dist', 'extension.js')) as T;
	}

	it('loads a bundle when something of it is first used', async () => {
		const { loaded, use } = await run<{ loaded: string[]; use: () => unknown }>('first', {
			'loaded.ts': 'export const loaded: string[] = [];',
			'later.ts': `import { loaded } from './loaded.js'; loaded.push('later'); export const text = 'a';`,
			'extension.ts': `
				import { text } from './later.js';
				export { loaded } from './loaded.js';
				export const use = () => text + text;`,
		});
		assert.deepEqual(loaded, []);
		assert.equal(use(), 'aa');
		assert.deepEqual([loaded, use(), loaded], [['later'], 'aa', ['later']]);
	});

	it('has each module once: classes and state are the same everywhere', async () => {
		const { check } = await run<{ check: () => unknown }>('once', {
			'shape.ts': 'export class Shape {} export let count = 0; export const add = () => ++count;',
			'later.ts': `
				import { add, Shape } from './shape.js';
				import { Square } from './laterOther.js';
				export class Circle extends Shape {}
				export const make = () => (add(), [new Circle(), new Square()]);`,
			'laterOther.ts': `import { Shape } from './shape.js'; export class Square extends Shape {}`,
			'extension.ts': `
				import * as later from './later.js';
				import { Square } from './laterOther.js';
				import { add, count, Shape } from './shape.js';
				export function check() {
					add();
					const made = later.make();
					return [made.every(it => it instanceof Shape), made[1] instanceof Square, new Square() instanceof Shape, count];
				}`,
		});
		assert.deepEqual(check(), [true, true, true, 2]);
	});

	it('passes on what a bundle throws while it loads, and loads it again at the next use', async () => {
		const { allow, use } = await run<{ allow: () => void; use: () => unknown }>('again', {
			'gate.ts': 'export const gate = { isOpen: false };',
			'later.ts': `
				import { gate } from './gate.js';
				if (!gate.isOpen) { throw new Error('closed'); }
				export const text = 'open';`,
			'extension.ts': `
				import { gate } from './gate.js';
				import { text } from './later.js';
				export const allow = () => void (gate.isOpen = true);
				export const use = () => text;`,
		});
		assert.throws(use, { message: 'closed' });
		allow();
		assert.equal(use(), 'open');
	});
});

/**
 * The sources as trees, for tests that read code. They are parsed by TypeScript itself, in a file system that exists only
 * in memory. The parser's API is still marked unstable; it comes with the compiler, whose version is pinned, and costs
 * milliseconds.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { createVirtualFileSystem } from 'typescript/unstable/fs';
import { API } from 'typescript/unstable/sync';
import { projectRoot } from '../host/paths.js';

/** Text by path below `src/`, with slashes. */
export type Sources = Readonly<Record<string, string>>;

/** Every source of the extension. */
export function readSources(): Sources {
	const src = path.join(projectRoot, 'src');
	const files = fs.readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(it => /\.[cm]?[jt]sx?$/.test(it));
	return Object.fromEntries(
		files.toSorted().map(it => [it.replaceAll(path.sep, '/'), fs.readFileSync(path.join(src, it), 'utf8')]),
	);
}

/** Shows a node and all that is in it. */
export function visit(node: Node, see: (node: Node) => void): void {
	see(node);
	node.forEachChild(child => visit(child, see));
}

/** Starts the compiler once; ends with this process. */
let parser: { readonly api: API; readonly files: ReturnType<typeof createVirtualFileSystem>; runs: number } | undefined;

/** The trees by path; a file that could not be parsed is missing. */
export function parse(sources: Sources): Map<string, SourceFile> {
	if (!parser) {
		const files = createVirtualFileSystem({});
		parser = { api: new API({ cwd: '/', fs: files }), files, runs: 0 };
	}
	const folder = `/${++parser.runs}`;
	const config = `${folder}/tsconfig.json`;
	const options = { compilerOptions: { noResolve: true, noLib: true, types: [] }, include: ['src'] };
	parser.files.writeFile?.(config, JSON.stringify(options));
	for (const [file, text] of Object.entries(sources)) {
		parser.files.writeFile?.(`${folder}/src/${file}`, text);
	}
	const snapshot = parser.api.updateSnapshot({ openProjects: [config] });
	const program = snapshot.getProject(config)?.program;
	const trees = new Map<string, SourceFile>();
	for (const file of Object.keys(sources)) {
		const tree = program?.getSourceFile(`${folder}/src/${file}`);
		if (tree) {
			trees.set(file, tree);
		}
	}
	return trees;
}

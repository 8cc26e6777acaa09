/**
 * Loads and activates the extension in this process, with a stand-in for the editor: `node activate.js <bundle>
 * <servers>`. Prints the CPU time of both, as JSON. The stand-in answers everything with something that can be called, read
 * and disposed; what decides how much work there is (folders, files, settings) is spelled out.
 */
import * as fs from 'node:fs';
import Module from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , bundle = '', count = '0'] = process.argv;
const folder = path.join(os.tmpdir(), 'mcp-workbench-bench-folder');
const configuration = JSON.stringify({
	servers: Object.fromEntries(
		Array.from({ length: Number(count) }, (_, index) => [
			`server-${index}`,
			{ command: 'node', args: ['server.js', `--number=${index}`], env: { NUMBER: `${index}` } },
		]),
	),
});

/** Anything: called, constructed and read, it gives itself. */
function anything(): unknown {
	const target = function (): void {};
	return new Proxy(target, {
		get: (_, key) => {
			if (key === 'then' || key === Symbol.iterator) {
				return undefined;
			}
			return key === Symbol.toPrimitive ? () => '' : anything();
		},
		set: () => true,
		apply: () => anything(),
		construct: () => anything() as object,
	});
}

class Uri {
	constructor(private readonly url: URL) {}
	static file = (file: string): Uri => new Uri(pathToFileURL(file));
	static parse = (text: string): Uri => new Uri(new URL(text));
	static joinPath = (uri: Uri, ...parts: string[]): Uri => Uri.file(path.join(uri.path, ...parts));
	static from = (): Uri => Uri.file(folder);
	get scheme(): string {
		return this.url.protocol.slice(0, -1);
	}
	get path(): string {
		return decodeURIComponent(this.url.pathname);
	}
	get fsPath(): string {
		return this.path;
	}
	with(): Uri {
		return this;
	}
	toString(): string {
		return this.url.href;
	}
}

class FileSystemError extends Error {
	readonly code = 'FileNotFound';
}

const disposable = (): { dispose(): void } => ({ dispose() {} });

function withDefaults<T extends object>(known: T): T {
	return new Proxy(known, {
		get: (target, key) => {
			if (Reflect.has(target, key)) {
				return Reflect.get(target, key) as unknown;
			}
			return /^on[A-Z]/.test(String(key)) ? disposable : anything();
		},
	});
}

const hasConfiguration = (uri: Uri): boolean => Number(count) > 0 && uri.path.endsWith('.vscode/mcp.json');
// A bundle copies the names that a module has: they are those of the editor's own types.
const types = fs.readFileSync(require.resolve('@types/vscode/index.d.ts'), 'utf8');
const names = [...types.matchAll(/^\s*export (?:class|enum|namespace) (\w+)/gm)].map(([, name]) => name ?? '');
const vscode = {
	...Object.fromEntries(names.map(name => [name, anything()])),
	Uri,
	FileSystemError,
	FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 },
	version: '1.139.0',
	l10n: { t: (text: string) => text },
	window: withDefaults({ tabGroups: withDefaults({ all: [] }) }),
	workspace: withDefaults({
		isTrusted: true,
		workspaceFile: undefined,
		workspaceFolders: [{ uri: Uri.file(folder), name: 'folder', index: 0 }],
		textDocuments: [],
		getConfiguration: () => ({ get: (_: string, preset: unknown) => preset, inspect: () => undefined }),
		fs: withDefaults({
			readFile: async (uri: Uri) => {
				if (hasConfiguration(uri)) {
					return Buffer.from(configuration);
				}
				throw new FileSystemError(uri.path);
			},
			stat: async (uri: Uri) => {
				if (hasConfiguration(uri)) {
					return { type: vscode.FileType.File, size: configuration.length };
				}
				throw new FileSystemError(uri.path);
			},
		}),
	}),
};

/** Files that were read beside the bundle, by their paths from it. */
const loaded = new Set<string>();
const { _load: load, _resolveFilename: resolve } = Module as unknown as {
	_load: (request: string, parent: unknown, isMain: boolean) => unknown;
	_resolveFilename: (request: string, parent: unknown) => string;
};
(Module as unknown as { _load: typeof load })._load = (request, parent, isMain) => {
	if (request === 'vscode') {
		return vscode;
	}
	if (request.startsWith('.')) {
		loaded.add(path.relative(path.dirname(bundle), resolve(request, parent)).replaceAll('\\', '/'));
	}
	return load(request, parent, isMain);
};

const context = withDefaults({
	subscriptions: [],
	extension: { packageJSON: { name: 'mcp-workbench', version: '0' } },
	globalStorageUri: Uri.file(path.join(folder, 'storage')),
	storageUri: Uri.file(path.join(folder, 'storage')),
	extensionUri: Uri.file(folder),
	extensionPath: folder,
	workspaceState: { get: () => undefined, keys: () => [], update: async () => undefined },
});

function since(before: NodeJS.CpuUsage): number {
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** An extension host has long loaded what it patches for every extension, and what it runs on itself, such as timers. */
const loadedByTheHost = ['child_process', 'crypto', 'fs', 'http', 'https', 'net', 'os', 'path', 'tls', 'url', 'zlib'];

/** What the extension gives to others, as far as it's used here. */
interface Api {
	servers(): readonly unknown[];
	onDidChangeServers(listener: () => void): { dispose(): void };
}

/** Activation waits for the configuration for a while only, which on a busy machine may be too short. */
async function hasServers(api: Api, count: number): Promise<void> {
	while (api.servers().length !== count) {
		await new Promise<void>(resolve => {
			const change = api.onDidChangeServers(() => {
				change.dispose();
				resolve();
			});
		});
	}
}

async function main(): Promise<void> {
	loadedByTheHost.forEach(it => load(it, undefined, false));
	await new Promise(resolve => setTimeout(resolve, 1));
	const beforeLoad = process.cpuUsage();
	const extension = load(bundle, undefined, false) as {
		activate(context: unknown): Promise<Api>;
	};
	const loadMs = since(beforeLoad);
	const beforeActivation = process.cpuUsage();
	const api = await extension.activate(context);
	await hasServers(api, Number(count));
	const activate = since(beforeActivation);
	process.stdout.write(JSON.stringify({ load: loadMs, activate, others: [...loaded] }));
	process.exit();
}

void main();

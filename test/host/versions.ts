// The versions of the editors and of Node that are installed on first use.

/** The two ends of what we claim to support. */
export type EditorName = 'newest' | 'oldest';

export interface EditorVersion {
	/** The npm package `code-server` carries a complete VS Code server. */
	readonly codeServer: string;
	/** The VS Code inside it; also the version that test-electron downloads where it can. */
	readonly vscode: string;
	/** The Node that this code-server wants: its extension host runs on it. */
	readonly node: string;
	/** Native modules without prebuilt binaries that the server cannot do without. */
	readonly nativeModules: readonly string[];
	/** Old `@vscode/ripgrep` downloads its binary from GitHub; newer packages carry one in the registry. */
	readonly ripgrep?: string;
}

export const editors: Readonly<Record<EditorName, EditorVersion>> = {
	newest: {
		codeServer: '4.139.1',
		vscode: '1.139.1',
		node: '24.21.0',
		nativeModules: ['@vscode/spdlog', '@vscode/native-watchdog'],
	},
	oldest: {
		codeServer: '4.99.4',
		vscode: '1.99.3',
		node: '20.20.2',
		nativeModules: ['@vscode/spdlog', 'native-watchdog'],
		ripgrep: '1.18.0',
	},
};

/** The Node on which unit tests, end-to-end tests and tools run: what users' extension hosts have. */
export const toolNode = editors.newest.node;

// The integration suites, by the editor windows that they run in. What can share a window does, one suite after the other:
// opening and closing one takes 7 to 8 seconds, emptying it between two suites less than one
// (`test/integration/window.ts`).
import * as path from 'node:path';
import type { SuiteInWindow } from '../support/suiteInWindow.js';
import type { BuiltIns } from './builtIns.js';
import { projectRoot } from './paths.js';
import type { EditorName } from './versions.js';

/**
 * The oldest editor runs what can differ there: what the extension registers with the editor, the API that not every editor
 * has, files and their watchers, processes, connections, and how a window begins. A suite or file that is left out sees no
 * more of the editor than quick inputs, documents, messages, settings and secrets, which suites that it runs see as well.
 */
interface TestSuite extends SuiteInWindow {
	/** Names of the test files that the oldest editor runs. Left out where it runs all; empty where it runs none. */
	readonly inOldest?: readonly string[];
}

/** How a window of the tests is opened. */
export interface WindowOptions {
	readonly name: string;
	/** Fixture to open (a copy of it); `undefined` for a window without a folder. */
	readonly workspace: string | undefined;
	/** Restricted Mode. */
	readonly restricted?: boolean;
	/** Folders of fixture extensions to load besides. */
	readonly extensions?: readonly string[];
	/** Which of the editor's own extensions are loaded: few unless said otherwise. */
	readonly builtIns?: BuiltIns;
	/** The person's settings. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** More variables for the editor. */
	env?(editor: EditorName): Readonly<Record<string, string>>;
}

export interface TestWindow extends WindowOptions {
	/** In the order in which they run, of which none depends. */
	readonly suites: readonly TestSuite[];
}

const workspaces = path.join(projectRoot, 'test', 'fixtures', 'workspaces');

const serverNumbers = Array.from({ length: 20 }, (_, index) => String(index + 1).padStart(2, '0'));

const windows: readonly TestWindow[] = [
	{
		name: 'one folder',
		workspace: path.join(workspaces, 'unconfigured'),
		extensions: ['model', 'caller', 'claimer'].map(it => path.join(projectRoot, 'test', 'fixtures', it)),
		env: trustPrivateAuthority,
		builtIns: 'all',
		suites: [
			inOldest(
				sharing('one folder', '', 'single'),
				'api',
				'approvalStores',
				'consentPrograms',
				'http',
				'servers',
				'tools',
			),
			onlyInNewest(sharing('options', 'options', 'single')),
			sharing('servers being written', 'devMode', 'written'),
			onlyInNewest(sharing('inputs', 'inputs', 'inputs')),
			onlyInNewest(sharing('approvals', 'approvals', 'approval')),
			onlyInNewest(sharing('elicitation', 'elicitation', 'elicitation')),
			inOldest(sharing('resources', 'resources', 'library'), 'following', 'reading'),
			onlyInNewest(sharing('results', 'results', 'results')),
			inOldest(sharing('prompts', 'prompts', 'prompts'), 'uses'),
			onlyInNewest(sharing('sampling', 'sampling', 'elicitation')),
			sharing('models', 'languageModelTools', 'models'),
			onlyInNewest(sharing('signing in', 'auth', 'unconfigured')),
			sharing('behind a proxy', 'proxied', 'unconfigured'),
		],
	},
	{
		name: 'several folders',
		workspace: path.join(workspaces, 'unconfiguredFolders'),
		suites: [
			inOldest(sharing('several folders', 'multiRoot', 'multiRoot'), 'virtual'),
			inOldest(sharing('every source', 'sources', 'sources'), 'sources'),
		],
	},
	// What wakes the extension can be seen once in a window.
	alone({ name: 'only .mcp.json', folder: 'rootFile' }, { workspace: path.join(workspaces, 'rootFile') }),
	alone({ name: 'nothing configured', folder: 'unconfigured' }, { workspace: path.join(workspaces, 'unconfigured') }),
	// What starts with the window is configured when it opens.
	alone(onlyInNewest({ name: 'twenty at once', folder: 'twenty' }), {
		workspace: path.join(workspaces, 'twenty'),
		settings: startingAtOnce(...serverNumbers.map(it => `server-${it}`), 'asking', 'dies'),
	}),
	// The editor starts its extension host again for the first folder.
	alone({ name: 'no folder', folder: 'nofolder' }, { workspace: undefined }),
	// Trust is given to a window once, and not taken back.
	alone(
		{ name: 'restricted', folder: 'restricted' },
		{ workspace: path.join(workspaces, 'restricted'), restricted: true, settings: startingAtOnce('eager') },
	),
];

/** A suite that finds this fixture in the folder of its window. */
function sharing(name: string, folder: string, fixture: string): TestSuite {
	return { name, folder, fixture: path.join(workspaces, fixture) };
}

/** @param files names of those that the oldest editor runs, without `.test.ts` */
function inOldest(suite: TestSuite, ...files: readonly string[]): TestSuite {
	return { ...suite, inOldest: files };
}

function onlyInNewest(suite: TestSuite): TestSuite {
	return inOldest(suite);
}

/** A window for one suite, opened as it needs it. */
function alone(suite: TestSuite, window: Omit<TestWindow, 'name' | 'suites'>): TestWindow {
	return { ...window, name: suite.name, suites: [suite] };
}

/** Servers that the person wants to be started with the workspace. */
function startingAtOnce(...servers: readonly string[]): Readonly<Record<string, unknown>> {
	return { 'mcpWorkbench.serverOptions': Object.fromEntries(servers.map(it => [it, { start: 'atActivation' }])) };
}

/**
 * The newest editor asks Node for the certificates of the system, and on Linux Node can be told where these are. Others
 * read what belongs to the machine: there Node itself is told whom to trust, and the editor is set to leave that alone.
 */
function trustPrivateAuthority(editor: EditorName): Record<string, string> {
	const authority = path.join(projectRoot, 'test', 'fixtures', 'tls', 'private-ca.crt');
	return { [editor === 'newest' && process.platform === 'linux' ? 'SSL_CERT_FILE' : 'NODE_EXTRA_CA_CERTS']: authority };
}

/** The windows that have suites for this editor whose names match, each with those suites alone. */
export function findWindows(editor: EditorName, pattern: RegExp): TestWindow[] {
	const choose = (suite: TestSuite): TestSuite[] => {
		const { inOldest: files, ...whole } = suite;
		const chosen = editor === 'newest' || files === undefined ? whole : { ...whole, files };
		return pattern.test(suite.name) && chosen.files?.length !== 0 ? [chosen] : [];
	};
	return windows.map(it => ({ ...it, suites: it.suites.flatMap(choose) })).filter(it => it.suites.length > 0);
}

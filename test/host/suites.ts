// The integration suites: which tests run in which kind of workspace. A suite without tests is left out.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from './paths.js';
import { strictSettings } from './strictSettings.js';
import type { EditorName } from './versions.js';

export interface Suite {
	readonly name: string;
	/** Folder below `test/integration`. */
	readonly folder: string;
	/** Fixture to open (a copy of it); `undefined` for a window without a folder. */
	readonly workspace: string | undefined;
	/** Restricted Mode. */
	readonly restricted?: boolean;
	/** Folders of fixture extensions to load besides. */
	readonly extensions?: readonly string[];
	/** The person's settings. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** More variables for the editor. */
	env?(editor: EditorName): Readonly<Record<string, string>>;
}

const workspaces = path.join(projectRoot, 'test', 'fixtures', 'workspaces');

const serverNumbers = Array.from({ length: 20 }, (_, index) => String(index + 1).padStart(2, '0'));

const suites: readonly Suite[] = [
	{ name: 'one folder', folder: '', workspace: path.join(workspaces, 'single') },
	{ name: 'options', folder: 'options', workspace: path.join(workspaces, 'single') },
	{ name: 'several folders', folder: 'multiRoot', workspace: path.join(workspaces, 'multiRoot') },
	{ name: 'every source', folder: 'sources', workspace: path.join(workspaces, 'sources') },
	{ name: 'only .mcp.json', folder: 'rootFile', workspace: path.join(workspaces, 'rootFile') },
	{ name: 'servers being written', folder: 'dev', workspace: path.join(workspaces, 'written') },
	{ name: 'inputs', folder: 'inputs', workspace: path.join(workspaces, 'inputs') },
	{ name: 'approvals', folder: 'approval', workspace: path.join(workspaces, 'approval') },
	{ name: 'elicitation', folder: 'elicitation', workspace: path.join(workspaces, 'elicitation') },
	{
		name: 'resources',
		folder: 'resources',
		workspace: path.join(workspaces, 'library'),
		extensions: [path.join(projectRoot, 'test', 'fixtures', 'claimer')],
	},
	{ name: 'results', folder: 'results', workspace: path.join(workspaces, 'results') },
	{
		name: 'prompts',
		folder: 'prompts',
		workspace: path.join(workspaces, 'prompts'),
		extensions: [path.join(projectRoot, 'test', 'fixtures', 'model')],
	},
	{
		name: 'sampling',
		folder: 'sampling',
		workspace: path.join(workspaces, 'elicitation'),
		extensions: [path.join(projectRoot, 'test', 'fixtures', 'model')],
	},
	{
		// The tests configure it themselves, once they can hear the participant being made.
		name: 'chat',
		folder: 'chat',
		workspace: path.join(workspaces, 'unconfigured'),
		extensions: ['model', 'caller'].map(it => path.join(projectRoot, 'test', 'fixtures', it)),
	},
	{
		name: 'models',
		folder: 'models',
		workspace: path.join(workspaces, 'models'),
		extensions: [path.join(projectRoot, 'test', 'fixtures', 'caller')],
	},
	{ name: 'signing in', folder: 'auth', workspace: path.join(workspaces, 'unconfigured') },
	{
		name: 'twenty at once',
		folder: 'twenty',
		workspace: path.join(workspaces, 'twenty'),
		settings: startingAtOnce(...serverNumbers.map(it => `server-${it}`), 'asking', 'dies'),
	},
	{
		name: 'a workspace that loosens',
		folder: 'loosening',
		workspace: path.join(workspaces, 'loosening'),
		settings: strictSettings,
	},
	{ name: 'nothing configured', folder: 'unconfigured', workspace: path.join(workspaces, 'unconfigured') },
	{ name: 'no folder', folder: 'nofolder', workspace: undefined },
	{
		name: 'behind a proxy',
		folder: 'proxied',
		workspace: path.join(workspaces, 'unconfigured'),
		env: trustPrivateAuthority,
	},
	{
		name: 'restricted',
		folder: 'restricted',
		workspace: path.join(workspaces, 'restricted'),
		restricted: true,
		settings: startingAtOnce('eager'),
	},
];

/**
 * The end-to-end suites that every change must pass: one walk for each feature. The others, which look closer, are run by
 * `npm run test:rest`.
 */
export const walks: readonly string[] = [
	'a walk through the demo',
	'approving calls',
	'a server that asks',
	'a server that asks a model',
	'chat',
	'consent to servers of the workspace',
	'inputs of a server',
	'models',
	'prompts',
	'resources',
	'roots',
	'server options',
	'signing in',
];

/** Servers that the person wants to be started with the workspace: a workspace can't. */
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

/** The suites that have bundled tests. */
export function findSuites(): Suite[] {
	return suites.filter(({ folder }) => {
		const bundled = path.join(projectRoot, 'out', 'integration', folder);
		return fs.existsSync(bundled) && fs.readdirSync(bundled).some(it => it.endsWith('.test.js'));
	});
}

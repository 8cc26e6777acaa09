// What servers publish about themselves: `server.json` of the registry, twelve servers, and manifests of MCP bundles.
import * as assert from 'node:assert/strict';
import type { Pasted, PasteProblem } from '../../../../src/core/addServer/foundServer.js';
import { parsePasted } from '../../../../src/core/addServer/pastedServer.js';
import type { ServerInput } from '../../../../src/core/config/serverInputs.js';
import type { ServerEntry } from '../../../../src/core/config/serverEntry.js';
import { http, stdio } from '../../../support/pasted.js';

interface Row {
	readonly what: string;
	/** Of `server.json`, without what says nothing about how to run the server. */
	readonly packages?: readonly object[];
	readonly remotes?: readonly object[];
	readonly servers?: readonly ServerEntry[];
	readonly inputs?: readonly ServerInput[];
	/** The names of the optional values of each server. */
	readonly optional?: readonly (readonly string[])[];
	readonly problem?: PasteProblem;
}

const stdioTransport = { transport: { type: 'stdio' } };

function prompt(id: string, description: string, more: object = {}): ServerInput {
	return { id, type: 'promptString', description, ...more };
}

const table: readonly Row[] = [
	{
		what: 'npm with a secret, and the same server at an address',
		packages: [
			{
				registryType: 'npm',
				registryBaseUrl: 'https://registry.npmjs.org',
				identifier: '@me/weather',
				version: '1.0.0',
				...stdioTransport,
				environmentVariables: [{ name: 'KEY', description: 'Key of the site', isRequired: true, isSecret: true }],
			},
		],
		remotes: [{ type: 'streamable-http', url: 'https://w.example/mcp' }],
		servers: [
			stdio('npx', ['-y', '@me/weather@1.0.0'], { env: { KEY: '${input:weather-key}' } }),
			http('https://w.example/mcp'),
		],
		inputs: [prompt('weather-key', 'Key of the site', { password: true })],
	},
	{
		what: 'pypi with defaults, choices and an optional value',
		packages: [
			{
				registryType: 'pypi',
				identifier: 'weather-mcp',
				version: '0.5.0',
				runtimeHint: 'uvx',
				...stdioTransport,
				environmentVariables: [
					{ name: 'UNITS', description: 'Units', default: 'metric', choices: ['metric', 'imperial'] },
					{ name: 'LEVEL', description: 'Level', default: 'info' },
					{ name: 'PROXY', description: 'Proxy' },
				],
			},
		],
		servers: [stdio('uvx', ['weather-mcp==0.5.0'], { env: { UNITS: '${input:units}', LEVEL: 'info' } })],
		inputs: [
			{ id: 'units', type: 'pickString', description: 'Units', options: ['metric', 'imperial'], default: 'metric' },
		],
		optional: [['PROXY']],
	},
	{
		what: 'an image with a variable in an argument of the runtime',
		packages: [
			{
				registryType: 'oci',
				identifier: 'ghcr.io/me/hub:2.1.0',
				runtimeHint: 'docker',
				...stdioTransport,
				runtimeArguments: [
					{ type: 'positional', value: 'run', isRequired: true },
					{ type: 'named', name: '-i', value: 'true', format: 'boolean', isRequired: true },
					{ type: 'named', name: '--rm', value: 'true', description: 'Remove the container', format: 'boolean' },
					{ type: 'named', name: '--init' },
					{ type: 'named', name: '--tty', value: 'false', format: 'boolean' },
					{
						type: 'named',
						name: '-e',
						value: 'TOKEN={token}',
						isRequired: true,
						variables: { token: { description: 'Token of the hub', isRequired: true, isSecret: true } },
					},
					{ type: 'positional', valueHint: 'image_name', value: 'ghcr.io/me/hub', description: 'The image' },
				],
				environmentVariables: [{ name: 'REGION', isRequired: true }],
			},
		],
		servers: [
			stdio(
				'docker',
				'run -i --rm --init --tty=false -e TOKEN=${input:hub-token} -e REGION ghcr.io/me/hub:2.1.0'.split(' '),
				{ env: { REGION: '${input:region}' } },
			),
		],
		inputs: [prompt('region', 'REGION'), prompt('hub-token', 'Token of the hub', { password: true })],
	},
	{
		what: 'an image with a mount, older spellings, and a registry apart',
		packages: [
			{
				registry_type: 'oci',
				registry_base_url: 'https://ghcr.io',
				identifier: 'me/files',
				version: '1.0.2',
				runtime_arguments: [
					{
						type: 'named',
						name: '--mount',
						value: 'type=bind,src={source},dst={target}',
						variables: {
							source: { description: 'Folder', format: 'filepath', is_required: true },
							target: { default: '/project' },
						},
					},
				],
				package_arguments: [{ type: 'positional', value_hint: 'dir', value: '/project' }],
			},
		],
		servers: [
			stdio('docker', [
				'run',
				'-i',
				'--rm',
				'--mount',
				'type=bind,src=${input:source},dst=${input:target}',
				'ghcr.io/me/files:1.0.2',
				'/project',
			]),
		],
		inputs: [prompt('source', 'Folder'), prompt('target', 'target', { default: '/project' })],
	},
	{
		what: 'nuget with arguments of its own',
		packages: [
			{
				registryType: 'nuget',
				registryBaseUrl: 'https://api.nuget.org/v3/index.json',
				identifier: 'Me.Sample',
				version: '0.4.0-beta',
				runtimeHint: 'dnx',
				...stdioTransport,
				packageArguments: [
					{ type: 'positional', value: 'mcp' },
					{ type: 'positional', value: 'start' },
				],
			},
			{ registryType: 'nuget', identifier: 'Me.Other', version: '1.0.0', ...stdioTransport },
		],
		servers: [
			stdio('dnx', ['Me.Sample@0.4.0-beta', '--yes', '--', 'mcp', 'start']),
			stdio('dnx', ['Me.Other@1.0.0', '--yes']),
		],
	},
	{
		what: 'npm from another registry, with named and positional arguments',
		packages: [
			{
				registryType: 'npm',
				registryBaseUrl: 'https://npm.corp.example/',
				identifier: 'files-mcp',
				version: '2.0.0',
				runtimeHint: 'npx',
				...stdioTransport,
				runtimeArguments: [
					{ type: 'named', name: '-y' },
					{ type: 'named', name: '--quiet' },
				],
				packageArguments: [
					{ type: 'named', name: '--mode', description: 'Mode', default: 'local', choices: ['local', 'proxy'] },
					{ type: 'named', name: '--port', description: 'Port', format: 'number' },
					{ type: 'named', name: '--host', description: 'Host', default: 'localhost', isRequired: true },
					{ type: 'named', name: '--limit', description: 'Limit', default: '5' },
					{ type: 'named', name: '--stdio', format: 'boolean', isRequired: true, description: 'Use stdio' },
					{ type: 'positional', valueHint: 'target_dir', description: 'Folder', isRequired: true, isRepeated: true },
				],
			},
		],
		servers: [
			stdio('npx', [
				'-y',
				'--registry',
				'https://npm.corp.example/',
				'--quiet',
				'files-mcp@2.0.0',
				'--mode',
				'${input:mode}',
				'--host',
				'${input:host}',
				'--limit',
				'5',
				'--stdio',
				'${input:target-dir}',
			]),
		],
		inputs: [
			{ id: 'mode', type: 'pickString', description: 'Mode', options: ['local', 'proxy'], default: 'local' },
			prompt('host', 'Host', { default: 'localhost' }),
			prompt('target-dir', 'Folder'),
		],
		optional: [['--port']],
	},
	{
		what: 'a bundle, and a package that can be run instead',
		packages: [
			{
				registryType: 'mcpb',
				identifier: 'https://github.com/me/x/releases/download/v1/x.mcpb',
				fileSha256: 'a'.repeat(64),
				...stdioTransport,
			},
			{ registryType: 'npm', identifier: 'x', version: '1.0.0', ...stdioTransport },
		],
		servers: [stdio('npx', ['-y', 'x@1.0.0'])],
	},
	{
		what: 'a bundle alone',
		packages: [{ registryType: 'mcpb', identifier: 'https://github.com/me/x/x.mcpb', ...stdioTransport }],
		problem: { code: 'bundle' },
	},
	{
		what: 'a package of a registry whose packages one command can not run',
		packages: [{ registryType: 'cargo', identifier: 'x', version: '1.0.0', ...stdioTransport }],
		problem: { code: 'package', registry: 'cargo' },
	},
	{
		what: 'a package that serves HTTP',
		packages: [
			{
				registryType: 'npm',
				identifier: 'x',
				version: '1.0.0',
				transport: { type: 'streamable-http', url: 'http://localhost:3000/mcp' },
			},
		],
		problem: { code: 'httpPackage', command: 'npx -y x@1.0.0', url: 'http://localhost:3000/mcp' },
	},
	{
		what: 'addresses with variables, headers and choices',
		remotes: [
			{
				type: 'streamable-http',
				url: 'https://{tenant}.example/mcp/{region}/{unknown}',
				variables: {
					tenant: { description: 'Tenant', isRequired: true },
					region: { description: 'Region', default: 'eu', choices: ['eu', 'us'] },
				},
				headers: [
					{
						name: 'Authorization',
						value: 'Bearer {token}',
						isSecret: true,
						variables: { token: { description: 'Token', isSecret: true } },
					},
					{ name: 'X-Key', description: 'Key', isRequired: true, isSecret: true },
					{ name: 'X-Version', value: '2' },
					{ name: 'X-Trace', description: 'Trace' },
				],
			},
			{ type: 'sse', url: 'https://old.example/events' },
		],
		servers: [
			http('https://${input:tenant}.example/mcp/${input:region}/{unknown}', {
				Authorization: 'Bearer ${input:s-token}',
				'X-Key': '${input:x-key}',
				'X-Version': '2',
			}),
			{ type: 'sse', url: 'https://old.example/events' },
		],
		inputs: [
			prompt('tenant', 'Tenant'),
			{ id: 'region', type: 'pickString', description: 'Region', options: ['eu', 'us'], default: 'eu' },
			prompt('s-token', 'Token', { password: true }),
			prompt('x-key', 'Key', { password: true }),
		],
		optional: [['X-Trace'], []],
	},
	{
		what: 'packages whose inputs have one name and other descriptions',
		packages: ['npm', 'pypi'].map(registryType => ({
			registryType,
			identifier: 'x',
			version: '1.0.0',
			...stdioTransport,
			environmentVariables: [
				{ name: 'WORKSPACE', description: `For ${registryType}`, isRequired: true },
				{ name: 'REGION', description: 'Region', isRequired: true },
			],
		})),
		servers: [
			stdio('npx', ['-y', 'x@1.0.0'], { env: { WORKSPACE: '${input:workspace}', REGION: '${input:region}' } }),
			stdio('uvx', ['x==1.0.0'], { env: { WORKSPACE: '${input:workspace-2}', REGION: '${input:region}' } }),
		],
		inputs: [prompt('workspace', 'For npm'), prompt('region', 'Region'), prompt('workspace-2', 'For pypi')],
	},
];

/** The rest of a `server.json`, in which links must not become servers. */
function serverJson({ what, packages, remotes }: Row): object {
	return {
		$schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
		name: what.startsWith('npm with a secret')
			? 'io.github.me/weather'
			: what.includes('argument of the runtime')
				? 'io.github.me/hub'
				: 'example.s/s',
		description: what,
		version: '1.0.0',
		websiteUrl: 'https://site.example',
		repository: { url: 'https://github.com/me/s', source: 'github' },
		icons: [{ src: 'https://site.example/icon.png' }],
		...(packages && { packages }),
		...(remotes && { remotes }),
	};
}

function check(pasted: Pasted, { servers, inputs = [], optional, problem }: Row): void {
	if (problem || pasted.kind === 'problem') {
		assert.deepEqual(pasted, { kind: 'problem', problem });
		return;
	}
	assert.deepEqual(
		pasted.servers.map(it => it.entry),
		servers,
	);
	assert.deepEqual(pasted.inputs, inputs);
	assert.deepEqual(
		pasted.servers.map(it => it.optional?.map(({ name }) => name) ?? []),
		optional ?? servers?.map(() => []),
	);
	assert.equal(pasted.areAlternatives ?? false, pasted.servers.length > 1);
}

describe('server.json', () => {
	for (const row of table) {
		it(row.what, () => check(parsePasted(JSON.stringify(serverJson(row), undefined, 2)), row));
	}

	it('with the optional values that a person wants to give', () => {
		const environmentVariables = [
			{ name: 'API_KEY', description: 'Key', isSecret: true },
			{ name: 'MODE', choices: ['a', 'b'] },
			{ name: 'LEVEL', default: 'info' },
		];
		const image = { registryType: 'oci', identifier: 'me/x:1', environmentVariables, ...stdioTransport };
		const pasted = parsePasted(JSON.stringify(serverJson({ what: '', packages: [image] })));
		const [server] = pasted.kind === 'servers' ? pasted.servers : [];
		assert.deepEqual(
			server?.entry,
			stdio('docker', 'run -i --rm -e LEVEL me/x:1'.split(' '), { env: { LEVEL: 'info' } }),
		);
		assert.deepEqual(server.optional, [
			{ name: 'API_KEY', description: 'Key', isSecret: true },
			{ name: 'MODE', description: 'MODE', isSecret: false },
		]);
		const more = server.withOptional?.(new Set(['API_KEY', 'MODE']));
		assert.deepEqual(
			more?.entry,
			stdio('docker', 'run -i --rm -e API_KEY -e MODE -e LEVEL me/x:1'.split(' '), {
				env: { API_KEY: '${input:s-api-key}', MODE: '${input:mode}', LEVEL: 'info' },
			}),
		);
		assert.deepEqual(pasted.kind === 'servers' && pasted.inputs, [
			prompt('s-api-key', 'Key', { password: true }),
			{ id: 'mode', type: 'pickString', description: 'MODE', options: ['a', 'b'] },
		]);
	});

	it('as the answer of a registry', () => {
		const [row = assert.fail()] = table;
		check(parsePasted(JSON.stringify({ server: serverJson(row), _meta: { official: { status: 'active' } } })), row);
	});

	it('names the server by the last part of its name', () => {
		const pasted = parsePasted(
			JSON.stringify({ name: 'io.github.me/weather', remotes: [{ type: 'sse', url: 'https://a.example' }] }),
		);
		assert.equal(pasted.kind === 'servers' && pasted.servers[0]?.name, 'weather');
	});

	it('without packages and addresses has no server', () => {
		assert.deepEqual(parsePasted(JSON.stringify(serverJson({ what: '' }))), {
			kind: 'problem',
			problem: { code: 'noServer' },
		});
	});
});

describe('manifest.json of a bundle', () => {
	function manifest(server: object, options?: object): string {
		const author = { name: 'A', url: 'https://a.example' };
		const repository = { type: 'git', url: 'https://github.com/a/x' };
		const about = { manifest_version: '0.3', name: 'x', version: '1', author, repository, server };
		return JSON.stringify({ ...about, ...(options && { user_config: options }) });
	}

	it('asks for the folder of the bundle and for the values that it wants', () => {
		const server = {
			type: 'node',
			entry_point: 'server/index.js',
			mcp_config: {
				command: 'node',
				args: ['${__dirname}/server/index.js', '--dir', '${user_config.dirs}', '${HOME}/x', '${DOCUMENTS}'],
				env: { KEY: '${user_config.api_key}', SIZE: '${user_config.size}' },
			},
		};
		const options = {
			dirs: { type: 'directory', title: 'Folders', multiple: true, required: true, default: ['${HOME}/Desktop'] },
			api_key: { type: 'string', title: 'API Key', description: 'Your key', sensitive: true },
			size: { type: 'number', title: 'Size', default: 10 },
		};
		const pasted = parsePasted(manifest(server, options));
		const [found] = pasted.kind === 'servers' ? pasted.servers : [];
		assert.deepEqual(found?.optional, [{ name: 'api_key', description: 'Your key', isSecret: true }]);
		assert.equal('env' in found.entry && found.entry.env?.['KEY'], undefined);
		const entry = found.withOptional?.(new Set(['api_key'])).entry;
		assert.deepEqual(
			entry,
			stdio(
				'node',
				['${input:x-folder}/server/index.js', '--dir', '${input:dirs}', '${userHome}/x', '${userHome}/Documents'],
				{ env: { KEY: '${input:x-api-key}', SIZE: '${input:size}' } },
			),
		);
		assert.deepEqual(pasted.kind === 'servers' && pasted.inputs, [
			prompt('x-folder', 'Folder of the unpacked bundle (x)'),
			prompt('dirs', 'Folders'),
			prompt('size', 'Size', { default: '10' }),
			prompt('x-api-key', 'Your key', { password: true }),
		]);
	});

	it('runs a bundle of uv, and names one that says nothing of how to run it', () => {
		const uv = parsePasted(manifest({ type: 'uv', entry_point: 'src/server.py' }));
		assert.deepEqual(
			uv.kind === 'servers' && uv.servers[0]?.entry,
			stdio('uv', ['run', '--directory', '${input:x-folder}', 'src/server.py']),
		);
		assert.deepEqual(parsePasted(manifest({ type: 'node', entry_point: 'a.js' })), {
			kind: 'problem',
			problem: { code: 'otherFile', file: 'manifest.json' },
		});
	});
});

/**
 * Reads what a server publishes about itself: `server.json` of the MCP registry (schema 2025-12-11 and its older spellings),
 * and `manifest.json` of an MCP bundle.
 */
import { isObject, type JsonObject } from '../../mcp/index.js';
import { describeEntry, isWebUrl, toServerEntry } from '../config/serverEntry.js';
import { inputId, type ServerInput } from '../config/serverInputs.js';
import { failed, type FoundServer, type Pasted, type PasteProblem } from './foundServer.js';

/** The servers that a `server.json`, or an answer of a registry with one, describes; `undefined` for other values. */
export function readServerJson(value: JsonObject): Pasted | undefined {
	const json = isObject(value['server']) ? value['server'] : value;
	const packages = objects(json['packages']).filter(it => text(it, 'registryType') !== undefined);
	const remotes = objects(json['remotes']).filter(it => text(it, 'url') !== undefined);
	if (packages.length === 0 && remotes.length === 0) {
		return undefined;
	}
	const name = nameIn(json);
	const inputs = new NewInputs(name);
	const servers: FoundServer[] = [];
	const problems: PasteProblem[] = [];
	for (const it of packages) {
		const server = fromPackage(it, name, inputs);
		if ('code' in server) {
			problems.push(server);
		} else {
			servers.push(server);
		}
	}
	servers.push(...remotes.flatMap(it => fromRemote(it, name, inputs) ?? []));
	return servers.length > 0
		? { kind: 'servers', servers, inputs: inputs.all, ...(servers.length > 1 && { areAlternatives: true }) }
		: failed(problems[0] ?? { code: 'noServer' });
}

/** The part of `io.github.me/weather` after the namespace. */
function nameIn(json: JsonObject): string {
	return text(json, 'name')?.split('/').findLast(Boolean) ?? '';
}

interface Runtime {
	/** The programs that run such packages: the usual one first. */
	readonly commands: readonly string[];
	/** Arguments before those of the runtime. */
	readonly first?: readonly string[];
	/** Between the package and its version. */
	readonly joiner: string;
	/** Arguments between the package and its own arguments. */
	readonly last?: readonly string[];
	/** The option that names another registry than the public one. */
	readonly registry?: string;
	/** The address of the public registry. */
	readonly public: RegExp;
}

const runtimes: Readonly<Record<string, Runtime>> = {
	npm: {
		commands: ['npx', 'bunx'],
		first: ['-y'],
		joiner: '@',
		registry: '--registry',
		public: /^https:\/\/registry\.npmjs\.org/,
	},
	pypi: { commands: ['uvx'], joiner: '==', registry: '--default-index', public: /^https:\/\/pypi\.org/ },
	oci: { commands: ['docker', 'podman'], first: ['run', '-i', '--rm'], joiner: ':', public: /docker\.io/ },
	nuget: {
		commands: ['dnx'],
		joiner: '@',
		last: ['--yes'],
		registry: '--source',
		public: /^https:\/\/api\.nuget\.org/,
	},
};

function fromPackage(json: JsonObject, name: string, inputs: NewInputs): FoundServer | PasteProblem {
	const registry = text(json, 'registryType') ?? '';
	const runtime = Object.hasOwn(runtimes, registry) ? runtimes[registry] : undefined;
	const identifier = text(json, 'identifier');
	if (!runtime || identifier === undefined) {
		return registry === 'mcpb' ? { code: 'bundle' } : { code: 'package', registry };
	}
	const leftOut: string[] = [];
	const hint = text(json, 'runtimeHint') ?? '';
	const { commands, first = [], last = [] } = runtime;
	const env = readPairs(member(json, 'environmentVariables'), inputs, leftOut);
	const runtimeWords = readArguments(member(json, 'runtimeArguments'), inputs, leftOut);
	const words = readArguments(member(json, 'packageArguments'), inputs, leftOut);
	const passed = registry === 'oci' ? Object.keys(env).flatMap(it => ['-e', it]) : [];
	const args = [
		...first,
		...registryWords(json, runtime),
		...runtimeWords.filter(it => !first.includes(it)),
		...passed,
		packageOf(json, identifier, runtime),
		...last,
		...(registry === 'nuget' && words.length > 0 ? ['--'] : []),
		...words,
	];
	const [usual] = commands;
	const read = toServerEntry({ command: commands.includes(hint) ? hint : usual, args, env });
	const transport = json['transport'];
	const url = isObject(transport) && transport['type'] !== 'stdio' ? text(transport, 'url') : undefined;
	if (!read) {
		return { code: 'noServer' };
	}
	return url === undefined
		? { name, entry: read.entry, leftOut }
		: { code: 'httpPackage', command: describeEntry(read.entry), url };
}

/** The options for a registry that isn't the public one, where another package may have the same name. */
function registryWords(json: JsonObject, { registry, public: usual }: Runtime): string[] {
	const url = text(json, 'registryBaseUrl');
	return registry === undefined || url === undefined || usual.test(url) ? [] : [registry, url];
}

function packageOf(json: JsonObject, identifier: string, { joiner, public: usual, registry }: Runtime): string {
	const version = text(json, 'version');
	const host = /^https?:\/\/([^/]+)/.exec(text(json, 'registryBaseUrl') ?? '')?.[1];
	// Images have their registry in their name. Older files name it apart.
	const isShort = registry === undefined && host !== undefined && !usual.test(host) && !identifier.startsWith(host);
	const whole = isShort ? `${host}/${identifier}` : identifier;
	const hasVersion = /.(?:@|==|:[^/]*$)/.test(identifier.slice(identifier.lastIndexOf('/') + 1));
	return version === undefined || version === '' || hasVersion ? whole : `${whole}${joiner}${version}`;
}

function fromRemote(json: JsonObject, name: string, inputs: NewInputs): FoundServer | undefined {
	const leftOut: string[] = [];
	const url = textOf({ value: json['url'], variables: json['variables'] }, name, inputs) ?? '';
	const type = /sse/i.test(text(json, 'type') ?? text(json, 'transportType') ?? '') ? 'sse' : 'http';
	const headers = readPairs(json['headers'], inputs, leftOut);
	const read = toServerEntry({ type, url, headers });
	return read && { name, entry: read.entry, leftOut };
}

/** Reads a list of variables or headers. */
function readPairs(value: unknown, inputs: NewInputs, leftOut: string[]): Record<string, string> {
	return Object.fromEntries(
		objects(value).flatMap((it): [string, string][] => {
			const name = text(it, 'name');
			const value = name === undefined ? undefined : textOf(it, name, inputs);
			if (name !== undefined && value === undefined) {
				leftOut.push(name);
			}
			return name === undefined || value === undefined ? [] : [[name, value]];
		}),
	);
}

function readArguments(value: unknown, inputs: NewInputs, leftOut: string[]): string[] {
	return objects(value).flatMap(it => {
		const name = it['type'] === 'positional' ? undefined : text(it, 'name');
		if (name !== undefined && isFlag(it)) {
			return [name];
		}
		const key = name ?? text(it, 'valueHint') ?? '';
		const words = textOf(it, key, inputs);
		if (words === undefined) {
			leftOut.push(key);
			return [];
		}
		return name === undefined ? [words] : name.endsWith('=') ? [name + words] : [name, words];
	});
}

/** Whether a named argument has no value, not even one that the person could give. */
function isFlag(json: JsonObject): boolean {
	const isSwitch = json['format'] === 'boolean' && member(json, 'isRequired') === true;
	const about = [
		'value',
		'default',
		'choices',
		'isSecret',
		...(isSwitch ? [] : ['description', 'format', 'valueHint']),
	];
	return about.every(it => member(json, it) === undefined);
}

/**
 * The text for a value: fixed, its default, or an input for a value that the person should give. `undefined` for an optional
 * value without a default.
 */
function textOf(json: JsonObject, key: string, inputs: NewInputs, isNeeded = false): string | undefined {
	const value = text(json, 'value');
	const { variables } = json;
	if (value !== undefined) {
		return value.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
			const variable = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
			return (isObject(variable) ? textOf(variable, name, inputs, true) : undefined) ?? whole;
		});
	}
	const choices = Array.isArray(json['choices']) ? json['choices'].map(String) : [];
	const isSecret = member(json, 'isSecret') === true;
	const fallback = text(json, 'default');
	if (!isNeeded && member(json, 'isRequired') !== true && !isSecret && choices.length === 0) {
		return fallback;
	}
	return inputs.add(key, {
		type: choices.length > 0 ? 'pickString' : 'promptString',
		description: text(json, 'description') ?? text(json, 'title') ?? key,
		...(choices.length > 0 && { options: choices }),
		...(fallback !== undefined && { default: fallback }),
		...(isSecret && { password: true }),
	});
}

/** The server of an MCP bundle whose `manifest.json` is the value; `undefined` for other values. */
export function readBundleManifest(value: JsonObject): Pasted | undefined {
	const { server } = value;
	if ((value['manifest_version'] ?? value['dxt_version']) === undefined || !isObject(server)) {
		return undefined;
	}
	const name = nameIn(value);
	const inputs = new NewInputs(name);
	const description = `Folder of the unpacked bundle (${name})`;
	const folder = (): string => inputs.add(`${name} folder`, { type: 'promptString', description });
	const options = isObject(value['user_config']) ? value['user_config'] : {};
	const fill = (it: string): string =>
		it
			.replace(/\$\{__dirname\}/g, folder)
			.replace(/\$\{(HOME|DESKTOP|DOCUMENTS|DOWNLOADS)\}/g, (_, place: string) =>
				place === 'HOME' ? '${userHome}' : `\${userHome}/${place[0]}${place.slice(1).toLowerCase()}`,
			)
			.replace(/\$\{user_config\.([^{}]+)\}/g, (whole, key: string) => {
				const option = Object.hasOwn(options, key) ? options[key] : undefined;
				return isObject(option) ? optionInput(option, key, inputs) : whole;
			});
	// The host runs a bundle of this type, and finds its dependencies beside the manifest.
	const uv = { command: 'uv', args: ['run', '--directory', '${__dirname}', text(server, 'entry_point') ?? ''] };
	const config = server['mcp_config'] ?? (server['type'] === 'uv' ? uv : undefined);
	const read = toServerEntry(mapTexts(config, fill));
	return read
		? { kind: 'servers', servers: [{ name, ...read }], inputs: inputs.all }
		: failed({ code: 'otherFile', file: 'manifest.json' });
}

/** An option of a bundle, which has other names for what an input of `server.json` has. */
function optionInput(option: JsonObject, key: string, inputs: NewInputs): string {
	const [fallback] = Array.isArray(option['default']) ? option['default'] : [option['default']];
	// An answer is used as it is, so a variable of the bundle format in it would stay.
	const isPlain = ['string', 'number', 'boolean'].includes(typeof fallback) && !/\$\{/.test(String(fallback));
	const { title, description, sensitive } = option;
	const plain = {
		description: description ?? title,
		isSecret: sensitive,
		...(isPlain && { default: String(fallback) }),
	};
	return textOf(plain, key, inputs, true) ?? '';
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
	if (typeof value === 'string') {
		return map(value);
	}
	if (Array.isArray(value)) {
		return value.map((it: unknown) => mapTexts(it, map));
	}
	return isObject(value)
		? Object.fromEntries(Object.entries(value).map(([key, it]) => [key, mapTexts(it, map)]))
		: value;
}

/** The inputs of the servers in a text. */
export class NewInputs {
	private readonly byId = new Map<string, ServerInput>();

	/** @param server its name, for ids that many servers would share */
	constructor(private readonly server: string) {}

	get all(): ServerInput[] {
		return [...this.byId.values()];
	}

	/** Adds an input, or finds an equal one. Returns its variable. */
	add(key: string, definition: Omit<ServerInput, 'id'> & { readonly type: string }): string {
		const base = inputId(key, this.server);
		for (let number = 1; ; number++) {
			const id = number === 1 ? base : `${base}-${number}`;
			const input = { id, ...definition };
			const known = this.byId.get(id);
			if (!known || JSON.stringify(known) === JSON.stringify(input)) {
				this.byId.set(id, input);
				return `\${input:${id}}`;
			}
		}
	}
}

/** A member by its name, or by the spelling of older schemas: `isRequired`, `is_required`. */
function member(json: JsonObject, name: string): unknown {
	return json[name] ?? json[name.replace(/[A-Z]/g, it => `_${it.toLowerCase()}`)];
}

function text(json: JsonObject, name: string): string | undefined {
	const value = member(json, name);
	return typeof value === 'string' ? value : undefined;
}

function objects(value: unknown): JsonObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Whether a URL is that of an MCP bundle. */
export function isBundle(url: string): boolean {
	return isWebUrl(url) && /\.(?:mcpb|dxt)(?:$|[?#])/i.test(url);
}

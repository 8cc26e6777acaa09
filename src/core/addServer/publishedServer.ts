/**
 * Reads what a server publishes about itself: `server.json` of the MCP registry (schema 2025-12-11 and its older spellings),
 * and `manifest.json` of an MCP bundle.
 */
import { isObject, type JsonObject } from '../../mcp/index.js';
import { describeEntry, isWebUrl, toServerEntry } from '../config/serverEntry.js';
import { inputId, type ServerInput } from '../config/serverInputs.js';
import { failed, type FoundServer, type OptionalValue, type Pasted, type PasteProblem } from './foundServer.js';

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

function fromPackage(json: JsonObject, name: string, inputs: NewInputs, wanted = none): FoundServer | PasteProblem {
	const registry = text(json, 'registryType') ?? '';
	const runtime = Object.hasOwn(runtimes, registry) ? runtimes[registry] : undefined;
	const identifier = text(json, 'identifier');
	if (!runtime || identifier === undefined) {
		return registry === 'mcpb' ? { code: 'bundle' } : { code: 'package', registry };
	}
	const values = new Values(inputs, wanted);
	const hint = text(json, 'runtimeHint') ?? '';
	const { commands, first = [], last = [] } = runtime;
	const env = readPairs(member(json, 'environmentVariables'), values);
	const words = readArguments(member(json, 'packageArguments'), values);
	const image = packageOf(json, identifier, runtime);
	// Some files name here again what every client adds.
	const added = new Set([...first, identifier, image, identifier.replace(version, '')]);
	const args = [
		...first,
		...registryWords(json, runtime),
		...readArguments(member(json, 'runtimeArguments'), values).filter(it => !added.has(it)),
		...(registry === 'oci' ? Object.keys(env).flatMap(it => ['-e', it]) : []),
		image,
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
	if (url !== undefined) {
		return { code: 'httpPackage', command: describeEntry(read.entry), url };
	}
	return values.offerIn({ name, ...read }, next => fromPackage(json, name, inputs, next));
}

/** The options for a registry that isn't the public one, where another package may have the same name. */
function registryWords(json: JsonObject, { registry, public: usual }: Runtime): string[] {
	const url = text(json, 'registryBaseUrl');
	return registry === undefined || url === undefined || usual.test(url) ? [] : [registry, url];
}

/** The version at the end of a package's name: `@1.0.0`, `==1.0.0`, `:latest`. */
const version = /(?<=[^/])(?:@|==|:)[^/@:]*(?::\w+)?$/;

function packageOf(json: JsonObject, identifier: string, { joiner, public: usual, registry }: Runtime): string {
	const number = text(json, 'version');
	const host = /^https?:\/\/([^/]+)/.exec(text(json, 'registryBaseUrl') ?? '')?.[1];
	// Images have their registry in their name. Older files name it apart.
	const isShort = registry === undefined && host !== undefined && !usual.test(host) && !identifier.startsWith(host);
	const whole = isShort ? `${host}/${identifier}` : identifier;
	return !number || version.test(identifier) ? whole : `${whole}${joiner}${number}`;
}

function fromRemote(json: JsonObject, name: string, inputs: NewInputs, wanted = none): FoundServer | undefined {
	const values = new Values(inputs, wanted);
	const url = values.textOf({ value: json['url'], variables: json['variables'] }, name) ?? '';
	const type = /sse/i.test(text(json, 'type') ?? text(json, 'transportType') ?? '') ? 'sse' : 'http';
	const read = toServerEntry({ type, url, headers: readPairs(json['headers'], values) });
	return read && values.offerIn({ name, ...read }, next => fromRemote(json, name, inputs, next));
}

/** Reads a list of variables or headers. */
function readPairs(list: unknown, values: Values): Record<string, string> {
	return Object.fromEntries(
		objects(list).flatMap((it): [string, string][] => {
			const name = text(it, 'name');
			const value = name === undefined ? undefined : values.textOf(it, name);
			return name === undefined || value === undefined ? [] : [[name, value]];
		}),
	);
}

function readArguments(list: unknown, values: Values): string[] {
	return objects(list).flatMap(it => {
		const name = it['type'] === 'positional' ? undefined : text(it, 'name');
		if (name !== undefined && isFlag(it)) {
			return [name];
		}
		const value = values.textOf(it, name ?? text(it, 'valueHint') ?? '');
		if (name === undefined || value === undefined) {
			return value ?? [];
		}
		if (it['format'] === 'boolean' && (value === 'true' || value === 'false')) {
			return value === 'true' ? name : text(it, 'value') === 'false' ? `${name}=false` : [];
		}
		return name.endsWith('=') ? name + value : [name, value];
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

const none: ReadonlySet<string> = new Set();

/** The values of one server. */
class Values {
	private readonly optional: OptionalValue[] = [];

	/** @param wanted names of optional values that the person gives */
	constructor(
		private readonly inputs: NewInputs,
		private readonly wanted: ReadonlySet<string>,
	) {}

	/**
	 * The text for a value: fixed, its default, or an input for a value that the person gives. `undefined` for an optional
	 * value that the person doesn't give.
	 */
	textOf(json: JsonObject, key: string, isNeeded = member(json, 'isRequired') === true): string | undefined {
		const value = text(json, 'value');
		const { variables } = json;
		if (value !== undefined) {
			return value.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
				const variable = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
				return (isObject(variable) ? this.textOf(variable, name, true) : undefined) ?? whole;
			});
		}
		const choices = Array.isArray(json['choices']) ? json['choices'].map(String) : [];
		const isSecret = member(json, 'isSecret') === true;
		const fallback = text(json, 'default');
		const description = text(json, 'description') ?? text(json, 'title') ?? key;
		if (!isNeeded && fallback === undefined) {
			this.optional.push({ name: key, description, isSecret });
			if (!this.wanted.has(key)) {
				return undefined;
			}
		} else if (!isNeeded && choices.length === 0) {
			return fallback;
		}
		return this.inputs.add(key, {
			type: choices.length > 0 ? 'pickString' : 'promptString',
			description,
			...(choices.length > 0 && { options: choices }),
			...(fallback !== undefined && { default: fallback }),
			...(isSecret && { password: true }),
		});
	}

	/** The server with its optional values. */
	offerIn(
		server: FoundServer,
		read: (wanted: ReadonlySet<string>) => FoundServer | PasteProblem | undefined,
	): FoundServer {
		const withOptional = (names: ReadonlySet<string>): FoundServer => {
			const again = read(names);
			return again && 'entry' in again ? again : server;
		};
		return this.optional.length === 0 ? server : { ...server, optional: this.optional, withOptional };
	}
}

/** The server of an MCP bundle whose `manifest.json` is the value; `undefined` for other values. */
export function readBundleManifest(value: JsonObject): Pasted | undefined {
	const { server } = value;
	if ((value['manifest_version'] ?? value['dxt_version']) === undefined || !isObject(server)) {
		return undefined;
	}
	const name = nameIn(value);
	const inputs = new NewInputs(name);
	const found = fromManifest(server, isObject(value['user_config']) ? value['user_config'] : {}, name, inputs);
	return found
		? { kind: 'servers', servers: [found], inputs: inputs.all }
		: failed({ code: 'otherFile', file: 'manifest.json' });
}

function fromManifest(
	server: JsonObject,
	options: JsonObject,
	name: string,
	inputs: NewInputs,
	wanted = none,
): FoundServer | undefined {
	const values = new Values(inputs, wanted);
	const description = `Folder of the unpacked bundle (${name})`;
	const folder = (): string => inputs.add(`${name} folder`, { type: 'promptString', description });
	const valueOf = (key: string, isNeeded: boolean): string | undefined => {
		const option = Object.hasOwn(options, key) ? options[key] : undefined;
		return isObject(option) ? values.textOf(toInput(option), key, isNeeded || option['required'] === true) : undefined;
	};
	const fill = (it: string): string =>
		it
			.replace(/\$\{__dirname\}/g, folder)
			.replace(/\$\{(HOME|DESKTOP|DOCUMENTS|DOWNLOADS)\}/g, (_, place: string) =>
				place === 'HOME' ? '${userHome}' : `\${userHome}/${place[0]}${place.slice(1).toLowerCase()}`,
			)
			.replace(/\$\{user_config\.([^{}]+)\}/g, (whole, key: string) => valueOf(key, true) ?? whole);
	// The host runs a bundle of this type, and finds its dependencies beside the manifest.
	const uv = { command: 'uv', args: ['run', '--directory', '${__dirname}', text(server, 'entry_point') ?? ''] };
	const config = server['mcp_config'] ?? (server['type'] === 'uv' ? uv : undefined);
	if (!isObject(config)) {
		return undefined;
	}
	// A variable is left out with its optional value.
	const env = Object.entries(isObject(config['env']) ? config['env'] : {}).filter(([, it]) => {
		const key = /^\$\{user_config\.([^{}]+)\}$/.exec(String(it))?.[1];
		return key === undefined || valueOf(key, false) !== undefined;
	});
	const read = toServerEntry(mapTexts({ ...config, env: Object.fromEntries(env) }, fill));
	return read && values.offerIn({ name, ...read }, next => fromManifest(server, options, name, inputs, next));
}

/** An option of a bundle, with the names that inputs of `server.json` have. */
function toInput(option: JsonObject): JsonObject {
	const [fallback] = Array.isArray(option['default']) ? option['default'] : [option['default']];
	// An answer is used as it is, so a variable of the bundle format in it would stay.
	const isPlain = ['string', 'number', 'boolean'].includes(typeof fallback) && !/\$\{/.test(String(fallback));
	const { title, description, sensitive } = option;
	return { description: description ?? title, isSecret: sensitive, ...(isPlain && { default: String(fallback) }) };
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
	readonly all: ServerInput[] = [];

	/** @param server its name, for ids that many servers would share */
	constructor(private readonly server: string) {}

	/** Adds an input, or finds an equal one. Returns its variable. */
	add(key: string, definition: Omit<ServerInput, 'id'> & { readonly type: string }): string {
		const base = inputId(key, this.server);
		for (let number = 1; ; number++) {
			const id = number === 1 ? base : `${base}-${number}`;
			const input = { id, ...definition };
			const known = this.all.find(it => it.id === id);
			if (!known) {
				this.all.push(input);
			}
			if (!known || JSON.stringify(known) === JSON.stringify(input)) {
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

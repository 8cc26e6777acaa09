/** Finds servers in a parsed text: a configuration of any client, or what a server publishes about itself. */
import { isObject, type JsonObject, textLimits } from '../../mcp/index.js';
import { toServerEntry } from '../config/serverEntry.js';
import { toServerInputs } from '../config/serverInputs.js';
import { failed, found, type FoundServer, type Pasted, type TextFormat } from './foundServer.js';
import { readBundleManifest, readServerJson } from './publishedServer.js';
import { parseFormat } from './textFormats.js';

/** The keys in which clients keep their servers. */
const wrappers = [
	'mcpServers',
	'servers',
	'mcp',
	'mcp.servers',
	'context_servers',
	'amp.mcpServers',
	'mcp_servers',
	'extensions',
];

/** The servers in a JSON text of any client. */
export function parsePastedJson(text: string): Pasted {
	const whole = parseFormat(text, 'JSON', textLimits.pasted);
	// The text may be a member of an object, without the braces.
	const read = whole.ok ? whole : parseFormat(`{${text}\n}`, 'JSON', textLimits.pasted);
	return read.ok ? serversOf(read.value, 'JSON') : failed(whole.ok ? read.problem : whole.problem);
}

/** The servers in a value. */
export function serversOf(value: unknown, format: TextFormat): Pasted {
	const servers = findServers(value);
	if (servers) {
		return servers;
	}
	const file = isObject(value) ? files.find(([, keys]) => keys.some(it => Object.hasOwn(value, it)))?.[0] : undefined;
	return failed(
		file === undefined && format === 'JSON' ? { code: 'noServer' } : { code: 'otherFile', file: file ?? format },
	);
}

/** Files that people mistake for a configuration, by keys that only they have. */
const files: readonly (readonly [file: string, keys: readonly string[]])[] = [
	['package.json', ['dependencies', 'devDependencies', 'scripts']],
	['OpenAPI', ['openapi', 'swagger']],
	['compose.yaml', ['services']],
	['smithery.yaml', ['startCommand']],
	['pyproject.toml', ['project', 'build-system']],
];

function findServers(value: unknown, depth = 0): Pasted | undefined {
	if (!isObject(value) || depth > 3) {
		return undefined;
	}
	const published = readServerJson(value) ?? readBundleManifest(value);
	if (published) {
		return published;
	}
	const { inputs, ...rest } = value;
	const bare = readEntry(rest, value['name']);
	if (bare) {
		return found([bare], toServerInputs(inputs));
	}
	for (const key of wrappers) {
		const inner = Object.hasOwn(value, key) ? value[key] : undefined;
		const servers = namedServers(inner);
		if (servers.length > 0) {
			return found(servers, toServerInputs(inputs));
		}
		const deeper = findServers(inner, depth + 1);
		if (deeper) {
			return deeper;
		}
	}
	const servers = isServerMap(rest) ? namedServers(rest) : [];
	return servers.length > 0 ? found(servers) : undefined;
}

/** Whether the members of an object are named servers, rather than those of a manifest, of which some have a `url`. */
function isServerMap(value: JsonObject): boolean {
	return Object.entries(value).every(
		([key, it]) =>
			key === '$schema' ||
			(isObject(it) &&
				!/^(?:author|bugs|contact|documentation|funding|homepage|license|maintainer|publisher|repository)$/.test(key)),
	);
}

/** Reads `{ "name": { … } }`, or a list of servers with names. */
export function namedServers(value: unknown): FoundServer[] {
	const named = Array.isArray(value)
		? value.flatMap((it: unknown) =>
				isObject(it) && typeof it['name'] === 'string' ? [[it['name'], it] as const] : [],
			)
		: Object.entries(isObject(value) ? value : {});
	return named.flatMap(([name, it]) => readEntry(it, name) ?? []);
}

/** The servers of every key in which clients keep theirs. */
export function wrappedServers(value: JsonObject): FoundServer[] {
	return wrappers.flatMap(key => {
		const inner = Object.hasOwn(value, key) ? value[key] : undefined;
		return [...namedServers(inner), ...(key === 'mcp' && isObject(inner) ? namedServers(inner['servers']) : [])];
	});
}

function readEntry(value: unknown, name: unknown): FoundServer | undefined {
	const read = toServerEntry(value);
	if (!read || ('url' in read.entry && isWebPage(read.entry.url))) {
		return undefined;
	}
	return { name: typeof name === 'string' && name !== '' ? name : undefined, ...read };
}

/** Whether a URL is a page about servers, or a file of a repository. */
export function isWebPage(url: string): boolean {
	return /^https?:\/\/(?:www\.)?(?:(?:github|gitlab|npmjs|pulsemcp)\.com|(?:code\.visualstudio|hub\.docker|raw\.githubusercontent)\.com|pypi\.org|(?:smithery|glama)\.ai|mcp\.so|registry\.modelcontextprotocol\.io)\//i.test(
		url,
	);
}

/**
 * The tools of all servers as they are offered to a model: under unique names that every provider accepts, with descriptions
 * and schemas cleaned and cut. If there are too many, the ones that match the question best are offered; the model
 * finds the others with `mcpWorkbench_find_tools`.
 */
import { trimEnds } from '../../base/trim.js';
import { ModelTools } from '../../editor/contributions.js';
import { quoted } from '../../editor/languageModels/untrustedContent.js';
import { jsonText, modelText } from '../../editor/ui/plainText.js';
import { isObject, type JsonObject, type Tool } from '../../mcp/index.js';
import { searchEntries } from '../../core/search/search.js';
import type { Server } from '../../core/servers/server.js';

/** A tool that isn't hidden from models, with its server. */
export interface ToolOfServer {
	readonly server: Server;
	/** The server's label. */
	readonly label: string;
	readonly tool: Tool;
}

export interface OfferedTool extends ToolOfServer {
	/** The name by which the model calls the tool. */
	readonly name: string;
	readonly description: string;
	readonly inputSchema: JsonObject;
}

export interface OfferLimits {
	readonly maxTools: number;
	/** Limit of all names, descriptions and schemas together, in UTF-16 units. */
	readonly maxChars: number;
}

/** Providers accept names up to this length, made of letters, digits, `_` and `-`. */
const maxName = 64;
const maxServerPart = 24;
/** The part of a name, in UTF-16 units, that its slug is made from. */
const maxSlugSource = 500;
const maxDescription = 1000;
/** A tool with a longer schema isn't offered; `mcpWorkbench_find_tools` shows its schema. */
const maxSchema = 12_000;

/** Removes the secrets of servers. */
type Redact = <T>(value: T, server: Server) => T;

/**
 * Selects and names the tools. All tools keep their order; if there are too many, the best matches come first.
 * @returns the tools, and the number of tools left out
 */
export function offerTools(
	all: readonly ToolOfServer[],
	question: string,
	limits: OfferLimits,
	redact: Redact,
): { readonly tools: readonly OfferedTool[]; readonly left: number } {
	const named = withNames(all, redact).filter(it => jsonText(it.inputSchema).length <= maxSchema);
	const fits = (tools: readonly OfferedTool[]): boolean =>
		tools.length <= limits.maxTools && sum(tools) <= limits.maxChars;
	if (fits(named)) {
		return { tools: named, left: all.length - named.length };
	}
	const best = searchEntries(named, question, ({ tool, label }) => ({
		name: tool.name,
		title: tool.title,
		also: [label, ...Object.keys(propertiesOf(tool.inputSchema))],
		description: tool.description,
	}));
	const ranked = [...new Set([...best, ...named])];
	const tools: OfferedTool[] = [];
	let chars = 0;
	for (const it of ranked) {
		chars += sum([it]);
		if (tools.length === limits.maxTools || chars > limits.maxChars) {
			break;
		}
		tools.push(it);
	}
	return { tools, left: all.length - tools.length };
}

/** Gives each tool a unique name that differs from the names of our own tools. Later duplicates get a number. */
function withNames(all: readonly ToolOfServer[], redact: Redact): OfferedTool[] {
	const taken = new Set<string>(Object.values(ModelTools));
	return all.map(it => {
		const plain = `${slug(it.label, maxServerPart)}_${slug(it.tool.name, maxName)}`.slice(0, maxName);
		let name = plain;
		for (let count = 2; taken.has(name); count++) {
			const suffix = `_${count}`;
			name = plain.slice(0, maxName - suffix.length) + suffix;
		}
		taken.add(name);
		return { ...it, name, description: descriptionOf(it, redact), inputSchema: schemaOf(it, redact) };
	});
}

/** The text as part of a tool name. Some providers require a letter at the beginning. */
function slug(text: string, maxLength: number): string {
	const plain = text.slice(0, maxSlugSource).normalize('NFKD');
	const clean = trimEnds(plain.replace(/[^\w-]+/g, '_'), '_-');
	return (/^[a-z]/i.test(clean) ? clean : `x${clean}`).slice(0, maxLength);
}

function descriptionOf({ server, label, tool }: ToolOfServer, redact: Redact): string {
	const said = redact(tool.description ?? tool.title ?? '', server);
	const of = `The tool ${quoted(tool.name)} of the MCP server ${quoted(label)}.`;
	return said === '' ? of : `${of} The server says of it: ${JSON.stringify(modelText(cut(said, maxDescription)))}`;
}

/** The schema without hidden characters. Providers require `type: 'object'` and `properties`. */
function schemaOf({ server, tool }: ToolOfServer, redact: Redact): JsonObject {
	const schema = cleaned(redact(tool.inputSchema, server)) as JsonObject;
	return { ...schema, type: 'object', properties: propertiesOf(schema) };
}

function cleaned(value: unknown, depth = 0): unknown {
	if (typeof value === 'string') {
		return modelText(value);
	}
	if (typeof value !== 'object' || value === null) {
		return value;
	}
	if (depth > 20) {
		// A model can't fill in anything that deep. The server validates the arguments itself.
		return {};
	}
	return Array.isArray(value)
		? value.map(it => cleaned(it, depth + 1))
		: Object.fromEntries(Object.entries(value).map(([key, it]) => [modelText(key), cleaned(it, depth + 1)]));
}

function propertiesOf({ properties }: JsonObject): JsonObject {
	return isObject(properties) ? properties : {};
}

function sum(tools: readonly OfferedTool[]): number {
	return tools.reduce(
		(chars, it) => chars + it.name.length + it.description.length + jsonText(it.inputSchema).length,
		0,
	);
}

function cut(text: string, length: number): string {
	return text.length > length ? `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

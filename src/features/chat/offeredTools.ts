/**
 * PURE: the tools of all servers as a model is offered them: each under a name of its own that every provider takes,
 * with the server's words cleaned and cut. Where there are too many, those that fit the question best; the others are
 * found with `mcpWorkbench_find_tools`.
 */
import { trimEnds } from '../../base/trim.js';
import { ModelTools } from '../../editor/contributions.js';
import { quoted } from '../../editor/languageModels/marking.js';
import { jsonText, modelText } from '../../editor/ui/plainText.js';
import { isObject, type JsonObject, type Tool } from '../../mcp/index.js';
import { searchEntries } from '../../core/search/search.js';
import type { Server } from '../../core/servers/server.js';

/** A tool of a server that a model may know of. */
export interface ToolOfServer {
	readonly server: Server;
	/** What the person knows the server by. */
	readonly label: string;
	readonly tool: Tool;
}

export interface OfferedTool extends ToolOfServer {
	/** Under which the model calls it. */
	readonly name: string;
	readonly description: string;
	readonly inputSchema: JsonObject;
}

export interface OfferLimits {
	readonly maxTools: number;
	/** Of all names, descriptions and schemas. */
	readonly maxChars: number;
}

/** Providers take at most this, of letters, digits, `_` and `-`. */
const maxName = 64;
const maxServerPart = 24;
/** UTF-16 units of a name that its slug is made of. */
const maxSlugSource = 500;
const maxDescription = 1000;
/** A longer schema is better read with the tool that finds it. */
const maxSchema = 12_000;

/** Takes the secrets of servers out. */
type Redact = <T>(value: T, server: Server) => T;

/** Best first where there are too many, in their order otherwise. */
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

/** No two of the same name, and none of ours; who comes first keeps the plain one. */
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

/** Some providers want a letter first. */
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

/** Of an object, as providers want it; nothing in it may hide. */
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
		// Nobody fills it in; what it says is with the server.
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

/** `/tool server.name {"argument": 1}`: a call that is written out. */
import * as vscode from 'vscode';
import { charsBudget } from '../../editor/languageModels/budget.js';
import { contentText } from '../../editor/documents/contentText.js';
import { ChatCommands, Commands } from '../../editor/contributions.js';
import { markAnswer, quoted } from '../../editor/languageModels/marking.js';
import { jsonText, markdownBlock, markdownText, modelText, oneLine } from '../../editor/ui/plainText.js';
import { resourceUri } from '../../editor/documents/resourceUri.js';
import { describeSchemaProblem } from '../../editor/l10n/schemaWords.js';
import { isObject, type JsonObject, type SchemaValidator, type Tool, type ToolResult } from '../../mcp/index.js';
import type { AnsweredCall, Call } from '../../core/calls/calls.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isToolDisabled } from '../../core/calls/toolAccess.js';
import { parseArguments, takeNamed } from './commandText.js';
import { showStartButtons } from './serversCommand.js';
import type { ChatTurn, TurnEnd } from './turn.js';

export interface ToolCommandDeps {
	readonly registry: ServerRegistry;
	readonly validator: SchemaValidator;
	/** Decides, asks and calls. */
	readonly callTool: (call: Call, signal: AbortSignal) => Promise<AnsweredCall>;
	readonly keep: (text: string) => string;
}

interface NamedTool {
	readonly server: Server;
	readonly tool: Tool;
	/** `server.tool`. */
	readonly name: string;
}

const maxListed = 40;
/** What a model is told later of the result. */
const maxForModel = 6000;

export async function runTool(turn: ChatTurn, deps: ToolCommandDeps): Promise<TurnEnd> {
	const { t } = vscode.l10n;
	const { stream, signal } = turn;
	const tools = toolsOf(deps.registry);
	const { found, rest } = takeNamed(turn.request.prompt, tools, it => [it.name, it.tool.name]);
	const [named, another] = found;
	if (!named || another) {
		return showList(turn, found.length > 0 ? found : tools, deps);
	}
	const { server, tool, name } = named;
	const args = parseArguments(rest, tool.inputSchema);
	const check = args && (await deps.validator.check(tool.inputSchema, args));
	if (!args || check?.kind === 'invalid') {
		const problem = check?.kind === 'invalid' ? check.problems[0] : undefined;
		const why = problem
			? t('{0}: {1}', markdownText(problem.path || '/'), markdownText(describeSchemaProblem(problem)))
			: t('what follows the name is not JSON');
		stream.markdown(`${t('{0} was not called: {1}.', markdownText(name, 80), why)}\n\n`);
		return showUsage(turn, named);
	}
	// Other extensions can write in a chat and send it: a message is no person who saw these arguments.
	const call: Call = { caller: { kind: 'command' }, server, tool: tool.name, arguments: args };
	const whose = markdownText(deps.registry.label(server), 60);
	stream.progress(t('Running {0} on {1}…', markdownText(tool.name, 80), whose));
	const made = await deps.callTool(call, signal);
	const result = deps.registry.redact(made.result, server);
	return showResult(turn, named, result, deps);
}

async function showResult(
	{ stream }: ChatTurn,
	{ server, tool, name }: NamedTool,
	result: ToolResult,
	{ keep, registry }: ToolCommandDeps,
): Promise<TurnEnd> {
	const { t } = vscode.l10n;
	const shown = markdownText(name, 80);
	stream.markdown(result.isError ? t('{0} says that it failed:', shown) : t('{0} answered:', shown));
	const parts = result.content.map(contentText);
	if (result.structuredContent !== undefined && parts.length === 0) {
		parts.push(jsonText(result.structuredContent, 2));
	}
	const text = parts.join('\n\n');
	stream.markdown(`\n${markdownBlock(text === '' ? t('nothing') : text)}`);
	for (const block of result.content) {
		const link = block.type === 'resource_link' ? block : block.type === 'resource' ? block.resource : undefined;
		if (link) {
			stream.reference(resourceUri({ serverId: server.definition.id, uri: link.uri }, server.name));
		}
	}
	const intro = `The person called the tool ${quoted(tool.name)} of the MCP server ${quoted(registry.label(server))} by hand; this is ${result.isError ? 'its failure' : 'the result'}.`;
	const budget = { ...charsBudget, max: maxForModel };
	const mark = `server-text-${crypto.randomUUID().slice(0, 13)}`;
	return { forModel: await markAnswer({ intro, text: modelText(text) }, { budget, mark, keep }) };
}

function showList(turn: ChatTurn, tools: readonly NamedTool[], { registry }: ToolCommandDeps): TurnEnd {
	const { t } = vscode.l10n;
	const { stream } = turn;
	if (tools.length === 0) {
		stream.markdown(t('No server runs that has a tool.'));
		showStartButtons(turn, registry);
		return {};
	}
	stream.markdown(`${t('Which tool?')}\n\n`);
	for (const { name, tool } of tools.slice(0, maxListed)) {
		const said = tool.title ?? tool.description;
		stream.markdown(
			`- ${markdownText(`/${ChatCommands.tool} ${name}`)}${said ? `: ${markdownText(said, 120)}` : ''}\n`,
		);
	}
	if (tools.length > maxListed) {
		stream.markdown(`- ${t('and {0} more', tools.length - maxListed)}\n`);
	}
	return {};
}

function showUsage({ stream }: ChatTurn, { tool, name }: NamedTool): TurnEnd {
	const { t } = vscode.l10n;
	const { properties, required } = tool.inputSchema;
	const needed: readonly unknown[] = Array.isArray(required) ? required : [];
	for (const [argument, schema] of Object.entries(isObject(properties) ? properties : {})) {
		const { type, description } = isObject(schema) ? schema : {};
		const words = [
			...(typeof type === 'string' ? [type] : []),
			needed.includes(argument) ? t('required') : t('optional'),
			...(typeof description === 'string' ? [description] : []),
		];
		stream.markdown(`- **${markdownText(argument, 60)}**: ${markdownText(words.join(' · '))}\n`);
	}
	stream.markdown(
		`\n${t('Write it like this:')}\n${markdownBlock(`/${ChatCommands.tool} ${name} ${exampleOf(tool.inputSchema)}`)}`,
	);
	stream.button({ command: Commands.runTool, title: t('Run a Tool with a Form…') });
	return {};
}

/** Of what is required. */
function exampleOf({ properties, required }: JsonObject): string {
	const names = Array.isArray(required) ? required : Object.keys(isObject(properties) ? properties : {}).slice(0, 1);
	return `{${names.map(it => `${JSON.stringify(it)}: …`).join(', ')}}`;
}

function toolsOf(registry: ServerRegistry): NamedTool[] {
	return registry.servers.flatMap(server => {
		const whose = registry.label(server);
		return itemsOf(server.catalog?.tools)
			.filter(it => !isToolDisabled(server, it))
			.map(tool => ({ server, tool, name: oneLine(`${whose}.${tool.name}`) }));
	});
}

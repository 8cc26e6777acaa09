/**
 * What models can do with servers. A call goes through the one door like everybody's; what is found, listed and read
 * here leads there or changes nothing. Every word of a server is marked as such before a model sees it.
 */
import { raceAbort } from '../../base/async.js';
import { shorten } from '../../base/trim.js';
import type { Budget } from '../../editor/languageModels/budget.js';
import { ModelTools } from '../../editor/contributions.js';
import { type Answer, markAnswer, markPiece, type MarkingDeps, quoted } from '../../editor/languageModels/marking.js';
import { ImagesForModel, sentenceOfImages } from '../../editor/languageModels/modelImages.js';
import type { ModelAnswer, ModelDoors, ModelRequest } from '../../editor/languageModels/modelRequest.js';
import { jsonText, modelText } from '../../editor/ui/plainText.js';
import { canonicalJson, type JsonObject, type Resource, type Tool, type ToolResult } from '../../mcp/index.js';
import type { AnsweredCall, Call } from '../../core/calls/calls.js';
import type { Denied, Exchanges, ReadRequest } from '../../core/calls/exchanges.js';
import { redactedArguments } from '../../core/text/keptArguments.js';
import { searchEntries, type SearchTexts } from '../../core/search/search.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isForModels, ReadDeniedError } from '../../core/calls/toolAccess.js';
import type { ModelActivity } from './activity.js';
import { ModelError, toModelError } from './modelErrors.js';
import { readCall, readRest, readSearch, readUri, type SearchInput } from './modelInput.js';
import type { Rests } from './rests.js';
import { sentenceOfCheck, textOfContents, textOfResult } from './resultText.js';

export interface ModelToolsDeps {
	readonly registry: ServerRegistry;
	/** Decides, asks and calls. */
	readonly callTool: (call: Call, signal: AbortSignal) => Promise<AnsweredCall>;
	/** Remembers what is read. */
	readonly exchanges: Exchanges;
	readonly activity: ModelActivity;
	readonly rests: Rests;
}

/** An entry of a list, with whose it is. */
interface Found<T> {
	readonly server: Server;
	readonly entry: T;
}

/** What a search has found. */
interface Hits<T> {
	readonly page: readonly Found<T>[];
	/** How many there are on all pages. */
	readonly total: number;
	/** Servers that do not run, and were not looked at. */
	readonly stopped: readonly Server[];
}

export class ModelActions implements ModelDoors {
	constructor(private readonly deps: ModelToolsDeps) {}

	async findTools({ input, budget, signal }: ModelRequest): Promise<string> {
		const search = readSearch(input);
		const found = await this.search(search, signal, 'tools', toolsOf, ({ server, entry: tool }) => ({
			name: tool.name,
			title: tool.title,
			also: [this.label(server), ...argumentNames(tool)],
			description: tool.description,
		}));
		const lines = found.page.map(({ server, entry: { name, title, description, inputSchema, ...tool } }) => ({
			server: this.label(server),
			name,
			title,
			description,
			inputSchema,
			outputSchema: tool.outputSchema,
			annotations: tool.annotations,
		}));
		const next = `Call one with ${ModelTools.callTool}.`;
		return this.listed('tools', found, lines, next, budget);
	}

	async listResources({ input, budget, signal }: ModelRequest): Promise<string> {
		const search = readSearch(input);
		const found = await this.search(search, signal, 'contents', resourcesOf, ({ server, entry: it }) => ({
			name: it.name,
			title: it.title,
			also: [this.label(server), it.uri],
			description: it.description,
		}));
		const lines = found.page.map(({ server, entry: { uri, name, title, description, mimeType, size } }) => ({
			server: this.label(server),
			uri,
			name,
			title,
			description,
			mimeType,
			size,
		}));
		const next = `Read one with ${ModelTools.readResource}.`;
		return this.listed('resources', found, lines, next, budget);
	}

	async callTool(request: ModelRequest): Promise<ModelAnswer> {
		const { server, tool, args } = readCall(request.input);
		return this.call(await this.find(server, 'tools'), tool, args, request);
	}

	async call(
		server: Server,
		tool: string,
		args: JsonObject,
		{ budget, signal, through, takesImages }: ModelRequest,
	): Promise<ModelAnswer> {
		const label = this.label(server);
		const call: Call = { caller: { kind: 'model', through }, server, tool, arguments: args };
		const made = await this.used(server, tool, () => this.deps.callTool(call, signal));
		const { result } = made;
		const images = new ImagesForModel(takesImages);
		const text = textOfResult(this.redact(result, server), images);
		const isEdited = canonicalJson(made.arguments) !== canonicalJson(args);
		const sentences = [
			`${result.isError ? 'Failure' : 'Result'} of the tool ${quoted(tool)} of the MCP server ${quoted(label)}.`,
			...(result.isError ? ['The tool itself says that it failed.'] : []),
			...(isEdited
				? [`The person changed the arguments before they were sent: ${shortJson(this.told(server, made))}.`]
				: []),
			sentenceOfCheck(made.tool, result, made.schemaCheck),
			sentenceOfImages(images),
		];
		return this.marked(sentences, text, images, budget, resourcesIn(result));
	}

	async readResource({ input, budget, signal, through, takesImages }: ModelRequest): Promise<ModelAnswer> {
		const { server: name, uri } = readUri(input);
		const server = await this.find(name);
		const { exchanges } = this.deps;
		const request: ReadRequest = { kind: 'resource', caller: { kind: 'model', through }, server, uri };
		const contents = await this.used(server, uri, async () => {
			await raceAbort(exchanges.assertAllowed(request), signal);
			const client = await raceAbort(server.use(), signal);
			const listed = await raceAbort(resourcesOf(server), signal);
			// What the server did not offer by itself could carry to it whatever a model was talked into.
			if (!listed.some(it => it.uri === uri)) {
				exchanges.deny(request);
				throw new ModelError(
					`The MCP server ${quoted(name)} does not list the resource ${quoted(uri)}, and models read only what is listed. Take a URI from ${ModelTools.listResources}.`,
				);
			}
			return exchanges.make(request, () => client.readResource(uri, signal));
		});
		const images = new ImagesForModel(takesImages);
		const text = textOfContents(this.redact(contents, server), images);
		const about = `The resource ${quoted(uri)} of the MCP server ${quoted(this.label(server))}.`;
		return this.marked([about, sentenceOfImages(images)], text, images, budget, [uri]);
	}

	async readMore({ input, budget }: ModelRequest): Promise<string> {
		const { handle, from } = readRest(input);
		const text = this.deps.rests.read(handle);
		if (text === undefined) {
			throw new ModelError(
				'Nothing is kept under this handle any more. If you still need it, make the request again that gave it.',
			);
		}
		if (from >= text.length) {
			throw new ModelError(`There is nothing more: the whole has ${text.length} characters.`);
		}
		return markPiece({ intro: 'More of an earlier answer.', text }, from, handle, this.marking(budget));
	}

	keep(text: string): string {
		return this.deps.rests.keep(text);
	}

	/**
	 * By its label, or by its name where no other server has it.
	 * @throws ModelError which names the servers that a model may know of
	 */
	async find(name: string, what: Denied = 'contents'): Promise<Server> {
		const { registry } = this.deps;
		await registry.configured;
		const named = registry.servers.filter(it => it.name === name);
		const server = registry.labelled(name) ?? (named.length === 1 ? named[0] : undefined);
		if (!server) {
			const names = (await this.servers(what)).map(it => quoted(this.label(it))).join(', ');
			throw new ModelError(
				`There is no MCP server ${quoted(name)}. ${names === '' ? 'None is configured.' : `There are: ${names}.`}`,
			);
		}
		return server;
	}

	label(server: Server): string {
		return this.deps.registry.label(server);
	}

	/** With the sign that a model is at it, and failures in words for it. */
	private async used<T>(server: Server, what: string, work: () => Promise<T>): Promise<T> {
		const label = this.label(server);
		return this.deps.activity.during(`${label}: ${what}`, () => this.inWords(server, work));
	}

	private async inWords<T>(server: Server, work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			throw this.toError(error, server);
		}
	}

	/** What a server says of a failure may hold a secret too. */
	private toError(error: unknown, server: Server): unknown {
		return toModelError(error, this.label(server), text => this.redact(text, server));
	}

	/** Secrets of any server may have come to another. */
	private redact<T>(value: T, server: Server | undefined): T {
		return this.deps.registry.redact(value, server);
	}

	/** What a model is told of arguments that it has not written itself: no secrets, neither known ones nor by schema. */
	private told(server: Server, { tool, arguments: args }: AnsweredCall): JsonObject {
		return this.redact(redactedArguments(tool.inputSchema, args), server);
	}

	/** Those that models may know of. */
	private async servers(what: Denied): Promise<readonly Server[]> {
		const { registry, exchanges } = this.deps;
		const judged = await Promise.all(
			registry.servers.map(async it => ({ it, isDenied: await exchanges.denies(it, what) })),
		);
		return judged.filter(({ isDenied }) => !isDenied).map(({ it }) => it);
	}

	private async search<T>(
		{ query, server: name, limit }: SearchInput,
		signal: AbortSignal,
		what: Denied,
		entriesOf: (server: Server) => Promise<readonly T[]>,
		textsOf: (found: Found<T>) => SearchTexts,
	): Promise<Hits<T>> {
		const named = name === undefined ? undefined : await raceAbort(this.find(name, what), signal);
		if (named) {
			await this.inWords(named, async () => {
				if (await raceAbort(this.deps.exchanges.denies(named, what), signal)) {
					throw new ReadDeniedError();
				}
				await raceAbort(named.use(), signal);
			});
		}
		const all = await raceAbort(this.servers(what), signal);
		const servers = named ? [named] : all.filter(it => it.client);
		const lists = await raceAbort(Promise.all(servers.map(async it => this.entries(it, named, entriesOf))), signal);
		const hits = searchEntries(lists.flat(), query, textsOf);
		return { page: hits.slice(0, limit), total: hits.length, stopped: all.filter(it => !it.client) };
	}

	/** Of a list that could not be read, none: unless it is the one that was asked for. */
	private async entries<T>(
		server: Server,
		named: Server | undefined,
		entriesOf: (server: Server) => Promise<readonly T[]>,
	): Promise<Found<T>[]> {
		try {
			return (await entriesOf(server)).map(entry => ({ server, entry }));
		} catch (error) {
			if (named) {
				throw this.toError(error, server);
			}
			return [];
		}
	}

	private async listed(
		what: string,
		{ page, total, stopped }: Hits<unknown>,
		lines: readonly object[],
		next: string,
		budget: Budget,
	): Promise<string> {
		const names = stopped.map(it => `${quoted(this.label(it))} (${it.state.kind})`).join(', ');
		const outro =
			stopped.length === 0
				? ''
				: `Not running, so not looked at: ${names}. To start one and look there, give its name as "server".`;
		if (total === 0) {
			return [`No ${what} found. Try other words, or none.`, outro].filter(it => it !== '').join('\n');
		}
		const count = page.length < total ? `${page.length} of ${total}, best first` : `${total}`;
		const answer: Answer = {
			intro: `MCP ${what} found: ${count}; one JSON object each. ${next}`,
			text: modelText(lines.map((it, index) => jsonText(this.redact(it, page[index]?.server))).join('\n')),
			outro,
		};
		return markAnswer(answer, this.marking(budget));
	}

	private async marked(
		sentences: readonly string[],
		text: string,
		{ given }: ImagesForModel,
		budget: Budget,
		resources: readonly string[],
	): Promise<ModelAnswer> {
		const intro = sentences.filter(it => it !== '').join(' ');
		return { text: await markAnswer({ intro, text }, this.marking(budget)), images: given, resources };
	}

	private marking(budget: Budget): MarkingDeps {
		const mark = `server-text-${crypto.randomUUID().slice(0, 13)}`;
		return { budget, mark, keep: text => this.keep(text) };
	}
}

async function toolsOf(server: Server): Promise<readonly Tool[]> {
	const list = await server.catalog?.currentTools();
	if (list?.kind === 'failed') {
		throw list.error;
	}
	return itemsOf(list).filter(it => isForModels(server, it));
}

async function resourcesOf({ catalog }: Server): Promise<readonly Resource[]> {
	await catalog?.whenLoaded('resources');
	const list = catalog?.resources;
	if (list?.kind === 'failed') {
		throw list.error;
	}
	return list?.kind === 'loaded' ? list.items : [];
}

/** Those it links to, and those it holds; each once. */
function resourcesIn({ content }: ToolResult): string[] {
	const uris = content.flatMap(it =>
		it.type === 'resource_link' ? [it.uri] : it.type === 'resource' ? [it.resource.uri] : [],
	);
	return [...new Set(uris)];
}

function argumentNames({ inputSchema }: Tool): string[] {
	const { properties } = inputSchema;
	return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

/** What a person has typed is short, mostly. */
function shortJson(value: JsonObject): string {
	const text = modelText(jsonText(value));
	return shorten(text, 500);
}

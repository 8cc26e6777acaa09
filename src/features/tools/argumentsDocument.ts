/** Documents with the arguments of a tool as JSON, and with the tool's schema. There is one document for each tool. */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import type { JsonObject, Tool } from '../../mcp/index.js';
import { toolNamed } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { argumentsScheme, InternalCommands, schemaScheme } from '../../editor/contributions.js';
import { editorSchema } from './editorSchema.js';
import { parseJson } from '../../base/parseJson.js';
import { JsonDocuments, valuesOrSkeleton } from './jsonDocuments.js';
import { pathSegment, quickPickText } from '../../editor/ui/plainText.js';
import { displayName } from '../../core/approvals/toolNames.js';

/** The server's label and the tool's name. */
interface Address {
	readonly server: string;
	readonly tool: string;
}

export interface DocumentArguments {
	readonly server: Server;
	readonly tool: Tool;
	readonly args: JsonObject;
}

export class ArgumentsDocuments extends Owner {
	private readonly documents = this.own(
		new JsonDocuments({
			scheme: argumentsScheme,
			schemaScheme,
			isKnown: uri => addressOf(uri) !== undefined,
			schemaOf: uri => {
				const found = this.find(uri);
				return found && editorSchema(found.tool.inputSchema);
			},
			actions: uri => this.actions(uri),
		}),
	);

	constructor(private readonly registry: ServerRegistry) {
		super();
		this.own(registry.onDidChange(() => this.documents.refreshSchemas()));
	}

	/** Opens the document of a tool. A new document contains `first`, or without any, the skeleton of the schema. */
	openLatest(server: Server, tool: Tool, first: JsonObject): Promise<void> {
		return this.documents.openLatest(this.uriOf(server, tool), valuesOrSkeleton(first, tool.inputSchema));
	}

	/**
	 * Opens the document of a tool with other contents. In an open document that is one edit, which can be undone.
	 * @param args a string is unfinished text that may not be JSON
	 */
	async open(server: Server, tool: Tool, args: JsonObject | string): Promise<void> {
		const value = typeof args === 'string' ? args : valuesOrSkeleton(args, tool.inputSchema);
		await this.documents.open(this.uriOf(server, tool), value);
	}

	/**
	 * Reads a document.
	 * @param argument its URI; otherwise the active document is read
	 * @throws Error with a message for the person
	 */
	async read(argument: unknown): Promise<DocumentArguments> {
		const { t } = vscode.l10n;
		const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
		if (uri?.scheme !== argumentsScheme) {
			throw new Error(t("This editor doesn't contain tool arguments."));
		}
		const server = this.serverOf(uri);
		await server?.use(true);
		await server?.catalog?.whenLoaded('tools');
		const found = this.find(uri);
		if (!found) {
			throw new Error(t('The tool for these arguments no longer exists.'));
		}
		const args = await this.documents.read(uri);
		if (!args) {
			throw new Error(t("The arguments aren't a JSON object yet. Fix the underlined errors."));
		}
		return { ...found, args };
	}

	private find(uri: vscode.Uri): { readonly server: Server; readonly tool: Tool } | undefined {
		const address = addressOf(uri);
		const server = this.serverOf(uri);
		const tool = server && address && toolNamed(server, address.tool);
		return server && tool && { server, tool };
	}

	private serverOf(uri: vscode.Uri): Server | undefined {
		return this.registry.labelled(addressOf(uri)?.server ?? '');
	}

	private uriOf(server: Server, tool: Tool): vscode.Uri {
		return this.documents.numbered(uriOf({ server: this.registry.label(server), tool: tool.name }));
	}

	/** The code lenses: actions, and the tool's title and description. */
	private actions(uri: vscode.Uri): vscode.Command[] {
		const { t } = vscode.l10n;
		const address = addressOf(uri);
		if (!address) {
			return [];
		}
		const what = t('Run {0} on {1}', quickPickText(address.tool, 60), quickPickText(address.server, 40));
		const tool = this.find(uri)?.tool;
		const title = tool && displayName(tool);
		return [
			{ title: `$(play) ${what}`, command: InternalCommands.runArguments, arguments: [uri] },
			{ title: t('Return to Form'), command: InternalCommands.argumentsToForm, arguments: [uri] },
			...(title === undefined || title === tool?.name ? [] : [quote(title, 60)]),
			...(tool?.description ? [quote(tool.description, 200)] : []),
		];
	}
}

/** A code lens that only shows text of a server. */
function quote(text: string, maxLength: number): vscode.Command {
	return { title: `"${quickPickText(text, maxLength)}"`, command: '' };
}

/** For example `/everything/get-sum.json`. Names that a path can't contain unchanged are also in the query. */
function uriOf({ server, tool }: Address): vscode.Uri {
	const path = `/${pathSegment(server)}/${pathSegment(tool)}.json`;
	const isExact = pathSegment(server) === server && pathSegment(tool) === tool;
	return vscode.Uri.from({ scheme: argumentsScheme, path, query: isExact ? '' : JSON.stringify([server, tool]) });
}

function addressOf({ path, query }: vscode.Uri): Address | undefined {
	const parsed: unknown = query === '' ? /^\/([^/]+)\/([^/]+)\.json$/.exec(path)?.slice(1) : parseJson(query);
	const [server, tool]: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
	return typeof server === 'string' && typeof tool === 'string' ? { server, tool } : undefined;
}

/** Arguments of tools as JSON documents, each with the schema of its tool. */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import type { JsonObject, Tool } from '../../mcp/index.js';
import { toolNamed } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { argumentsScheme, Commands, schemaScheme } from '../../editor/contributions.js';
import { editorSchema } from '../../editor/documents/editorSchema.js';
import { JsonDocuments, parseJson, valuesOrSkeleton } from '../../editor/documents/jsonDocuments.js';
import { oneLine, quickPickText } from '../../editor/ui/plainText.js';
import { displayName } from '../../core/approvals/toolNames.js';

/** Whose arguments they are: the server's label and the tool's name. */
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

	/** Opens what was written for the tool before, or begins with `first`, or with what the schema requires. */
	openLatest(server: Server, tool: Tool, first: JsonObject): Promise<void> {
		return this.documents.openLatest(this.uriOf(server, tool), valuesOrSkeleton(first, tool.inputSchema));
	}

	/**
	 * Opens them, as one edit that can be undone where the document is open already.
	 * @param args a text is what was typed, and may be no JSON yet
	 */
	async open(server: Server, tool: Tool, args: JsonObject | string): Promise<void> {
		const value = typeof args === 'string' ? args : valuesOrSkeleton(args, tool.inputSchema);
		await this.documents.open(this.uriOf(server, tool), value);
	}

	/** Of a document, by default of the one that is edited. @throws Error in the person's language */
	async read(argument: unknown): Promise<DocumentArguments> {
		const { t } = vscode.l10n;
		const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
		if (uri?.scheme !== argumentsScheme) {
			throw new Error(t('There are no arguments of a tool in this editor.'));
		}
		const server = this.serverOf(uri);
		await server?.use(true);
		await server?.catalog?.whenLoaded('tools');
		const found = this.find(uri);
		if (!found) {
			throw new Error(t('The tool of these arguments is not there any more.'));
		}
		const args = await this.documents.read(uri);
		if (!args) {
			throw new Error(t('The arguments are not a JSON object yet. Fix what is underlined.'));
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

	/** The actions, and the server's name and description of the tool. */
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
			{ title: `$(play) ${what}`, command: Commands.runArguments, arguments: [uri] },
			{ title: t('Back to Form'), command: Commands.argumentsToForm, arguments: [uri] },
			...(title === undefined || title === tool?.name ? [] : [quote(title, 60)]),
			...(tool?.description ? [quote(tool.description, 200)] : []),
		];
	}
}

/** A code lens that only shows text of the server. */
function quote(text: string, maxLength: number): vscode.Command {
	return { title: `"${quickPickText(text, maxLength)}"`, command: '' };
}

/** `/everything/get-sum.json`; names that cannot stand in a path besides as they are. */
function uriOf({ server, tool }: Address): vscode.Uri {
	const path = `/${segment(server)}/${segment(tool)}.json`;
	const isExact = segment(server) === server && segment(tool) === tool;
	return vscode.Uri.from({ scheme: argumentsScheme, path, query: isExact ? '' : JSON.stringify([server, tool]) });
}

function addressOf({ path, query }: vscode.Uri): Address | undefined {
	const parsed: unknown = query === '' ? /^\/([^/]+)\/([^/]+)\.json$/.exec(path)?.slice(1) : parseJson(query);
	const [server, tool]: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
	return typeof server === 'string' && typeof tool === 'string' ? { server, tool } : undefined;
}

function segment(text: string): string {
	const clean = oneLine(text, 100).replaceAll('/', '\u2215');
	return clean === '' || clean === '.' || clean === '..' ? '_' : clean;
}

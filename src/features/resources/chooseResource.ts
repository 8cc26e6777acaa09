/** Which resource a command is meant for. */
import * as vscode from 'vscode';
import { isObject, type Resource } from '../../mcp/index.js';
import { itemsOf } from '../../core/servers/catalog.js';
import { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { LeafNode } from '../../editor/tree/treeNodes.js';
import type { ChosenResource } from './openResource.js';
import { parseAddress, readableName } from '../../editor/documents/resourceUri.js';

/** From the tree, from an editor, from another feature, or from a caller's `{ server: name, uri }`. */
export function chosenResource(registry: ServerRegistry, argument: unknown): ChosenResource | undefined {
	if (argument instanceof LeafNode) {
		// Lines of our groups hold what our groups' lists hold.
		return ofListed(argument.server, argument.entry as Resource);
	}
	const address = argument instanceof vscode.Uri ? parseAddress(argument) : undefined;
	if (address) {
		const server = registry.serverOf({ id: address.serverId });
		return server && named(server, address.uri);
	}
	const { server: name, uri } = isObject(argument) ? argument : {};
	const server = name instanceof Server ? name : typeof name === 'string' ? registry.find(name) : undefined;
	return server && typeof uri === 'string' ? named(server, uri) : undefined;
}

/** As its server lists it. */
export function ofListed(server: Server, { uri, name, title, size }: Resource): ChosenResource {
	return { server, uri, name: title ?? name, size };
}

function named(server: Server, uri: string): ChosenResource {
	const listed = itemsOf(server.catalog?.resources).find(it => it.uri === uri);
	return listed ? ofListed(server, listed) : { server, uri, name: readableName(uri), size: undefined };
}

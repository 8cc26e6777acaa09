/** Finds the resource that the argument of a command means. */
import * as vscode from 'vscode';
import { isObject, type Resource } from '../../mcp/index.js';
import { itemsOf } from '../../core/servers/catalog.js';
import { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { LeafNode } from '../../editor/tree/treeNodes.js';
import type { ChosenResource } from './openResource.js';
import { parseAddress, readableName } from '../../editor/documents/resourceUri.js';

/** @param argument a row of the tree, the URI of an editor, or `{ server, uri }` with the server or its name */
export function resolveResource(registry: ServerRegistry, argument: unknown): ChosenResource | undefined {
	if (argument instanceof LeafNode) {
		// The rows of our groups have resources as entries.
		return chooseListed(argument.server, argument.entry as Resource);
	}
	const address = argument instanceof vscode.Uri ? parseAddress(argument) : undefined;
	if (address) {
		const server = registry.serverOf({ id: address.serverId });
		return server && chooseUri(server, address.uri);
	}
	const { server: name, uri } = isObject(argument) ? argument : {};
	const server = name instanceof Server ? name : typeof name === 'string' ? registry.find(name) : undefined;
	return server && typeof uri === 'string' ? chooseUri(server, uri) : undefined;
}

/** A resource of its server's list. */
export function chooseListed(server: Server, { uri, name, title, size }: Resource): ChosenResource {
	return { server, uri, name: title ?? name, size };
}

function chooseUri(server: Server, uri: string): ChosenResource {
	const listed = itemsOf(server.catalog?.resources).find(it => it.uri === uri);
	return listed ? chooseListed(server, listed) : { server, uri, name: readableName(uri), size: undefined };
}

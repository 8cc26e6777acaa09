/** URIs that stand for resources of servers. The query identifies the resource; the path is only for people. */
import { parseJson } from '../../base/parseJson.js';
import { tryDecodeUri } from '../../base/percentText.js';
import * as vscode from 'vscode';
import { isObject } from '../../mcp/index.js';
import { resourceScheme } from '../contributions.js';
import { iconExtension } from '../../core/resources/contentView.js';
import { openedName } from '../../core/resources/textNames.js';
import { pathSegment } from '../ui/plainText.js';
import { fullName } from '../../core/servers/serverLabels.js';

/** The resource that a URI of this extension stands for. */
export interface ResourceAddress {
	readonly serverId: string;
	/** The URI that the server gave the resource, unchanged. */
	readonly uri: string;
	/** One of several contents of the resource: its URI, and its index among the contents with that URI. */
	readonly part?: { readonly uri: string; readonly index: number };
	/** Identifies earlier contents: `at` of `PreviousContents`. */
	readonly version?: number;
}

/** Limits the length of breadcrumbs. */
const maxSegments = 40;

/**
 * For example `mcp-workbench:/everything/demo/resource/a.md?{…}`. The name in the path never opens another editor than
 * the text editor or a viewer of VS Code (`openedName`).
 * @param extension to add to a name that doesn't have one, without a dot
 */
export function resourceUri(address: ResourceAddress, serverName: string, extension?: string): vscode.Uri {
	const name = `${placeOf(address)}${extension === undefined ? '' : `.${extension}`}`;
	const path = `/${pathSegment(fullName(serverName))}/${openedName(name)}`;
	return vscode.Uri.from({ scheme: resourceScheme, path, query: JSON.stringify(address) });
}

/**
 * The URI of a row in the tree. A name without an extension gets one by which icon themes know the MIME type, but only
 * if the resource opens with the same name from elsewhere.
 */
export function treeRowUri(address: ResourceAddress, serverName: string, mimeType: string | undefined): vscode.Uri {
	const extension = /\.\w+$/.test(placeOf(address)) ? undefined : iconExtension(mimeType);
	const isOpened = extension !== undefined && openedName(`x.${extension}`) === `x.${extension}`;
	return resourceUri(address, serverName, isOpened ? extension : undefined);
}

/** Reads the query of a URI of this extension; the path is ignored. Gives `undefined` for other URIs. */
export function parseAddress({ scheme, query }: vscode.Uri): ResourceAddress | undefined {
	if (scheme !== resourceScheme) {
		return undefined;
	}
	// A URI that was typed by hand, or comes from an older version, can have any query.
	const value = parseJson(query);
	const { serverId, uri, part, version } = isObject(value) ? value : {};
	return typeof serverId === 'string' && typeof uri === 'string'
		? { serverId, uri, ...(isPart(part) ? { part } : {}), ...(typeof version === 'number' ? { version } : {}) }
		: undefined;
}

function isPart(value: unknown): value is { uri: string; index: number } {
	return isObject(value) && typeof value['uri'] === 'string' && typeof value['index'] === 'number';
}

/**
 * Whether the path is one that `resourceUri` makes for the resource in the query. The editor resolves relative links to
 * other paths with the same query, and other extensions can make any URI.
 */
export function isOwnPath(uri: vscode.Uri, address: ResourceAddress): boolean {
	const place = placeOf(address);
	const rest = placeInPath(uri.path);
	const isNamed = rest.startsWith(place) && /^(\.\w{1,5})?$/.test(rest.slice(place.length));
	return isNamed && openedName(rest) === rest;
}

/** The path without the server's name. */
export function placeInPath(path: string): string {
	return path.split('/').slice(2).join('/');
}

/** `demo/resource/static/a.md` for `demo://resource/static/a.md`: scheme, host and path. */
export function placeOf({ uri, part }: Pick<ResourceAddress, 'uri' | 'part'>): string {
	const [, scheme = '', host = '', path = ''] =
		/^(?:([a-z][\w+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)/is.exec(part?.uri ?? uri) ?? [];
	const segments = [scheme, host, ...path.split('/')].filter(it => it !== '').slice(-maxSegments);
	return segments.length > 0 ? segments.map(it => pathSegment(tryDecodeUri(it) ?? it)).join('/') : '_';
}

/** The last part of a URI's path, decoded: what a file manager would show. */
export function readableName(uri: string): string {
	return placeOf({ uri }).split('/').at(-1) ?? uri;
}

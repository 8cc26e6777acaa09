/** PURE but for the editor's Uri: a server's resource as a URI of ours, with a path people can read. */
import { tryDecodeUri } from '../../base/percentText.js';
import * as vscode from 'vscode';
import { isObject } from '../../mcp/index.js';
import { resourceScheme } from '../contributions.js';
import { iconExtension } from '../../core/resources/contentView.js';
import { openedName } from '../../core/resources/textNames.js';
import { oneLine } from '../ui/plainText.js';

/** What one of our URIs stands for. */
export interface ResourceAddress {
	readonly serverId: string;
	/** The server's own URI, exactly as it was listed. */
	readonly uri: string;
	/** One of several contents that a read of it gave: its own URI, and which of those with that URI. */
	readonly part?: { readonly uri: string; readonly index: number };
	/** What it was before: `at` of `PreviousContents`. */
	readonly version?: number;
}

/** More segments would only make breadcrumbs long. */
const maxSegments = 40;

/**
 * `mcp-workbench:/everything/demo/resource/a.md?{…}`: the path is for people, and the query says what it is. Whoever opens
 * it gets a text editor or one of the editor's own viewers, whatever the server calls the resource.
 * @param extension is added to a name that does not say what the contents are; without a dot
 */
export function resourceUri(address: ResourceAddress, serverName: string, extension?: string): vscode.Uri {
	const name = `${placeOf(address)}${extension === undefined ? '' : `.${extension}`}`;
	const path = `/${pathSegment(serverName)}/${openedName(name)}`;
	return vscode.Uri.from({ scheme: resourceScheme, path, query: JSON.stringify(address) });
}

/**
 * For a line of the tree: with an extension by which icon themes know the MIME type, where the name has none. What opens
 * from there has the name that it opens with elsewhere.
 */
export function lineUri(address: ResourceAddress, serverName: string, mimeType: string | undefined): vscode.Uri {
	const extension = /\.\w+$/.test(placeOf(address)) ? undefined : iconExtension(mimeType);
	const isOpened = extension !== undefined && openedName(`x.${extension}`) === `x.${extension}`;
	return resourceUri(address, serverName, isOpened ? extension : undefined);
}

/** The query of one of our URIs, whatever its path; `undefined` for a URI that is none of ours. */
export function parseAddress({ scheme, query }: vscode.Uri): ResourceAddress | undefined {
	if (scheme !== resourceScheme) {
		return undefined;
	}
	try {
		const value: unknown = JSON.parse(query);
		if (isObject(value) && typeof value['serverId'] === 'string' && typeof value['uri'] === 'string') {
			const { serverId, uri, part, version } = value;
			return {
				serverId,
				uri,
				...(isPart(part) ? { part } : {}),
				...(typeof version === 'number' ? { version } : {}),
			};
		}
	} catch {
		// Typed by hand, or from an older version.
	}
	return undefined;
}

function isPart(value: unknown): value is { uri: string; index: number } {
	return isObject(value) && typeof value['uri'] === 'string' && typeof value['index'] === 'number';
}

/**
 * Whether the path is one that `resourceUri` makes for the resource in the query. The editor makes other paths, for
 * relative links, and leaves the query as it is; other extensions may make any.
 */
export function isOwnPath(uri: vscode.Uri, address: ResourceAddress): boolean {
	const place = placeOf(address);
	const rest = placeInPath(uri.path);
	const isNamed = rest.startsWith(place) && /^(\.\w{1,5})?$/.test(rest.slice(place.length));
	return isNamed && openedName(rest) === rest;
}

/** Without the server's name. */
export function placeInPath(path: string): string {
	return path.split('/').slice(2).join('/');
}

/** `demo/resource/static/a.md` for `demo://resource/static/a.md`: scheme, host and path. */
export function placeOf({ uri, part }: Pick<ResourceAddress, 'uri' | 'part'>): string {
	const [, scheme = '', host = '', path = ''] =
		/^(?:([a-z][\w+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)/is.exec(part?.uri ?? uri) ?? [];
	const segments = [scheme, host, ...path.split('/')].filter(it => it !== '').slice(-maxSegments);
	return segments.length > 0 ? segments.map(it => pathSegment(decoded(it))).join('/') : '_';
}

/** The last part of a URI's path, decoded: what a file manager would show. */
export function readableName(uri: string): string {
	return placeOf({ uri }).split('/').at(-1) ?? uri;
}

function decoded(segment: string): string {
	return tryDecodeUri(segment) ?? segment;
}

function pathSegment(text: string): string {
	const clean = oneLine(text, 100).replaceAll('/', '\u2215');
	return clean === '' || clean === '.' || clean === '..' ? '_' : clean;
}

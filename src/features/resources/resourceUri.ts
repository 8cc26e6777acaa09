/** PURE but for the editor's Uri: a server's resource as a URI of ours, with a name people can read. */
import * as vscode from 'vscode';
import { isObject } from '../../mcp/index.js';
import { resourceScheme } from '../../host/contributions.js';
import { oneLine } from '../../host/plainText.js';

/** What one of our URIs stands for. */
export interface ResourceAddress {
	readonly serverId: string;
	/** The server's own URI, exactly as it was listed. */
	readonly uri: string;
}

/** `mcp-workbench:/everything/architecture.md?{…}`: the path is for people, the query says what it is. */
export function resourceUri(serverId: string, serverName: string, uri: string): vscode.Uri {
	const address: ResourceAddress = { serverId, uri };
	return vscode.Uri.from({
		scheme: resourceScheme,
		path: `/${pathSegment(serverName)}/${readableName(uri)}`,
		query: JSON.stringify(address),
	});
}

/** The way back; `undefined` for a URI that is none of ours. */
export function parseResourceUri({ query }: vscode.Uri): ResourceAddress | undefined {
	try {
		const value: unknown = JSON.parse(query);
		if (isObject(value) && typeof value['serverId'] === 'string' && typeof value['uri'] === 'string') {
			return { serverId: value['serverId'], uri: value['uri'] };
		}
	} catch {
		// Typed by hand, or from an older version.
	}
	return undefined;
}

/** The last part of a URI's path, decoded: what a file manager would show. */
export function readableName(uri: string): string {
	const [path = uri] = uri.split(/[?#]/, 1);
	const last = path.split('/').findLast(it => it !== '') ?? uri;
	try {
		return pathSegment(decodeURIComponent(last));
	} catch {
		return pathSegment(last);
	}
}

/** Languages for MIME types whose name has no telling extension. */
const languages: Readonly<Record<string, string>> = {
	'application/json': 'json',
	'application/javascript': 'javascript',
	'application/typescript': 'typescript',
	'application/xml': 'xml',
	'application/yaml': 'yaml',
	'text/css': 'css',
	'text/html': 'html',
	'text/javascript': 'javascript',
	'text/markdown': 'markdown',
	'text/x-python': 'python',
	'text/xml': 'xml',
	'text/yaml': 'yaml',
};

/** The language a resource is in, if its MIME type knows better than its extension. */
export function languageOf(uri: vscode.Uri, mimeType: string | undefined): string | undefined {
	const [type = ''] = (mimeType ?? '').split(';', 1);
	const hasExtension = /\.\w+$/.test(uri.path);
	return hasExtension && type !== 'text/markdown' ? undefined : languages[type.trim().toLowerCase()];
}

function pathSegment(text: string): string {
	const clean = oneLine(text, 100).replaceAll('/', '\u2215');
	return clean === '' || clean === '.' || clean === '..' ? '_' : clean;
}

/**
 * The facts by which a person recognizes what they decide about. Each is shown by one function, in every view: a tool and
 * an address by these, a server by `ServerRegistry.label`. No view reads their results as an icon, a link or the end of a
 * quotation; only Markdown needs `markdownText` besides.
 */
import { displayName } from '../../core/approvals/toolNames.js';
import { escapeCharacter, shownName, spelledOut } from '../../core/text/spelledOut.js';
import { type Tool, tryParseUrl } from '../../mcp/index.js';

/** A tool's name. Put it in quotation marks where words of ours are beside it. */
export function toolName(name: string, maxLength = 128): string {
	return shownName(name, maxLength);
}

/** What its server calls a tool: the title, and then the name if it differs, so that no title passes for another tool. */
export function toolTitle(tool: Pick<Tool, 'name' | 'title' | 'annotations'>): readonly [string, ...string[]] {
	const title = displayName(tool);
	return title === tool.name ? [toolName(title)] : [toolName(title, 200), toolName(tool.name)];
}

/** An address that a person decides about: never cut, and with the host in ASCII, so that no host looks like another. */
export function shownAddress(url: string | URL): string {
	return plain(parsed(url)?.href ?? String(url));
}

/** The host of such an address, with the port if it has one. */
export function shownHost(url: string | URL): string {
	return plain(parsed(url)?.host ?? String(url));
}

function parsed(url: string | URL): URL | undefined {
	return typeof url === 'string' ? tryParseUrl(url) : url;
}

function plain(address: string): string {
	return spelledOut(address).replace(/[$\]](?=\()/g, escapeCharacter);
}

/**
 * The facts by which a person recognizes what they decide about. Every view shows tools and addresses by these functions,
 * and servers by `ServerRegistry.label`. No view reads their results as an icon, a link, or the end of a quotation;
 * Markdown also needs `markdownText`.
 */
import { displayName } from '../../core/approvals/toolNames.js';
import { escapeCharacter, shownName, spelledOut } from '../../core/text/spelledOut.js';
import { type Tool, tryParseUrl } from '../../mcp/index.js';

/** A tool's name. Put the name in quotation marks beside words of ours. @param maxLength in UTF-16 units */
export function toolName(name: string, maxLength = 128): string {
	return shownName(name, maxLength);
}

/** The title of a tool, followed by its name if they differ, so that a title can't pass for another tool. */
export function toolTitle(tool: Pick<Tool, 'name' | 'title' | 'annotations'>): readonly [string, ...string[]] {
	const title = displayName(tool);
	return title === tool.name ? [toolName(title)] : [toolName(title, 200), toolName(tool.name)];
}

/** An address that a person decides about: never cut, and with the host in ASCII, so that no host looks like another. */
export function shownAddress(url: string | URL): string {
	return spellOutAddress(toUrl(url)?.href ?? String(url));
}

/** The host of an address that a person decides about, with the port if the address has one. */
export function shownHost(url: string | URL): string {
	return spellOutAddress(toUrl(url)?.host ?? String(url));
}

function toUrl(url: string | URL): URL | undefined {
	return typeof url === 'string' ? tryParseUrl(url) : url;
}

/** Shows an address unchanged, because a slash at its end matters. The URL parser would add one. */
export function spellOutAddress(address: string): string {
	return spelledOut(address).replace(/[$\]](?=\()/g, escapeCharacter);
}

/** The resource that people name behind `/resource`: one that is listed, or what a template comes to. */
import { oneLine } from '../../editor/ui/plainText.js';
import { parseUriTemplate, type Resource, type ResourceTemplate } from '../../mcp/index.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { type Named, takeNamed } from './commandText.js';

export interface NamedResource {
	readonly server: Server;
	readonly resource: Resource;
}

/** Those of servers that run; what a template comes to only if nothing else has that name. */
export function findResources(
	text: string,
	known: readonly NamedResource[],
	registry: ServerRegistry,
): Named<NamedResource> {
	const fitting = new Set(fittingTemplates(text, registry));
	const { found, rest } = takeNamed(text, [...known, ...fitting], ({ server, resource: { uri, name, title = '' } }) => {
		const whose = registry.label(server);
		return [uri, name, title, `${whose}.${name}`, `${whose} ${uri}`].map(it => oneLine(it, Infinity));
	});
	const better = found.filter(it => !fitting.has(it));
	return { found: better.length > 0 ? better : found, rest };
}

/** What servers list. */
export function knownResources({ servers }: ServerRegistry): readonly NamedResource[] {
	return servers.flatMap(server => itemsOf(server.catalog?.resources).map(resource => ({ server, resource })));
}

export interface NamedTemplate {
	readonly server: Server;
	readonly template: ResourceTemplate;
}

export function knownTemplates({ servers }: ServerRegistry): readonly NamedTemplate[] {
	return servers
		.filter(it => it.client)
		.flatMap(server => itemsOf(server.catalog?.resourceTemplates).map(template => ({ server, template })));
}

function fittingTemplates(text: string, registry: ServerRegistry): NamedResource[] {
	return registry.servers.flatMap(server => {
		const templates = server.client ? itemsOf(server.catalog?.resourceTemplates) : [];
		const parsed = templates.map(it => parseUriTemplate(it.uriTemplate));
		const uri = urisIn(text, registry.label(server)).find(it => parsed.some(template => template?.fits(it)));
		return uri === undefined ? [] : [{ server, resource: { uri, name: uri } }];
	});
}

/** What the text begins with, or what comes after the name of the server, if that is an address. */
function urisIn(text: string, whose: string): string[] {
	const clean = text.trim();
	const inQuotes = /^"([^"]+)"/.exec(clean)?.[1];
	const whole = inQuotes ?? clean;
	const isTheirs = whole.toLowerCase().startsWith(`${whose.toLowerCase()} `);
	return [whole, ...(isTheirs ? [whole.slice(whose.length + 1)] : [])]
		.map(it => (inQuotes === undefined ? it.replace(/\s[^]*/, '') : it))
		.filter(it => /^[a-z][a-z\d+.-]*:./i.test(it));
}

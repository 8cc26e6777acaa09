/** Warnings about a call, for the approval sheet. They block nothing. */
import { canonicalJson, type JsonObject, type Tool } from '../../mcp/index.js';

export type ToolWarning =
	/** Another server has a tool with the same name. */
	| { readonly kind: 'sameName'; readonly server: string }
	/** An argument holds a secret that was stored for a server. */
	| { readonly kind: 'secret'; readonly argument: string };

/**
 * All warnings about a call.
 * @param others the tools of all other servers, by the servers' labels
 * @param hasSecret whether a text holds a secret
 */
export function warningsOf(
	tool: string,
	args: JsonObject,
	others: readonly { readonly server: string; readonly tools: readonly Pick<Tool, 'name'>[] }[],
	hasSecret: (text: string) => boolean,
): ToolWarning[] {
	const namesake = others.find(({ tools }) => tools.some(it => it.name === tool));
	return [
		...(namesake ? [{ kind: 'sameName', server: namesake.server } as const] : []),
		...Object.entries(args)
			.filter(([name, value]) => hasSecret(name) || hasSecret(typeof value === 'string' ? value : canonicalJson(value)))
			.map(([argument]) => ({ kind: 'secret', argument }) as const),
	];
}

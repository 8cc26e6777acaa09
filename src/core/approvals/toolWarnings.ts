/** Warnings about a call, for the approval sheet. They block nothing. */
import { canonicalJson, type JsonObject, type Tool } from '../../mcp/index.js';
import { joinersInWord } from '../text/invisible.js';

export type ToolWarning =
	/** Invisible characters, or characters that change the reading direction. */
	| { readonly kind: 'hiddenText' }
	/** Another server has a tool with the same name. */
	| { readonly kind: 'sameName'; readonly server: string }
	/** An argument holds a secret that was stored for a server. */
	| { readonly kind: 'secret'; readonly argument: string };

export interface WarningFacts {
	readonly tool: Tool;
	readonly instructions: string | undefined;
	readonly arguments: JsonObject;
	/** The tools of all other servers, by the servers' labels. */
	readonly others: readonly { readonly server: string; readonly tools: readonly Pick<Tool, 'name'>[] }[];
	/** Whether a text holds a secret. */
	readonly hasSecret: (text: string) => boolean;
}

/** Control, format, tag, and filler characters, and variation selectors, except for joiners that scripts and emoji need. */
const hidden = new RegExp(
	`(?![\\n\\r\\t\\u200C\\u200D])[\\p{Cc}\\p{Cf}]|[\\u115F\\u1160\\u3164\\uFFA0]|[\\u{E0100}-\\u{E01EF}]|${joinersInWord}`,
	'u',
);

/** All warnings about a call. */
export function warningsOf({ tool, instructions, arguments: args, others, hasSecret }: WarningFacts): ToolWarning[] {
	const texts = [...textsOf(tool), instructions ?? ''];
	const namesake = others.find(({ tools }) => tools.some(it => it.name === tool.name));
	return [
		...(texts.some(it => hidden.test(it)) ? [{ kind: 'hiddenText' } as const] : []),
		...(namesake ? [{ kind: 'sameName', server: namesake.server } as const] : []),
		...Object.entries(args)
			.filter(([name, value]) => hasSecret(name) || hasSecret(typeof value === 'string' ? value : canonicalJson(value)))
			.map(([argument]) => ({ kind: 'secret', argument }) as const),
	];
}

/** All texts of a definition, including the names of members. */
function textsOf({ name, title, description, inputSchema, outputSchema, annotations }: Tool): string[] {
	const texts: string[] = [];
	const open: unknown[] = [name, title, description, annotations, inputSchema, outputSchema];
	// The loop also visits what it adds.
	for (const value of open) {
		if (typeof value === 'string') {
			texts.push(value);
		} else if (typeof value === 'object' && value !== null) {
			Object.entries(value).forEach(it => open.push(...it));
		}
	}
	return texts;
}

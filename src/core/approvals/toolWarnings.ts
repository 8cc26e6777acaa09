/**
 * Warnings about a call, for the approval sheet. They are heuristics and block nothing: a hostile server can avoid them,
 * and an honest one can trigger them.
 */
import { canonicalJson, type JsonObject, type Tool } from '../../mcp/index.js';
import { joinersInWord } from '../text/invisible.js';

export type ToolWarning =
	/** Invisible characters, or characters that change the reading direction. */
	| { readonly kind: 'hiddenText' }
	/** Text that instructs a model rather than describes the tool; `quote` is from the definition. */
	| { readonly kind: 'instructions'; readonly quote: string }
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

/** UTF-16 units of a definition that are checked. */
const maxChecked = 100_000;

/** Control, format, tag, and filler characters, and variation selectors, except for joiners that scripts and emoji need. */
const hidden = new RegExp(
	`(?![\\n\\r\\t\\u200C\\u200D])[\\p{Cc}\\p{Cf}]|[\\u115F\\u1160\\u3164\\uFFA0]|[\\u{E0100}-\\u{E01EF}]|${joinersInWord}`,
	'u',
);

/** Texts that instruct a model. Each pattern is bounded, so that matching takes linear time. */
const commands: readonly RegExp[] = [
	/\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|earlier|above|other|all)\b[^.\n]{0,30}\b(?:instruction|prompt|rule|message)s?\b/i,
	/\b(?:do not|don't|don’t|never|without)\b[^.\n]{0,30}\b(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|reveal)\b[^.\n]{0,30}\b(?:user|person|anyone)\b/i,
	/<\/?(?:important|system|instructions?|secret|critical)>/i,
	/\b(?:before|when|whenever|after)\b[^.\n]{0,20}\b(?:using|calling|running|use|call)\b[^.\n]{0,40}\b(?:must|always|first)\b[^.\n]{0,40}\b(?:read|send|call|pass|include|fetch)\b/i,
	/\b(?:system|developer) prompt\b/i,
	/~\/\.(?:ssh|aws|cursor|vscode)\b|\bid_rsa\b|\.env file\b/i,
];

/** All warnings about a call. Looks at the first `maxChecked` characters of the tool's definition. */
export function warningsOf({ tool, instructions, arguments: args, others, hasSecret }: WarningFacts): ToolWarning[] {
	const texts = [...textsOf(tool), instructions ?? ''];
	const quote = texts.map(quoteOf).find(it => it !== undefined);
	const namesake = others.find(({ tools }) => tools.some(it => it.name === tool.name));
	return [
		...(texts.some(it => hidden.test(it)) ? [{ kind: 'hiddenText' } as const] : []),
		...(quote === undefined ? [] : [{ kind: 'instructions', quote } as const]),
		...(namesake ? [{ kind: 'sameName', server: namesake.server } as const] : []),
		...Object.entries(args)
			.filter(([name, value]) => hasSecret(name) || hasSecret(typeof value === 'string' ? value : canonicalJson(value)))
			.map(([argument]) => ({ kind: 'secret', argument }) as const),
	];
}

function quoteOf(text: string): string | undefined {
	return commands.map(it => it.exec(text)?.[0]).find(it => it !== undefined);
}

/** All texts of a definition, including the names of members. */
function textsOf(tool: Tool): string[] {
	const { name, title, description, inputSchema, outputSchema, annotations } = tool;
	const texts: string[] = [];
	let left = maxChecked;
	const open: unknown[] = [name, title, description, annotations, inputSchema, outputSchema];
	for (let next = 0; next < open.length && left > 0; next++) {
		const value = open[next];
		if (typeof value === 'string') {
			texts.push(value.slice(0, left));
			left -= value.length;
		} else if (typeof value === 'object' && value !== null) {
			for (const [key, member] of Object.entries(value) as [string, unknown][]) {
				open.push(key, member);
				left -= 1;
			}
		}
	}
	return texts;
}

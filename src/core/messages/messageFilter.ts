/**
 * The filter of a list of messages: words that must all occur, and the facts `method:`, `server:`, `outcome:` and
 * `slow:` (milliseconds). Upper and lower case don't matter. Text with spaces needs quotes.
 */
import type { Exchange } from './exchanges.js';

export type MessageFilter = (exchange: Exchange) => boolean;

/** The filter for a text; matches everything if the text is empty. */
export function parseMessageFilter(text: string): MessageFilter {
	const tests = Array.from(text.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/gi), ([whole, name = '', quoted, plain]) =>
		testFor(name.toLowerCase(), quoted ?? plain ?? '', whole),
	);
	return exchange => tests.every(test => test(exchange));
}

function testFor(name: string, value: string, whole: string): MessageFilter {
	// An unknown name before a colon is a part of the text, as in URIs.
	const isText = name !== '' && !['method', 'server', 'outcome', 'slow'].includes(name);
	// A regular expression is faster than changing the case of each searched text.
	const pattern = new RegExp((isText ? whole : value).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'i');
	switch (name) {
		case 'method':
			return it => inTree(it, ({ first }) => pattern.test(first.facts.method));
		case 'server':
			return it => pattern.test(it.first.channel.source.name);
		case 'outcome':
			return it => outcomeGroup(it).startsWith(value.toLowerCase());
		case 'slow':
			return it => (it.durationMs ?? -1) > Number(value.replace(/^>/, ''));
		default:
			return it =>
				inTree(it, ({ first, end }) => pattern.test(first.text) || (end !== undefined && pattern.test(end.text)));
	}
}

/** An outcome as `outcome:` names it; `none` for messages that get no answer. */
export function outcomeGroup(exchange: Exchange): 'ok' | 'error' | 'pending' | 'none' {
	const { isPending, outcome } = exchange;
	if (isPending || outcome?.kind === 'task' || outcome?.kind === 'inputRequired') {
		return 'pending';
	}
	return outcome === undefined ? 'none' : outcome.kind === 'ok' ? 'ok' : 'error';
}

function inTree(exchange: Exchange, test: MessageFilter): boolean {
	return test(exchange) || exchange.children.some(it => inTree(it, test));
}

/**
 * The filter of a list of messages: words that must all occur, and the facts `method:`, `server:`, `outcome:` and
 * `slow:` (milliseconds). A minus excludes. Case is ignored. Text with spaces needs quotes.
 */
import type { Exchange } from './exchanges.js';

export type MessageFilter = (exchange: Exchange) => boolean;

/** The filter for a text; matches everything if the text is empty. */
export function parseMessageFilter(text: string): MessageFilter {
	const words = text.matchAll(/(-?)(?:(method|server|outcome|slow):)?(?:"([^"]*)"?|(\S+))/gi);
	const tests = Array.from(words, ([, minus, name = '', quoted, plain = '']): MessageFilter => {
		const test = testFor(name.toLowerCase(), quoted ?? plain);
		if (minus !== '') {
			// Messages beneath a request don't exclude the request.
			return it => !test(it);
		}
		return /^(method)?$/i.test(name) ? it => inTree(it, test) : test;
	});
	return exchange => tests.every(test => test(exchange));
}

function testFor(name: string, value: string): MessageFilter {
	// A regular expression is faster than changing the case of each searched text.
	const pattern = new RegExp(value.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'i');
	switch (name) {
		case 'method':
			return ({ first }) => pattern.test(first.facts.method);
		case 'server':
			return it => pattern.test(it.first.channel.source.name);
		case 'outcome':
			return it => outcomeGroup(it).startsWith(value.toLowerCase());
		case 'slow':
			return it => (it.durationMs ?? -1) > Number(value.replace(/^>/, ''));
		default:
			return ({ first, end, late }) => [first, end, late].some(it => it && pattern.test(it.text));
	}
}

/** An outcome as `outcome:` names it; `none` for messages that get no answer. */
export function outcomeGroup(exchange: Exchange): 'ok' | 'error' | 'pending' | 'canceled' | 'none' {
	const { isPending, outcome } = exchange;
	if (isPending || outcome?.kind === 'task' || outcome?.kind === 'inputRequired') {
		return 'pending';
	}
	const kind = outcome?.kind ?? 'none';
	return kind === 'none' || kind === 'ok' || kind === 'canceled' ? kind : 'error';
}

function inTree(exchange: Exchange, test: MessageFilter): boolean {
	return test(exchange) || exchange.children.some(it => inTree(it, test));
}

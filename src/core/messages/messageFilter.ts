/**
 * The filter of a list of messages: words that must all occur, and the facts `method:`, `server:`, `outcome:` and
 * `slow:` (milliseconds). Upper and lower case don't matter. Text with spaces needs quotes.
 */
import type { Exchange } from './exchanges.js';

export type MessageFilter = (exchange: Exchange) => boolean;

/** The values of `outcome:`. */
export type OutcomeGroup = 'ok' | 'error' | 'pending';

/** The filter for a text; matches everything if the text is empty. */
export function parseMessageFilter(text: string): MessageFilter {
	const tests = Array.from(text.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/gi), ([whole, name = '', quoted, plain]) =>
		testFor(name.toLowerCase(), quoted ?? plain ?? '', whole),
	);
	return exchange => tests.every(test => test(exchange));
}

function testFor(name: string, value: string, whole: string): MessageFilter {
	const contains = containing(value);
	switch (name) {
		case 'method':
			return it => inTree(it, ({ first }) => contains(first.method));
		case 'server':
			return it => contains(it.first.channel.source.name);
		case 'outcome': {
			const wanted = value.toLowerCase();
			return it => outcomeGroup(it)?.startsWith(wanted) === true;
		}
		case 'slow': {
			const ms = Number(value.replace(/^>/, ''));
			return it => (it.durationMs ?? -1) > ms;
		}
		default: {
			// An unknown name before a colon is a part of the text, as in URIs.
			const has = containing(name === '' ? value : whole);
			return it => inTree(it, ({ first, end }) => has(first.text) || (end !== undefined && has(end.text)));
		}
	}
}

/** `undefined` for messages that get no answer. */
export function outcomeGroup(exchange: Exchange): OutcomeGroup | undefined {
	if (exchange.isPending) {
		return 'pending';
	}
	switch (exchange.outcome?.kind) {
		case undefined:
			return undefined;
		case 'ok':
			return 'ok';
		case 'task':
		case 'inputRequired':
			return 'pending';
		case 'toolError':
		case 'error':
		case 'lost':
			return 'error';
	}
}

function containing(text: string): (searched: string) => boolean {
	// A regular expression is faster than changing the case of each searched text.
	const pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'i');
	return searched => pattern.test(searched);
}

function inTree(exchange: Exchange, test: (exchange: Exchange) => boolean): boolean {
	return test(exchange) || exchange.children.some(it => inTree(it, test));
}

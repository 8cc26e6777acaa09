/** What the tables of hostile texts are made of. */
import type { Field, Tool } from '../../../src/mcp/index.js';
import { tryParseUrl } from '../../../src/mcp/uri/parseUrl.js';

/** By file below `src/`, then by name: gives the function the text, in every way in which it may come. */
export type Rows = Readonly<Record<string, Readonly<Record<string, (text: string) => unknown>>>>;

/** The text as arguments on a command line. */
export function words(text: string): string[] {
	return text.split(' ');
}

/** A tool that says the text everywhere. */
export function toolOf(text: string): Tool {
	const inputSchema = { type: 'object', properties: { [text]: { type: text, description: text, pattern: text } } };
	return { name: text, title: text, description: text, inputSchema, annotations: { title: text } };
}

/** A field of a form that says the text everywhere. */
export function field(text: string): Field {
	return {
		kind: 'string',
		name: text,
		title: text,
		description: text,
		minLength: undefined,
		maxLength: 5,
		pattern: text,
		format: 'email',
		required: true,
		nullable: false,
		isSecret: false,
		default: text,
		ignoredDefault: undefined,
	};
}

/** Runs what may refuse the text with an error of its own; a stack that was too small is none. */
export function tolerant<T>(run: () => T): T | undefined {
	try {
		return run();
	} catch (error) {
		// Those of the platform (a URL, an encoding) have a code; a mistake of the row has none.
		if (error instanceof RangeError || (error instanceof TypeError && !('code' in error))) {
			throw error;
		}
		return undefined;
	}
}

/** With the text in the parts of a URL, where that is a URL to us. */
export function asUrl<T>(text: string, run: (url: URL) => T): T[] {
	return [
		text,
		`https://${text}`,
		`https://a/${text}?${text}#${text}`,
		`https://${text}:${text}@a`,
		`file:///${text}`,
	].flatMap(it => {
		const url = tryParseUrl(it);
		return url ? [run(url)] : [];
	});
}

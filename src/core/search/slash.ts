/**
 * Prompts as slash commands: reads `/server.prompt city="Paris" country=F` into words and arguments, and finds commands
 * by words (`/ev co` finds `everything.completable-prompt`).
 */
import type { Prompt } from '../../mcp/index.js';
import { findBest, wordsOf } from './matcher.js';

/** A slash command as a person has typed it. */
export interface SlashText {
	/** The words to find the command by. If they begin with its full name, the words after the name are values. */
	readonly words: readonly string[];
	/** `name=value`, in the order typed; the last of a name counts. */
	readonly named: ReadonlyMap<string, string>;
}

/** A prompt of a server. */
export interface SlashCommand {
	/** `server.prompt`, as the person sees it. */
	readonly name: string;
	readonly prompt: Pick<Prompt, 'title' | 'description'>;
}

/** Characters that are read. */
const maxTyped = 20_000;

/** Reads the text after the slash, or all of it if there is no slash. An unfinished quotation ends with the text. */
export function parseSlash(text: string): SlashText {
	const words: string[] = [];
	const named = new Map<string, string>();
	for (const { name, value } of tokensOf(text.slice(0, maxTyped).replace(/^\s*\/?/, ''))) {
		if (name !== undefined) {
			named.set(name, value);
		} else if (value !== '') {
			words.push(value);
		}
	}
	return { words, named };
}

/**
 * The values that were typed for a command: `name=value` for names of its arguments and, if its full name was typed, the
 * words after that for the remaining arguments in their order.
 */
export function typedArguments(
	{ words, named }: SlashText,
	name: string,
	argumentNames: readonly string[],
): Record<string, string> {
	const values = new Map(Array.from(named).filter(([it]) => argumentNames.includes(it)));
	const rest = isNamed(words, name) ? words.slice(wordsIn(name)) : [];
	const open = argumentNames.filter(it => !values.has(it));
	for (const [index, value] of rest.entries()) {
		const argument = open[index];
		if (argument !== undefined) {
			values.set(argument, value);
		}
	}
	return Object.fromEntries(values);
}

/** A command with values for its arguments, as a person would type it. `parseSlash` reads the same values from it. */
export function slashText(name: string, values: Readonly<Record<string, string>>): string {
	const given = Object.entries(values).map(([key, value]) => ` ${key}="${value.replace(/["\\]/g, String.raw`\$&`)}"`);
	return `/${name}${given.join('')}`;
}

/** The commands that match every word, best first, at most `limit`. A full name with values finds only that command. */
export function findCommands<T extends SlashCommand>(entries: readonly T[], { words }: SlashText, limit: number): T[] {
	const exact = entries.filter(it => isNamed(words, it.name));
	return exact[0] && words.length > wordsIn(exact[0].name)
		? exact
		: findBest(entries, wordsOf(words.join(' ')), limit, ({ name, prompt: { title, description } }) => ({
				names: [name, title],
				description,
			}));
}

function isNamed(words: readonly string[], name: string): boolean {
	const count = wordsIn(name);
	return count > 0 && words.slice(0, count).join(' ').toLowerCase() === partsOf(name).join(' ').toLowerCase();
}

/** Names of servers can contain spaces. */
function wordsIn(name: string): number {
	return partsOf(name).length;
}

function partsOf(name: string): string[] {
	return name.split(/\s+/).filter(it => it !== '');
}

interface Token {
	readonly name?: string | undefined;
	readonly value: string;
}

/** Tokens are separated by white space; text in double or single quotes is one token. */
function* tokensOf(text: string): Generator<Token> {
	const token = /\s*(?:([^\s="']+)=)?((?:"(?:[^"\\]|\\[^])*(?:"|$)|'[^']*(?:'|$)|[^\s"'])*)/y;
	while (token.lastIndex < text.length) {
		const [all = '', name, value = ''] = token.exec(text) ?? [];
		if (all === '') {
			return;
		}
		yield { name, value: unquoted(value) };
	}
}

function unquoted(value: string): string {
	return value.replace(
		/"((?:[^"\\]|\\[^])*)(?:"|$)|'([^']*)(?:'|$)/g,
		(_, double: string | undefined, single: string | undefined) => single ?? (double ?? '').replace(/\\([^])/g, '$1'),
	);
}

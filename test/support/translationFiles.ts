/** Where the words are: English in the sources and `package.nls.json`, each other language in two files beside them. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { readSources } from './sourceTrees.js';
import { compare, findMissing, type Texts, type Translation } from './translation.js';
import { type Messages, readMessages } from './visibleWords.js';

const manifestWords = 'package.nls.json';
const translatedManifestWords = 'package.nls.zh-cn.json';
const translatedMessages = 'l10n/bundle.l10n.zh-cn.json';

export function readManifestWords(): Translation {
	return { english: read(manifestWords), chinese: read(translatedManifestWords) };
}

/** The key of a message is its English text, and a comment after it if there is one. */
export function readMessageWords({ places }: Messages): Translation {
	const keys = [...places.keys()].toSorted(compare);
	return { english: Object.fromEntries(keys.map(it => [it, it])), chinese: read(translatedMessages) };
}

/**
 * Puts the texts of both files into their order, and removes those that aren't used any more.
 * @returns the missing texts by file, as lines of JSON to paste and translate
 */
export function updateTranslations(): Readonly<Record<string, readonly string[]>> {
	const missing: Record<string, readonly string[]> = {};
	for (const [file, words] of [
		[translatedManifestWords, readManifestWords()],
		[translatedMessages, readMessageWords(readMessages(readSources()))],
	] as const) {
		write(file, ordered(words));
		missing[file] = findMissing(words).map(it => `${JSON.stringify(it)}: ${JSON.stringify(words.english[it])},`);
	}
	return missing;
}

function ordered({ english, chinese }: Translation): Texts {
	const used = Object.entries(chinese).filter(([key]) => key in english);
	return Object.fromEntries(used.toSorted(([one], [other]) => compare(one, other)));
}

function read(file: string): Texts {
	return JSON.parse(fs.readFileSync(path.join(projectRoot, file), 'utf8')) as Texts;
}

function write(file: string, texts: Texts): void {
	fs.writeFileSync(path.join(projectRoot, file), `${JSON.stringify(texts, undefined, '\t')}\n`);
}

/** Where the words are: English in the sources and `package.nls.json`, each other language in two files beside them. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { readSources } from './sourceTrees.js';
import { compare, type Texts, type Translation } from './translation.js';
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

/** Writes what is missing as an empty text in its place, and leaves out what nobody says any more. */
export function completeTranslations(): void {
	write(translatedManifestWords, complete(readManifestWords()));
	write(translatedMessages, complete(readMessageWords(readMessages(readSources()))));
}

function complete({ english, chinese }: Translation): Texts {
	return Object.fromEntries(
		Object.keys(english)
			.toSorted(compare)
			.map(it => [it, chinese[it] ?? '']),
	);
}

function read(file: string): Texts {
	return JSON.parse(fs.readFileSync(path.join(projectRoot, file), 'utf8')) as Texts;
}

function write(file: string, texts: Texts): void {
	fs.writeFileSync(path.join(projectRoot, file), `${JSON.stringify(texts, undefined, '\t')}\n`);
}

/**
 * Words messages otherwise, everywhere at once: npm run reword -- "<text as it was>" "<text as it is to be>", or with one
 * JSON file of many. Of a translation only the key changes: whether it still says the same is for a person to see.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { execFileSync } from 'node:child_process';
import { type Rewording, rewordDocument, rewordSource, rewordTest } from '../../support/reword.js';
import { projectRoot } from '../paths.js';

const [before = '', after] = process.argv.slice(2);
const rewording: Rewording =
	after === undefined ? (JSON.parse(fs.readFileSync(before, 'utf8')) as Rewording) : { [before]: after };

const words = Object.keys(rewording).filter(it => !/\S\s+\S/.test(it));
if (words.length > 0) {
	throw new Error(`A single word stands in too many other texts. Change it by hand: ${words.join(', ')}`);
}
const found = new Set<string>();
for (const file of execFileSync('git', ['ls-files'], { cwd: projectRoot, encoding: 'utf8' }).trim().split('\n')) {
	const place = path.join(projectRoot, file);
	const reword = rewordingOf(file);
	if (!reword || !fs.existsSync(place)) {
		continue;
	}
	const text = fs.readFileSync(place, 'utf8');
	const wanted = reword(text, rewording);
	if (wanted !== text) {
		fs.writeFileSync(place, wanted);
		found.add(file);
	}
}
console.log([...found].join('\n'));

function rewordingOf(file: string): ((text: string, rewording: Rewording) => string) | undefined {
	if (/^l10n\/.*\.json$/.test(file)) {
		return rewordKeys;
	}
	if (file === 'package.nls.json') {
		return rewordValues;
	}
	if (file.endsWith('.ts')) {
		return file.startsWith('src/') ? rewordSource : file.startsWith('test/') ? rewordTest : undefined;
	}
	return file.endsWith('.md') && file !== 'CHANGELOG.md' ? rewordDocument : undefined;
}

function rewordKeys(text: string): string {
	const texts = Object.entries(JSON.parse(text) as Record<string, string>);
	const renamed = texts.map(([key, value]) => {
		const message = Object.keys(rewording).find(it => key === it || key.startsWith(`${it}/`));
		return [message === undefined ? key : `${rewording[message]}${key.slice(message.length)}`, value];
	});
	return `${JSON.stringify(Object.fromEntries(renamed), undefined, '\t')}\n`;
}

function rewordValues(text: string): string {
	const texts = Object.entries(JSON.parse(text) as Record<string, string>);
	return `${JSON.stringify(Object.fromEntries(texts.map(([key, value]) => [key, rewording[value] ?? value])), undefined, '\t')}\n`;
}

// The extensions that come with the editor. A test window loads only those that this extension interacts with, and takes a
// third less CPU time to open. One window of each editor loads all of them, to show that they get on with each other.
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { InstalledEditor } from './install.js';

export type BuiltIns = 'all' | 'few';

const few = [
	'configuration-editing',
	'json',
	'json-language-features',
	'markdown-basics',
	'markdown-language-features',
	'media-preview',
	'theme-defaults',
	'theme-seti',
];

/** What to tell the editor's server, so that it has these and no others. */
export function builtInArguments(builtIns: BuiltIns, editor: InstalledEditor, dataFolder: string): string[] {
	if (builtIns === 'all') {
		return [];
	}
	const all = path.resolve(editor.main, '..', '..', 'extensions');
	const folder = path.join(dataFolder, 'builtIns');
	fs.mkdirSync(folder, { recursive: true });
	for (const name of few.filter(it => !fs.existsSync(path.join(folder, it)))) {
		if (!fs.existsSync(path.join(all, name))) {
			throw new Error(`The ${editor.name} editor has no extension ${name}.`);
		}
		fs.symlinkSync(path.join(all, name), path.join(folder, name));
	}
	return ['--builtin-extensions-dir', folder];
}

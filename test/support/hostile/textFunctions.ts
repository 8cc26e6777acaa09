/**
 * Finds the exported functions whose first parameter is text, or has text in it, in files that plain Node can load: a file
 * that imports the editor, or another that does, cannot be run in a unit test.
 */
import * as path from 'node:path/posix';
import type { Sources } from '../sourceTrees.js';

/** By file below `src/`, in the order of the sources. */
export function textFunctions(sources: Sources): Map<string, readonly string[]> {
	const found = new Map<string, readonly string[]>();
	for (const [file, text] of Object.entries(sources)) {
		if (file.includes('/') && !file.startsWith('webviews/') && !needsEditor(file, sources)) {
			const names = functionsIn(text);
			if (names.length > 0) {
				found.set(file, names);
			}
		}
	}
	return found;
}

function functionsIn(text: string): string[] {
	return Array.from(text.matchAll(/^export (?:async )?function\*? (\w+)(?:<[^(]*>)?\(/gm)).flatMap(match => {
		const first = firstParameter(text.slice(match.index + match[0].length));
		return /\bstring\b/.test(first) ? [match[1] ?? ''] : [];
	});
}

function firstParameter(text: string): string {
	let depth = 0;
	for (let index = 0; index < text.length; index++) {
		const character = text[index] ?? '';
		if (depth === 0 && (character === ',' || character === ')')) {
			return text.slice(0, index);
		}
		depth += '([{<'.includes(character) ? 1 : 0;
		depth -= ')]}'.includes(character) || (character === '>' && text[index - 1] !== '=') ? 1 : 0;
	}
	return text;
}

function needsEditor(file: string, sources: Sources, seen = new Set<string>()): boolean {
	if (seen.has(file)) {
		return false;
	}
	seen.add(file);
	const imports = (sources[file] ?? '').matchAll(/^(?:import|export) (?!type\b)[^;]*?from '([^']+)';/gm);
	return Array.from(imports, it => it[1] ?? '').some(
		it =>
			it === 'vscode' ||
			(it.startsWith('.') && needsEditor(path.join(path.dirname(file), it).replace(/\.js$/, '.ts'), sources, seen)),
	);
}

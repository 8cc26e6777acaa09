/** What README says that can be looked up. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';

interface Manifest {
	readonly contributes: {
		readonly keybindings: readonly { readonly key: string }[];
		readonly configuration: readonly { readonly properties: Readonly<Record<string, { readonly default: unknown }>> }[];
	};
}

describe('README', () => {
	const read = (name: string): string => fs.readFileSync(path.join(projectRoot, name), 'utf8');

	it('has every setting, with its default as it would be written', () => {
		const { contributes } = JSON.parse(read('package.json')) as Manifest;
		const settings = [contributes.configuration].flat().flatMap(it => Object.entries(it.properties));
		const rows = Array.from(read('README.md').matchAll(/^\| `(mcpWorkbench\.[\w.]+)` +\| `([^|]+)` +\|/gm));
		const told = rows.map(([, name = '', value = '']) => [name, JSON.parse(value) as unknown] as const);
		const sorted = (all: readonly (readonly [string, unknown])[]): unknown =>
			all.toSorted(([a], [b]) => a.localeCompare(b));
		assert.deepEqual(sorted(told), sorted(settings.map(([name, it]) => [name, it.default])));
	});

	it('names every key', () => {
		const { contributes } = JSON.parse(read('package.json')) as Manifest;
		const table = /^## Keyboard$[^]*?^For keys/m.exec(read('README.md'))?.[0] ?? '';
		const keys = contributes.keybindings.map(it => it.key.replace(/\b[a-z]/g, letter => letter.toUpperCase()));
		assert.ok(keys.length > 0);
		assert.deepEqual(
			keys.filter(it => !table.includes(it)),
			[],
		);
	});

	it('and SECURITY name only files that there are', () => {
		const named = Array.from(read('SECURITY.md').matchAll(/`((?:test|src|docs)\/[^`]*)`/g), ([, file = '']) => file);
		assert.ok(named.length > 20);
		assert.deepEqual(
			named.filter(it => !fs.existsSync(path.join(projectRoot, it))),
			[],
		);
	});

	it('and SECURITY say that there is no telemetry', () => {
		for (const name of ['README.md', 'SECURITY.md']) {
			assert.match(read(name), /There is no telemetry\./, name);
		}
	});

	it('leads to headings that it has', () => {
		const text = read('README.md');
		const headings = Array.from(text.matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
			title
				.toLowerCase()
				.replace(/[^\w -]/g, '')
				.replaceAll(' ', '-'),
		);
		const links = Array.from(text.matchAll(/\]\(#([^)]+)\)/g), ([, target]) => target);
		assert.ok(links.length > 0);
		assert.deepEqual(
			links.filter(it => !headings.includes(it ?? '')),
			[],
		);
	});
});

// Every function that takes text of a server, a repository, a page or the clipboard is run over long hostile texts, and
// must not get slow faster than they get longer.
import * as assert from 'node:assert/strict';
import { findGrowth } from '../support/hostile/growth.js';
import { coreRows } from '../support/hostile/coreRows.js';
import { excluded, otherRows } from '../support/hostile/otherRows.js';
import { deepTexts, textsOf, units } from '../support/hostile/texts.js';
import { textFunctions } from '../support/hostile/textFunctions.js';
import { readSources } from '../support/sourceTrees.js';

const rows = { ...coreRows, ...otherRows };
const functions = Object.entries(rows).flatMap(([file, calls]) =>
	Object.entries(calls).map(([name, run]) => ({ name: `${file} ${name}`, run })),
);

const forms = units.flatMap(unit =>
	textsOf(unit).map((textOf, index) => [`${JSON.stringify(unit)}, form ${index}`, textOf] as const),
);

/** They say that they never throw, whatever a file or a page is. */
const parsers = [
	'base/parseJson.ts parseJson',
	'core/history/historyEntry.ts parseEntry',
	'core/text/jsonNodes.ts valueAt',
	'core/addServer/otherClients.ts readClientFile',
	'core/addServer/pastedServer.ts parsePastedJson',
	'core/addServer/pastedServer.ts parsePasted',
	'core/approvals/toolLock.ts parseLock',
	'core/approvals/policyFile.ts parsePolicy',
	'core/config/serverConfig.ts parseServerConfig',
	'mcp/auth/grant.ts parseClient',
	'mcp/auth/grant.ts parseGrant',
];

describe('hostile texts', () => {
	it('every exported function that takes text has a row, or a reason to have none', () => {
		const found = [...textFunctions(readSources())].flatMap(([file, names]) => names.map(it => `${file} ${it}`));
		const listed = [rows, excluded].flatMap(table =>
			Object.entries(table).flatMap(([file, names]) => Object.keys(names).map(it => `${file} ${it}`)),
		);
		assert.ok(found.length > 100, `${found.length} functions`);
		assert.deepEqual(
			found.filter(it => !listed.includes(it)),
			[],
			'without a row',
		);
		assert.deepEqual(
			listed.filter((it, index) => listed.indexOf(it) !== index),
			[],
			'listed twice',
		);
		const excludedNames = Object.entries(excluded).flatMap(([file, names]) =>
			Object.keys(names).map(it => `${file} ${it}`),
		);
		assert.deepEqual(
			excludedNames.filter(it => !found.includes(it)),
			[],
			'excluded, and not there',
		);
	});

	for (const { name, run } of functions) {
		it(`${name} costs no more than its text is long`, async function () {
			this.timeout(60_000);
			const slow: string[] = [];
			for (const [form, textOf] of forms) {
				const growth = await findGrowth(run, textOf);
				if (growth) {
					slow.push(`${form}: ${growth.factor} times as much at ${growth.length}`);
				}
				// Two are enough to see what they have in common, and each may take seconds.
				if (slow.length === 2) {
					break;
				}
			}
			assert.deepEqual(slow, []);
		});

		it(`${name} survives texts that are nested deeply`, async () => {
			for (const text of deepTexts(parsers.includes(name) ? 30_000 : 10_000)) {
				try {
					await run(text);
				} catch (error) {
					assert.ok(!(error instanceof RangeError), `${text.slice(0, 20)}: ${String(error)}`);
				}
			}
		});
	}

	describe('the test itself', () => {
		const growthOf = (run: (text: string) => unknown): ReturnType<typeof findGrowth> =>
			findGrowth(run, length => `a${'_'.repeat(length)}!`);

		it('sees what is quadratic', async () => {
			assert.notEqual(await growthOf(text => /_+$/.test(text)), undefined);
		});

		it('sees what is exponential, before it never ends', async () => {
			assert.notEqual(await growthOf(text => /^a(_+)+$/.test(text)), undefined);
		});

		it('accepts linear functions, however slow', async () => {
			assert.equal(
				await growthOf(text => Array.from(text, it => it.normalize('NFKD').repeat(100).toUpperCase())),
				undefined,
			);
		});

		it('sees a function without a row', () => {
			const sources = {
				'core/a.ts': `import { b } from './b.js';\nexport function plain(text: string): void {}`,
				'core/b.ts': `export async function other<T>(\n\t{ text }: { readonly text: readonly string[] },\n): void {}`,
				'core/c.ts': `export function none(run: () => void, text: string): void {}\nfunction hidden(text: string): void {}`,
				'core/d.ts': `import type * as vscode from 'vscode';\nexport function typed(text?: string): void {}`,
				'editor/e.ts': `import * as vscode from 'vscode';\nexport function editor(text: string): void {}`,
				'editor/f.ts': `import {\n\teditor,\n} from './e.js';\nexport function behind(text: string): void {}`,
			};
			assert.deepEqual(
				[...textFunctions(sources)],
				[
					['core/a.ts', ['plain']],
					['core/b.ts', ['other']],
					['core/d.ts', ['typed']],
				],
			);
		});
	});
});

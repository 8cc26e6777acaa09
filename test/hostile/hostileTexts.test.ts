// Functions that take text of a server, a repository, a page or the clipboard are run over long hostile texts, and must
// not get slow faster than they get longer.
import * as assert from 'node:assert/strict';
import { findGrowth } from '../support/hostile/growth.js';
import { coreRows } from '../support/hostile/coreRows.js';
import { otherRows } from '../support/hostile/otherRows.js';
import { deepTexts, textsOf, units } from '../support/hostile/texts.js';

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
	});
});

import * as assert from 'node:assert/strict';
import { rewordDocument, rewordSource, rewordTest } from '../../support/reword.js';

const rewording = {
	"{0}: {1} hasn't responded for {2}.": '{1} of {0}: no response for {2}.',
	'not running': 'Not running',
	"can't be read": 'Cannot be read',
	'Stop {0} servers?': 'Stop All {0} Servers?',
	Forget: 'Remove',
	'failed: {0}': 'Failed: {0}',
};

describe('messages that are worded otherwise are followed', () => {
	it('in a source, where they are messages', () => {
		assert.equal(
			rewordSource(
				`t('not running'); t("can't be read"); log.info('not running'); t(\n\t'Forget',\n); t({ message: 'Forget' })`,
				rewording,
			),
			`t('Not running'); t("Cannot be read"); log.info('not running'); t(\n\t'Remove',\n); t({ message: 'Remove' })`,
		);
	});

	it('in a test: whole, filled in, as a part, and in a pattern', () => {
		const cases: readonly (readonly [before: string, after: string])[] = [
			[`assert.equal(a, 'not running')`, `assert.equal(a, 'Not running')`],
			[`('everything · not running · 3')`, `('everything · Not running · 3')`],
			[`("a: b hasn't responded for 1 s.")`, `("b of a: no response for 1 s.")`],
			["(`${a}: ${b} hasn't responded for 1 s.`)", '(`${b} of ${a}: no response for 1 s.`)'],
			[`('x | Stop 3 servers? | y')`, `('x | Stop All 3 Servers? | y')`],
			[`match(a, /^Stop \\d+ servers\\?$/)`, `match(a, /^Stop All \\d+ Servers\\?$/)`],
			[`['Forget', 'Forget Values']`, `['Remove', 'Forget Values']`],
			[`('failed: exit code 1')`, `('Failed: exit code 1')`],
			[`('it\\'s Forget')`, `('it\\'s Forget')`],
			[`it('not running', () => {`, `it('not running', () => {`],
			[`const notRunning = 1; // not running`, `const notRunning = 1; // not running`],
		];
		for (const [before, after] of cases) {
			assert.equal(rewordTest(before, rewording), after);
		}
	});

	it('in a document: names, and whole sentences', () => {
		assert.equal(
			rewordDocument('Click **Forget**, and forget it. A server that is "not running"; Forget.', rewording),
			'Click **Remove**, and forget it. A server that is "Not running"; Forget.',
		);
	});
});

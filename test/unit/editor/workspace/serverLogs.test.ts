/** The log channel of a server, from one definition to the next. */
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { ServerLogs } from '../../../../src/editor/workspace/log.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { definition } from '../../../support/modelFixture.js';
import { window } from '../../../support/vscodeDouble.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('ServerLogs', () => {
	const { own } = leakCheck();
	afterEach(() => mock.reset());

	it('hides secrets of an earlier definition too, in the log of that server alone', () => {
		const lines: string[] = [];
		mock.method(window, 'createOutputChannel', (name: string) => ({
			info: (line: string) => lines.push(`${name.split(': ')[1]}: ${line}`),
			dispose: () => undefined,
		}));
		const logs = own(new ServerLogs());
		const before = own(logs.open(definition('a')));
		before.redactor.hide(['old secret']);
		before.dispose();
		const after = own(logs.open(definition('a', { args: ['-v'] })));
		const other = own(logs.open(definition('b')));
		after.redactor.hide(['new secret']);
		for (const it of [after, other]) {
			it.info('old secret, new secret');
		}
		assert.deepEqual(lines, ['a: <redacted>, <redacted>', 'b: old secret, new secret']);
	});

	it('hides a secret in the last of many lines, which is cut', () => {
		stopTime();
		const lines: string[] = [];
		const info = (line: string): unknown => lines.push(line);
		mock.method(window, 'createOutputChannel', () => ({ info, dispose: () => undefined }));
		const log = own(own(new ServerLogs()).open(definition('a')));
		log.redactor.hide(['0123456789'.repeat(4)]);
		for (let line = 0; line < 102; line++) {
			log.stderr(`GET https://example.com/v1/events?after=1&wait=30&key=${'0123456789'.repeat(4)}`);
		}
		passTime(10_000);
		releaseTime();
		assert.equal(lines.length, 101);
		assert.match(lines.at(-1) ?? '', /^… and 2 more in 10 s, the last one: .*&key=<redacted>$/);
	});
});

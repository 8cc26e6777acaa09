/** The log channel of a server, from one definition to the next. */
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { ServerLogs } from '../../../../src/editor/workspace/log.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { definition } from '../../../support/modelFixture.js';
import { Position, Selection, window } from '../../../support/vscodeDouble.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('ServerLogs', () => {
	const { own } = leakCheck();
	afterEach(() => {
		mock.reset();
		window.visibleTextEditors = [];
	});

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

	it('selects the last line with the requested text once the panel shows it', async () => {
		const shown: unknown[] = [];
		mock.method(window, 'createOutputChannel', () => ({
			show: (keeps: boolean) => shown.push(keeps),
			dispose: () => undefined,
		}));
		const changed = own(new Emitter<void>());
		mock.method(window, 'onDidChangeVisibleTextEditors', changed.event);
		let text = '';
		const document = {
			uri: { scheme: 'output' },
			getText: () => text,
			positionAt: (offset: number) => new Position(0, offset),
		};
		const editor = { document, selection: undefined, revealRange: (range: unknown) => shown.push(range) };
		window.visibleTextEditors = [editor];
		const log = own(own(new ServerLogs()).open(definition('a')));
		log.show();
		assert.deepEqual(shown, [true]);
		log.show('Ended.');
		text = 'Ended. Ended. Starting.';
		changed.fire();
		await settled();
		const range = new Selection(new Position(0, 7), new Position(0, 13));
		assert.deepEqual([shown, editor.selection], [[true, true, range], range]);
	});

	it('writes a thousand lines of a level or of stderr in ten seconds, and then how many more there were', () => {
		stopTime();
		const lines: string[] = [];
		const [info, warn] = ['info', 'warn'].map(level => (line: string) => lines.push(`${level}: ${line}`));
		const appendLine = (): void => undefined;
		mock.method(window, 'createOutputChannel', () => ({ info, warn, appendLine, dispose: () => undefined }));
		const log = own(own(new ServerLogs()).open(definition('a')));
		for (let line = 0; line < 1002; line++) {
			log.stderr('tick');
		}
		log.info('started');
		log.warn('slow');
		passTime(10_000);
		releaseTime();
		assert.deepEqual(lines.slice(1000), ['info: started', 'warn: slow', 'info: … and 2 more lines (stderr) in 10 s']);
	});

	describe('stderr', () => {
		let lines: string[];
		beforeEach(() => {
			lines = [];
			const writer = (name: string, level: string) => (line: string) =>
				lines.push(`${name.split(': ')[1]} ${level}: ${line}`);
			mock.method(window, 'createOutputChannel', (name: string) => ({
				...Object.fromEntries(['debug', 'info', 'warn', 'error'].map(it => [it, writer(name, it)])),
				appendLine: writer(name, 'raw'),
				dispose: () => undefined,
			}));
		});

		it('is in the log of its server, and alone in a channel that the first line creates', () => {
			const logs = own(new ServerLogs());
			const log = own(logs.open(definition('a')));
			const other = own(logs.open(definition('a (stderr)')));
			log.redactor.hide(['secret']);
			log.info('started');
			log.stderr('my secret');
			other.stderr('x');
			assert.deepEqual(lines, [
				'a info: started',
				'a info: [stderr] my <redacted>',
				'a (stderr) (w) raw: my <redacted>',
				'a (stderr) info: [stderr] x',
				'a (stderr) (stderr) raw: x',
			]);
		});

		it('has the level that a line names; the lines of a stack have the level of the first line', () => {
			const log = own(own(new ServerLogs()).open(definition('a')));
			const table: Readonly<Record<string, readonly string[]>> = {
				error: [
					'Error: no key',
					'TypeError [ERR_X]: no key',
					'    at main (server.mjs:3:9)',
					'ERROR:root:no key',
					'[ERROR] no key',
					'2026-11-28 10:00:00,123 ERROR no key',
					'2026-11-28T10:00:00Z [error] no key',
					'{"level":50,"msg":"no key"}',
					'{"time":"x","level":"error","msg":"no key"}',
					'Traceback (most recent call last):',
					'  File "server.py", line 3',
					'requests.exceptions.HTTPError: no key',
					'npm ERR! no key',
					'fatal: no key',
				],
				warn: [
					'Warning: old',
					'[warn] old',
					'npm warn old',
					'WARNING:root:old',
					'{"level":"warn"}',
					'(node:12) [DEP1] DeprecationWarning: old',
				],
				info: [
					'Server is running',
					'No errors',
					'Errors are logged to /tmp',
					'(node:1) started',
					'  indented',
					'{"level":30}',
					'',
				],
			};
			for (const [level, all] of Object.entries(table)) {
				all.forEach(it => log.stderr(it));
				const seen = lines.splice(0).filter(it => !it.includes(' raw: '));
				assert.deepEqual(
					seen,
					all.map(it => `a ${level}: [stderr] ${it}`),
				);
			}
		});
	});
});

import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { AuditLog } from '../../../../src/core/history/auditLog.js';
import { Journal } from '../../../../src/node/journal.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { TestLogger } from '../../../support/testLogger.js';

describe('the audit log', () => {
	const { later } = leakCheck();
	let folder: string;
	let log: TestLogger;

	beforeEach(() => {
		const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'audit-'));
		later(() => Promise.resolve(fs.rmSync(parent, { recursive: true })));
		folder = path.join(parent, 'audit');
		log = new TestLogger();
	});

	const open = (): AuditLog => new AuditLog(new Journal(folder, { maxFileBytes: 1000, maxFiles: 5 }), log);
	const numbers = async (audit: AuditLog): Promise<number[]> =>
		(await audit.read())
			.trimEnd()
			.split('\n')
			.map(it => (JSON.parse(it) as { n: number }).n);

	it('is empty once it was cleared, whatever was being written', async () => {
		const audit = open();
		audit.write({ n: 1 });
		await audit.clear();
		assert.equal(await audit.read(), '');
		audit.write({ n: 2 });
		assert.deepEqual(await numbers(audit), [2]);
	});

	it('has every line in its order, of earlier windows too, until the oldest must go', async () => {
		const first = open();
		assert.equal(await first.read(), '');
		for (let n = 0; n < 10; n++) {
			first.write({ n });
		}
		assert.deepEqual(
			await numbers(first),
			Array.from({ length: 10 }, (_, n) => n),
		);
		const next = open();
		for (let n = 10; n < 110; n++) {
			next.write({ n, more: 'x'.repeat(50) });
			await next.read();
		}
		const left = await numbers(next);
		assert.deepEqual(
			left,
			Array.from({ length: left.length }, (_, index) => 110 - left.length + index),
		);
		assert.ok(left.length > 40 && left.length < 100, String(left.length));
		assert.deepEqual(log.lines, []);
	});

	it('says once a line what could not be written, and goes on', async () => {
		fs.writeFileSync(folder, '');
		const audit = open();
		audit.write({ n: 1 });
		await assert.rejects(audit.read());
		assert.match(log.lines.join(), /^warn: The audit log could not be written: /);
		fs.rmSync(folder);
		audit.write({ n: 2 });
		assert.deepEqual(await numbers(audit), [2]);
	});
});

import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Journal } from '../../../src/node/journal.js';
import { leakCheck } from '../../support/leakCheck.js';
import { skip } from '../../support/skip.js';
import { passTime, releaseTime, stopTime } from '../../support/stoppedClock.js';

describe('a journal', () => {
	const { later } = leakCheck();
	let folder: string;

	beforeEach(() => {
		const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'journal-'));
		later(() => Promise.resolve(fs.rmSync(parent, { recursive: true })));
		folder = path.join(parent, 'deep', 'journal');
	});

	afterEach(releaseTime);

	const all = async (journal: Journal): Promise<string[]> => {
		const files = await journal.files();
		return (await Promise.all(files.toReversed().map(it => journal.read(it)))).flat();
	};

	it('is empty before anything was written, and makes no folder for that', async () => {
		const journal = new Journal(folder, { maxFileBytes: 100, maxFiles: 3 });
		assert.deepEqual(await journal.files(), []);
		assert.deepEqual(await journal.read('nothing.jsonl'), []);
		await journal.clear();
		assert.equal(fs.existsSync(folder), false);
	});

	it('keeps lines in their order, over files of bounded size', async () => {
		const journal = new Journal(folder, { maxFileBytes: 50, maxFiles: 100 });
		const lines = Array.from({ length: 40 }, (_, index) => `line ${index} é`);
		for (const line of lines) {
			await journal.append(line);
		}
		assert.deepEqual(await all(journal), lines);
		const files = await journal.files();
		assert.ok(files.length > 5, String(files.length));
		for (const file of files) {
			assert.ok(fs.statSync(path.join(folder, file)).size < 50 + 12);
		}
	});

	it('keeps the order of lines that nobody waited for', async () => {
		const journal = new Journal(folder, { maxFileBytes: 1_000_000, maxFiles: 2 });
		const lines = Array.from({ length: 1000 }, (_, index) => String(index));
		await Promise.all(lines.map(it => journal.append(it)));
		assert.deepEqual(await all(journal), lines);
	});

	it('rejects every line of what could not be written, and nothing else', async () => {
		const outcomes = async (appends: Promise<void>[]): Promise<string[]> =>
			(await Promise.allSettled(appends)).map(it => it.status);
		const journal = new Journal(folder, { maxFileBytes: 1000, maxFiles: 3 });
		await journal.append('first');
		const [file = assert.fail()] = (await journal.files()).map(it => path.join(folder, it));
		fs.rmSync(file);
		fs.mkdirSync(file);
		assert.deepEqual(await outcomes(['a', 'b', 'c'].map(it => journal.append(it))), [
			'rejected',
			'rejected',
			'rejected',
		]);
		fs.rmdirSync(file);
		// As a full disk leaves it.
		fs.writeFileSync(file, 'first\nhalf a li');
		assert.deepEqual(await outcomes(['d', 'e'].map(it => journal.append(it))), ['fulfilled', 'fulfilled']);
		assert.deepEqual(await all(journal), ['first', 'half a li', 'd', 'e']);
	});

	it('clears what was appended before, and keeps what is appended after', async () => {
		const journal = new Journal(folder, { maxFileBytes: 1000, maxFiles: 3 });
		await Promise.all([journal.append('a'), journal.append('b'), journal.clear(), journal.append('c')]);
		assert.deepEqual(await all(journal), ['c']);
	});

	it('removes the oldest files first', async () => {
		const journal = new Journal(folder, { maxFileBytes: 1, maxFiles: 3 });
		for (const line of ['a', 'b', 'c', 'd', 'e']) {
			await journal.append(line);
		}
		assert.deepEqual(await all(journal), ['c', 'd', 'e']);
	});

	it('begins a file of its own beside those of others, and clears both', async () => {
		stopTime(1_000_000);
		const first = new Journal(folder, { maxFileBytes: 1000, maxFiles: 5 });
		await first.append('first');
		const second = new Journal(folder, { maxFileBytes: 1000, maxFiles: 5 });
		// The names of files contain the time in milliseconds.
		passTime(1);
		await second.append('second');
		await first.append('first again');
		assert.equal((await first.files()).length, 2);
		assert.deepEqual((await all(first)).toSorted(), ['first', 'first again', 'second']);
		await second.clear();
		assert.deepEqual(await first.files(), []);
		await second.append('after');
		assert.deepEqual(await all(second), ['after']);
	});

	it('goes on where its folder was removed', async () => {
		const journal = new Journal(folder, { maxFileBytes: 1000, maxFiles: 5 });
		await journal.append('before');
		fs.rmSync(folder, { recursive: true });
		await journal.append('after');
		assert.deepEqual(await all(journal), ['after']);
	});

	it('tells of a disk that cannot be written, and goes on when it can be', async () => {
		fs.mkdirSync(path.dirname(folder), { recursive: true });
		fs.writeFileSync(folder, 'a file where the folder should be');
		const journal = new Journal(folder, { maxFileBytes: 1000, maxFiles: 5 });
		await assert.rejects(journal.append('lost'));
		fs.rmSync(folder);
		await journal.append('kept');
		assert.deepEqual(await all(journal), ['kept']);
	});

	it('is for nobody else', async function () {
		if (process.platform === 'win32') {
			skip(this, 'Windows keeps files from others by the folder they are in, not by modes');
		}
		const journal = new Journal(folder, { maxFileBytes: 1000, maxFiles: 5 });
		await journal.append('secret');
		const [file = ''] = await journal.files();
		assert.equal(fs.statSync(folder).mode & 0o077, 0);
		assert.equal(fs.statSync(path.join(folder, file)).mode & 0o077, 0);
	});
});

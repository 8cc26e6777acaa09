/** What was decided about calls, and what was made of it: a line of JSON each, in the journal, where nothing is changed. */
import { toMessage } from '../base/errors.js';
import type { Logger } from '../base/log.js';
import type { LineJournal } from './journal.js';

export class AuditLog {
	private writing: Promise<void> = Promise.resolve();

	constructor(
		private readonly journal: LineJournal,
		private readonly log: Pick<Logger, 'warn'>,
	) {}

	/** Adds a line; it is on the disk once `flush` resolves. Redacted by who gives it. */
	write(entry: object): void {
		this.writing = this.journal.append(JSON.stringify(entry)).catch((error: unknown) => {
			this.log.warn(`The audit log could not be written: ${toMessage(error)}`);
		});
	}

	/** Removes everything. @throws what removing fails with */
	async clear(): Promise<void> {
		await this.writing;
		await this.journal.clear();
	}

	/** Everything that is kept, the oldest first; a line each. */
	async read(): Promise<string> {
		await this.writing;
		const files = (await this.journal.files()).toReversed();
		const lines = (await Promise.all(files.map(it => this.journal.read(it)))).flat();
		return lines.map(it => `${it}\n`).join('');
	}
}

/** The audit log: one line of JSON for each decision. Lines are appended to a journal and never changed. */
import { toMessage } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import type { LineJournal } from './journal.js';

export class AuditLog {
	private writing: Promise<void> = Promise.resolve();

	constructor(
		private readonly journal: LineJournal,
		private readonly log: Pick<Logger, 'warn'>,
	) {}

	/** Appends a line. The caller must have redacted the entry. Errors are logged. */
	write(entry: object): void {
		this.writing = this.journal.append(JSON.stringify(entry)).catch((error: unknown) => {
			this.log.warn(`The audit log could not be written: ${toMessage(error)}`);
		});
	}

	/** Removes all lines. @throws the error of the journal */
	async clear(): Promise<void> {
		await this.writing;
		await this.journal.clear();
	}

	/** All lines, oldest first. */
	async read(): Promise<string> {
		await this.writing;
		const files = (await this.journal.files()).toReversed();
		const lines = (await Promise.all(files.map(it => this.journal.read(it)))).flat();
		return lines.map(it => `${it}\n`).join('');
	}
}

/**
 * What was decided about calls, a line of JSON each, in the workspace's storage. A full file is put aside; of those put
 * aside the oldest goes. Lines that come while one is written are written together.
 */
import * as vscode from 'vscode';
import { toMessage } from '../base/errors.js';
import type { Logger } from '../base/log.js';

const current = 'audit.jsonl';
/** UTF-16 units of a file, and how many files are put aside. */
const maxLength = 256 * 1024;
const keptFiles = 4;

export class AuditLog {
	/** Of the current file; `undefined` until it has been read. */
	private text: string | undefined;
	private waiting: string[] = [];
	private writing: Promise<void> | undefined;

	/** @param folder where the files are */
	constructor(
		private readonly folder: vscode.Uri,
		private readonly log: Pick<Logger, 'warn'>,
		private readonly length = maxLength,
	) {}

	/** Adds a line; it is on the disk once `flush` resolves. Redacted by who gives it. */
	write(entry: object): void {
		this.waiting.push(`${JSON.stringify(entry)}\n`);
		this.writing ??= this.writeAll().finally(() => {
			this.writing = undefined;
		});
	}

	/** Resolves when everything that was given is on the disk, or could not be. */
	async flush(): Promise<void> {
		await this.writing;
	}

	/** Everything that is kept, the oldest first. */
	async read(): Promise<string> {
		await this.flush();
		const numbers = Array.from({ length: keptFiles }, (_, index) => keptFiles - index);
		const texts = await Promise.all([...numbers.map(it => this.load(aside(it))), this.load(current)]);
		return texts.join('');
	}

	private async writeAll(): Promise<void> {
		// What is given in the same turn is written together.
		await Promise.resolve();
		while (this.waiting.length > 0) {
			const lines = this.waiting.join('');
			this.waiting = [];
			try {
				const before = this.text ?? (await this.load(current));
				if (before.length > 0 && before.length + lines.length > this.length) {
					await this.putAside();
					this.text = lines;
				} else {
					this.text = before + lines;
				}
				await vscode.workspace.fs.writeFile(this.uri(current), new TextEncoder().encode(this.text));
			} catch (error) {
				this.log.warn(`The audit log could not be written: ${toMessage(error)}`);
			}
		}
	}

	private async putAside(): Promise<void> {
		for (let number = keptFiles; number > 0; number--) {
			const from = this.uri(number === 1 ? current : aside(number - 1));
			await vscode.workspace.fs
				.rename(from, this.uri(aside(number)), { overwrite: true })
				.then(undefined, ignoreMissing);
		}
	}

	private async load(file: string): Promise<string> {
		try {
			return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.uri(file)));
		} catch (error) {
			ignoreMissing(error);
			return '';
		}
	}

	private uri(file: string): vscode.Uri {
		return vscode.Uri.joinPath(this.folder, file);
	}
}

function aside(number: number): string {
	return `audit.${number}.jsonl`;
}

function ignoreMissing(error: unknown): void {
	if (!(error instanceof vscode.FileSystemError && error.code === 'FileNotFound')) {
		throw error;
	}
}

/** Files of other programs, on the machine that the extension runs on. */
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';

/** A configuration is kilobytes; Claude Code keeps much else in its own. */
const maxBytes = 50_000_000;

/** The desktop and remote implementation of the model's `ClientFiles` port. */
export class NodeClientFiles {
	readonly platform: string = process.platform;

	/** Asked for each time: it follows the environment. */
	get home(): string {
		return homedir();
	}

	/** The value of an environment variable. */
	get(name: string): string | undefined {
		return process.env[name];
	}

	/** The text of a file; `undefined` if there is none. @throws if it cannot be read, or is too large */
	async read(path: string): Promise<string | undefined> {
		try {
			const { size } = await stat(path);
			if (size > maxBytes) {
				throw new Error(`${size} bytes`);
			}
			return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			if (code === 'ENOENT' || code === 'ENOTDIR') {
				return undefined;
			}
			throw error;
		}
	}
}

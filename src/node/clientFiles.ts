/** Files of other programs, on the machine that the extension runs on. */
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { textLimits } from '../mcp/index.js';

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
			const found = await stat(path);
			if (!found.isFile()) {
				throw new Error('not a regular file');
			}
			if (found.size > textLimits.clientFile) {
				throw new Error(`more than ${textLimits.clientFile} bytes`);
			}
			// Files of /proc have no size, and some of them no end.
			return found.size === 0 ? '' : (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			if (code === 'ENOENT' || code === 'ENOTDIR') {
				return undefined;
			}
			throw error;
		}
	}
}

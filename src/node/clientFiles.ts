/** Reads configuration files of other MCP clients on the extension host's machine. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { textLimits } from '../mcp/index.js';

/** Implements the core's `ClientFiles` port with Node. */
export class NodeClientFiles {
	readonly platform: string = process.platform;

	/** Follows changes of the environment. */
	get home(): string {
		return homedir();
	}

	/** The value of an environment variable. */
	get(name: string): string | undefined {
		return process.env[name];
	}

	/** The text of a file; `undefined` if it doesn't exist. @throws any error if the file can't be read or is too large */
	async read(path: string): Promise<string | undefined> {
		try {
			const found = await stat(path);
			if (!found.isFile()) {
				throw new Error('not a regular file');
			}
			if (found.size > textLimits.clientFile) {
				throw new Error(`more than ${textLimits.clientFile} bytes`);
			}
			// Files of /proc have size 0, and some of them are endless.
			return found.size === 0 ? '' : (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			if (code === 'ENOENT' || code === 'ENOTDIR') {
				return undefined;
			}
			throw error;
		}
	}

	/** The names in a folder; none if it can't be read. */
	list(path: string): Promise<string[]> {
		return readdir(path).catch(() => []);
	}
}

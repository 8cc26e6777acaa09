/** The log port of the rooms below the editor. */

/** One server's (or the extension's) log. Lines are data for a stranger: no env, tokens or headers. */
export interface Logger {
	trace(message: string): void;
	debug(message: string): void;
	info(message: string): void;
	warn(message: string): void;
	error(message: string): void;
}

/** Swallows everything. */
export const nullLogger: Logger = {
	trace() {},
	debug() {},
	info() {},
	warn() {},
	error() {},
};

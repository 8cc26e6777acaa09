/** The port to a log, for the layers below the editor. */

/** The log of one server, or of the extension. Anyone may read its lines: no environment, tokens or headers. */
export interface Logger {
	trace(message: string): void;
	debug(message: string): void;
	info(message: string): void;
	warn(message: string): void;
	error(message: string): void;
}

/** Discards everything. */
export const nullLogger: Logger = {
	trace() {},
	debug() {},
	info() {},
	warn() {},
	error() {},
};

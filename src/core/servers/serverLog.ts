/** The log of one server, which redacts its secrets. */
import type { Disposable, Event } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import type { LoggingLevel, LogMessage, WireEvent } from '../../mcp/index.js';
import type { Redactor } from '../text/redactor.js';

export interface ServerLog extends Logger, Disposable {
	/** The least severe level that the log shows, and that is requested from the server. */
	readonly level: LoggingLevel;
	readonly onDidChangeLevel: Event<LoggingLevel>;
	/** Redacts all lines. Use it for other texts of the server too. */
	readonly redactor: Redactor;
	/** Logs a `notifications/message` of the server. */
	message(message: LogMessage): void;
	stderr(line: string): void;
	/** Logs all messages while the level is `trace`. */
	tap(onDidTransfer: Event<WireEvent>): Disposable;
	/** Shows the log to the person. @param line selected in it */
	show(line?: string): void;
}

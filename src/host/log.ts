/** One log channel a server: what it says, what it writes to stderr, its life, and the wire at trace. */
import * as vscode from 'vscode';
import { type Disposable, type Event, MutableDisposable, Owner } from '../base/lifecycle.js';
import type { LoggingLevel, LogMessage, WireEvent } from '../mcp/index.js';
import type { ServerLog } from '../model/server.js';

/** Implements the model's log port with a LogOutputChannel. */
export class ChannelLog extends Owner implements ServerLog {
	private readonly channel: vscode.LogOutputChannel;

	constructor(serverName: string) {
		super();
		this.channel = this.own(vscode.window.createOutputChannel(`MCP Workbench: ${serverName}`, { log: true }));
	}

	get level(): LoggingLevel {
		return toLoggingLevel(this.channel.logLevel);
	}

	onDidChangeLevel: Event<LoggingLevel> = listener =>
		this.channel.onDidChangeLogLevel(level => listener(toLoggingLevel(level)));

	trace(message: string): void {
		this.channel.trace(message);
	}

	debug(message: string): void {
		this.channel.debug(message);
	}

	info(message: string): void {
		this.channel.info(message);
	}

	warn(message: string): void {
		this.channel.warn(message);
	}

	error(message: string): void {
		this.channel.error(message);
	}

	message({ level, logger, data }: LogMessage): void {
		const text = typeof data === 'string' ? data : JSON.stringify(data);
		const line = logger === undefined ? `[server] ${text}` : `[server, ${logger}] ${text}`;
		switch (level) {
			case 'debug':
				this.channel.debug(line);
				return;
			case 'info':
			case 'notice':
				this.channel.info(line);
				return;
			case 'warning':
				this.channel.warn(line);
				return;
			case 'error':
			case 'critical':
			case 'alert':
			case 'emergency':
				this.channel.error(line);
		}
	}

	/** Spec 2025-11-25, stdio: stderr may carry any log and is no sign of an error. */
	stderr(line: string): void {
		this.channel.info(`[stderr] ${line}`);
	}

	/** Listens only while the channel shows trace: otherwise a message costs nothing here. */
	tap(onDidTransfer: Event<WireEvent>): Disposable {
		const subscription = new MutableDisposable<Disposable>();
		const follow = (level: vscode.LogLevel): void => {
			subscription.value =
				level === vscode.LogLevel.Trace
					? onDidTransfer(({ direction, message }) =>
							this.channel.trace(
								`[${direction === 'sent' ? 'client → server' : 'server → client'}] ${JSON.stringify(message)}`,
							),
						)
					: undefined;
		};
		follow(this.channel.logLevel);
		const levels = this.channel.onDidChangeLogLevel(follow);
		return {
			dispose() {
				levels.dispose();
				subscription.dispose();
			},
		};
	}

	show(): void {
		this.channel.show(true);
	}
}

function toLoggingLevel(level: vscode.LogLevel): LoggingLevel {
	switch (level) {
		case vscode.LogLevel.Trace:
		case vscode.LogLevel.Debug:
			return 'debug';
		case vscode.LogLevel.Info:
			return 'info';
		case vscode.LogLevel.Warning:
			return 'warning';
		case vscode.LogLevel.Error:
			return 'error';
		case vscode.LogLevel.Off:
			return 'emergency';
	}
}

/** One log channel per server: what it says, what it writes to stderr, its life, and the wire at trace. */
import * as vscode from 'vscode';
import { type Disposable, type Event, MutableDisposable, Owner } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { describeJson, type LoggingLevel, type LogMessage, type WireEvent } from '../../mcp/index.js';
import { type LineLevel, LogLimiter } from '../../core/text/logLimiter.js';
import { Redactor } from '../../core/text/redactor.js';
import type { ServerLog } from '../../core/servers/serverPorts.js';
import type { ConfigSource, ServerDefinition } from '../../core/config/serverDefinition.js';
import { logText, oneLine } from '../ui/plainText.js';

interface ServerChannel {
	readonly channel: vscode.LogOutputChannel;
	readonly redactor: Redactor;
}

/**
 * The channels of all servers. The editor knows a channel by its name alone, so each server has one of its
 * own name, and keeps it: what a server said before its definition changed can still be read. Secrets of the earlier
 * definition can still turn up in the channel, so its redactor is kept too.
 */
export class ServerLogs extends Owner {
	private readonly channels = new Map<string, ServerChannel>();
	private readonly names = new Set<string>();

	/** The log of one start of a server's life; disposing it leaves the channel. */
	open({ id, name, source }: ServerDefinition): ServerLog {
		let known = this.channels.get(id);
		if (!known) {
			const channel = this.own(vscode.window.createOutputChannel(this.freeName(name, source), { log: true }));
			known = { channel, redactor: new Redactor() };
			this.channels.set(id, known);
		}
		return new ChannelLog(known.channel, known.redactor);
	}

	private freeName(name: string, { kind, folderName }: ConfigSource): string {
		const where = folderName ?? (kind === 'userSettings' ? 'settings' : 'workspace');
		const plain = `MCP Workbench: ${oneLine(name, 60)}`;
		let free = plain;
		for (let number = 1; this.names.has(free); number++) {
			free = `${plain} (${oneLine(where, 40)}${number > 1 ? ` ${number}` : ''})`;
		}
		this.names.add(free);
		return free;
	}
}

/** A log of lines; after its end it says nothing more. */
abstract class LineLog extends Owner implements Logger {
	trace(message: string): void {
		this.write('trace', message);
	}

	debug(message: string): void {
		this.write('debug', message);
	}

	info(message: string): void {
		this.write('info', message);
	}

	warn(message: string): void {
		this.write('warn', message);
	}

	error(message: string): void {
		this.write('error', message);
	}

	protected abstract write(level: LineLevel, text: string): void;
}

/** What belongs to no server. Its channel is made for its first line. */
export class ExtensionLog extends LineLog {
	private channel: vscode.LogOutputChannel | undefined;

	protected write(level: LineLevel, text: string): void {
		if (!this.owned.isDisposed) {
			this.channel ??= this.own(vscode.window.createOutputChannel('MCP Workbench', { log: true }));
			this.channel[level](logText(text));
		}
	}
}

/** Implements the model's log port with a LogOutputChannel; after its end it says nothing more. */
class ChannelLog extends LineLog implements ServerLog {
	private readonly limiter = this.own(new LogLimiter((level, text) => this.put(level, text)));

	constructor(
		private readonly channel: vscode.LogOutputChannel,
		readonly redactor: Redactor,
	) {
		super();
	}

	get level(): LoggingLevel {
		return toLoggingLevel(this.channel.logLevel);
	}

	onDidChangeLevel: Event<LoggingLevel> = listener =>
		this.channel.onDidChangeLogLevel(level => listener(toLoggingLevel(level)));

	message({ level, logger, data }: LogMessage): void {
		const text = typeof data === 'string' ? data : describeJson(data, Infinity);
		const line = logger === undefined ? `[server] ${text}` : `[server, ${logger}] ${text}`;
		switch (level) {
			case 'debug':
				this.write('debug', line);
				return;
			case 'info':
			case 'notice':
				this.write('info', line);
				return;
			case 'warning':
				this.write('warn', line);
				return;
			case 'error':
			case 'critical':
			case 'alert':
			case 'emergency':
				this.write('error', line);
		}
	}

	/** Spec 2025-11-25, stdio: stderr may carry any log and is no sign of an error. */
	stderr(line: string): void {
		this.write('info', `[stderr] ${line}`);
	}

	/** Listens only while the channel shows trace: otherwise a message costs nothing here. */
	tap(onDidTransfer: Event<WireEvent>): Disposable {
		const subscription = new MutableDisposable<Disposable>();
		const follow = (level: vscode.LogLevel): void => {
			subscription.value =
				level === vscode.LogLevel.Trace
					? onDidTransfer(event => this.write('trace', describeTransfer(event)))
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

	protected write(level: LineLevel, text: string): void {
		if (this.owned.isDisposed) {
			return;
		}
		if (level === 'trace') {
			// The wire, for those who want to read all of it.
			this.put(level, text);
		} else {
			this.limiter.add(level, text);
		}
	}

	/** Every line holds text of a server, or may: none may pass for several, and none may tell a secret. */
	private put(level: LineLevel, text: string): void {
		this.channel[level](logText(this.redactor.text(text)));
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

/** What crossed the wire, in one line that ends with it. */
function describeTransfer(event: WireEvent): string {
	if (event.kind === 'message') {
		return `[${event.direction === 'sent' ? 'client → server' : 'server → client'}] ${event.size} B ${event.text}`;
	}
	const { method, url, status, ms, requestHeaders, headers } = event;
	return `[HTTP] ${method} ${url} ${JSON.stringify(requestHeaders)} → ${status} after ${ms} ms ${JSON.stringify(headers)}`;
}

/** The log channels: one of the extension, and one for each server with its messages, stderr, states and (at trace) the wire. */
import * as vscode from 'vscode';
import { type Disposable, type Event, MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { RateLimiter } from '../../base/rateLimiter.js';
import { describeJson, type LoggingLevel, type LogMessage, type WireEvent } from '../../mcp/index.js';
import { Redactor } from '../../core/text/redactor.js';
import type { ServerLog } from '../../core/servers/serverLog.js';
import { labelOfName } from '../../core/servers/serverLabels.js';
import type { ConfigSource, ServerDefinition } from '../../core/config/serverDefinition.js';
import { logText, oneLine } from '../ui/plainText.js';

type LineLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Lines of one level, or of stderr, that a server's log gets in a period; further ones are counted. */
const lineLimit = { max: 1000, periodMs: 10_000 };

interface ServerChannel {
	readonly channel: vscode.LogOutputChannel;
	readonly redactor: Redactor;
}

/**
 * The channels of all servers. A server keeps its channel when its definition changes, so that earlier lines stay readable,
 * and its redactor, as secrets of the earlier definition can still occur. The editor identifies channels by name.
 */
export class ServerLogs extends Owner {
	private readonly channels = new Map<string, ServerChannel>();
	private readonly names = new Set<string>();

	/** The log of a server. Disposing it keeps the channel. */
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
		const plain = `MCP Workbench: ${labelOfName(name)}`;
		let free = plain;
		for (let number = 1; this.names.has(free); number++) {
			free = `${plain} (${oneLine(where, 40)}${number > 1 ? ` ${number}` : ''})`;
		}
		this.names.add(free);
		return free;
	}
}

/** Writes nothing after it was disposed. */
abstract class LineLog extends Owner implements Logger {
	readonly trace = this.writer('trace');
	readonly debug = this.writer('debug');
	readonly info = this.writer('info');
	readonly warn = this.writer('warn');
	readonly error = this.writer('error');

	protected abstract write(level: LineLevel, text: string): void;

	private writer(level: LineLevel): (message: string) => void {
		return message => this.write(level, message);
	}
}

/** The log of the extension itself. Its channel is created for the first line. */
export class ExtensionLog extends LineLog {
	private channel: vscode.LogOutputChannel | undefined;

	protected write(level: LineLevel, text: string): void {
		if (!this.owned.isDisposed) {
			this.channel ??= this.own(vscode.window.createOutputChannel('MCP Workbench', { log: true }));
			this.channel[level](logText(text));
		}
	}
}

class ChannelLog extends LineLog implements ServerLog {
	private readonly limiter = this.own(
		new RateLimiter<LineLevel | 'stderr'>(lineLimit, (count, kind) =>
			this.put(kind === 'stderr' || kind === '' ? 'info' : kind, `… and ${count} more lines (${kind}) in 10 s`),
		),
	);

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
		this.write(lineLevels[level] ?? 'error', logger === undefined ? `[server] ${text}` : `[server, ${logger}] ${text}`);
	}

	/** Spec 2025-11-25, stdio: stderr may carry any log and is no sign of an error. */
	stderr(line: string): void {
		this.write('info', `[stderr] ${line}`, 'stderr');
	}

	/** Listens only while the channel shows trace, so that messages cost nothing otherwise. */
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
		return toDisposable(() => {
			levels.dispose();
			subscription.dispose();
		});
	}

	show(): void {
		this.channel.show(true);
	}

	protected write(level: LineLevel, text: string, kind: LineLevel | 'stderr' = level): void {
		// The wire, at trace, isn't limited.
		if (!this.owned.isDisposed && (level === 'trace' || this.limiter.pass(kind))) {
			this.put(level, text);
		}
	}

	/** Lines may contain untrusted text: `logText` keeps each in one line, and the redactor removes secrets. */
	private put(level: LineLevel, text: string): void {
		this.channel[level](logText(this.redactor.text(text)));
	}
}

/** The levels of lines for levels of MCP; all others are errors. */
const lineLevels: Readonly<Partial<Record<LoggingLevel, LineLevel>>> = {
	debug: 'debug',
	info: 'info',
	notice: 'info',
	warning: 'warn',
};

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

/** A line about a message or an HTTP response; the text of the message comes last. */
function describeTransfer(event: WireEvent): string {
	if (event.kind === 'message') {
		return `[${event.direction === 'sent' ? 'client → server' : 'server → client'}] ${event.size} B ${event.text}`;
	}
	const { method, url, status, ms, requestHeaders, headers } = event;
	return `[HTTP] ${method} ${url} ${JSON.stringify(requestHeaders)} → ${status} after ${ms} ms ${JSON.stringify(headers)}`;
}

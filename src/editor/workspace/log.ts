/**
 * The log channels: one of the extension, and one for each server with its messages, stderr, states and (at trace) the wire.
 * What a server writes to stderr is also in a channel of its own, as in a terminal.
 */
import * as vscode from 'vscode';
import { firstFound } from '../../base/async.js';
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

/** Milliseconds to wait until the editor shows a channel in its panel. */
const showMs = 5000;

interface ServerChannel {
	readonly channel: vscode.LogOutputChannel;
	/** The channel of stderr; created for the first line. */
	readonly stderr: () => vscode.OutputChannel;
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
			const label = labelOfName(name);
			const channel = this.own(vscode.window.createOutputChannel(this.freeName(label, source), { log: true }));
			let stderr: vscode.OutputChannel | undefined;
			known = {
				channel,
				stderr: () =>
					(stderr ??= this.own(vscode.window.createOutputChannel(this.freeName(`${label} (stderr)`, source), 'log'))),
				redactor: new Redactor(),
			};
			this.channels.set(id, known);
		}
		return new ChannelLog(known.channel, known.redactor, known.stderr);
	}

	private freeName(label: string, { kind, folderName }: ConfigSource): string {
		const where = folderName ?? (kind === 'userSettings' ? 'settings' : 'workspace');
		const plain = `MCP Workbench: ${label}`;
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

	protected abstract write(level: LineLevel, text: string): unknown;

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

	private stderrLevel: LineLevel = 'info';

	constructor(
		private readonly channel: vscode.LogOutputChannel,
		readonly redactor: Redactor,
		private readonly stderrChannel: ServerChannel['stderr'],
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

	/** Spec 2025-11-25, stdio: stderr may carry any log and is no sign of an error. The editor's view of logs can filter by it. */
	stderr(line: string): void {
		this.stderrLevel = levelOfLine(line) ?? (/^\s/.test(line) ? this.stderrLevel : 'info');
		if (this.write(this.stderrLevel, `[stderr] ${line}`, 'stderr')) {
			this.stderrChannel().appendLine(logText(this.redactor.text(line)));
		}
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

	show(line?: string): void {
		this.channel.show(true);
		if (line !== undefined) {
			void selectInOutput(line);
		}
	}

	/** @returns whether the line was written */
	protected write(level: LineLevel, text: string, kind: LineLevel | 'stderr' = level): boolean {
		// The wire, at trace, isn't limited.
		const passes = !this.owned.isDisposed && (level === 'trace' || this.limiter.pass(kind));
		if (passes) {
			this.put(level, text);
		}
		return passes;
	}

	/** Lines may contain untrusted text: `logText` keeps each in one line, and the redactor removes secrets. */
	private put(level: LineLevel, text: string): void {
		this.channel[level](logText(this.redactor.text(text)));
	}
}

/** Selects the last line of the output panel that contains the text, once the panel shows it. */
async function selectInOutput(line: string): Promise<void> {
	const find = (): { readonly editor: vscode.TextEditor; readonly start: vscode.Position } | undefined => {
		const editor = vscode.window.visibleTextEditors.find(it => it.document.uri.scheme === 'output');
		const offset = editor?.document.getText().lastIndexOf(line) ?? -1;
		return editor && offset >= 0 ? { editor, start: editor.document.positionAt(offset) } : undefined;
	};
	const found = await firstFound(vscode.window.onDidChangeVisibleTextEditors, find, showMs);
	if (found) {
		const { editor, start } = found;
		editor.selection = new vscode.Selection(start, start.translate(0, line.length));
		editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter);
	}
}

/** Match a word at the start of a line, after a time and brackets, or the level of a line in JSON. */
const errorMark =
	/^(?:npm )?(?:err(?:or)?|fatal|critical|panic|traceback|[\w.]*(?:error|exception))\b|^\{.*"(?:level|severity)":\s*"?(?:error|fatal|critical|[56]0)\b/i;
const warningMark = /^(?:npm )?(?:warn|[\w.]*warning)\b|^\{.*"(?:level|severity)":\s*"?(?:warn(?:ing)?|40)\b/i;

/** The level that a line of stderr names; `undefined` if it names none. */
function levelOfLine(line: string): LineLevel | undefined {
	const start = /^(?:\(node:\d+\) (?:\[\w+\] )?)?[[(<]*(?:\d[\d\-/:.,+TZ ]*[\])>]*\s*)?[[(<]*/;
	const text = line.slice(0, 1000).replace(start, '');
	return errorMark.test(text) ? 'error' : warningMark.test(text) ? 'warn' : undefined;
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

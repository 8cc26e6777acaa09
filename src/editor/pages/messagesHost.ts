/** The extension's side of a list of messages. Cuts, cleans and translates the texts of its rows and details, without secrets. */
import * as vscode from 'vscode';
import { clock, type Timer } from '../../base/clock.js';
import { Owner } from '../../base/lifecycle.js';
import type { Exchange } from '../../core/messages/exchanges.js';
import { outcomeGroup, parseMessageFilter } from '../../core/messages/messageFilter.js';
import { MessageList, type MessageLog, type MessageRow } from '../../core/messages/messageList.js';
import { isSendable } from '../../core/messages/methods.js';
import { byteLength, type Outcome, type WireRecord } from '../../core/messages/wireRecord.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { indentSource } from '../../core/text/jsonSource.js';
import type {
	FromView,
	ListAction,
	MessageAction,
	PartView,
	RowView,
	Strings,
	ToView,
} from '../../webviews/page/messages/protocol.js';
import { InternalCommands } from '../contributions.js';
import { copyText } from '../documents/export.js';
import { describeCaller } from '../l10n/approvalWords.js';
import { describeDuration, describeNumber, describeSize } from '../l10n/messages.js';
import { describeClock } from '../l10n/timeText.js';
import { webviewText } from '../ui/plainText.js';

const { t } = vscode.l10n;

/** Rows that are sent at once: more than any screen shows. */
const rowsAtOnce = 160;
/** Milliseconds between two updates while messages come. */
const updateMs = 100;
const maxCell = 200;
/** Requests that the history doesn't record if the person makes them. */
const unrecordedMethods = ['prompts/get', 'resources/read'];
/** Characters of an indented message that are shown: more than the ring keeps. */
const maxText = 2_000_000;

export interface MessagesHostOptions {
	readonly log: MessageLog;
	/** Whether an outermost exchange belongs to the list. */
	readonly belongs: (exchange: Exchange) => boolean;
	readonly registry: Pick<ServerRegistry, 'labelOf' | 'redact'>;
	readonly actions: readonly ListAction[];
	readonly post: (message: ToView) => void;
	readonly press: (action: ListAction) => unknown;
	/** Lets the person edit and send a request again; left out for messages of a file. */
	readonly resend?: (exchange: Exchange) => unknown;
}

export class MessagesHost extends Owner {
	private readonly list: MessageList;
	private from = 0;
	private selected: Exchange | undefined;
	private timer: Timer | undefined;

	constructor(private readonly options: MessagesHostOptions) {
		super();
		this.list = this.own(new MessageList(options.log, options.belongs));
		const follow = (): void => {
			this.timer ??= clock.setTimeout(() => this.update(), updateMs);
		};
		this.own(options.log.onDidChange?.(follow) ?? { dispose() {} });
		this.own({ dispose: () => clock.clearTimeout(this.timer) });
	}

	/** The records that the list shows, for export. */
	get records(): readonly WireRecord[] {
		return this.list.records;
	}

	/** Sends everything. Call this when the view is ready. */
	begin(): void {
		this.options.post({ type: 'begin', strings: viewStrings(), actions: this.options.actions });
		this.update();
	}

	/** Runs `send`, and then selects the request that it has sent, although a filter may hide its row. */
	async selectSent(method: string, send: () => Promise<void>): Promise<void> {
		const before = this.list.lastSent(method);
		await send();
		const sent = this.list.lastSent(method);
		if (sent && sent.first.number !== before?.first.number) {
			this.selected = sent;
			this.from = Infinity;
			this.options.post(this.detail(sent));
			this.update();
		}
	}

	async take(message: FromView): Promise<void> {
		const { list, options } = this;
		if (message.type === 'window') {
			this.from = message.from;
		} else if (message.type === 'filter') {
			list.filter = parseMessageFilter(message.text);
			this.from = 0;
		} else if (message.type === 'fold') {
			list.open[message.isOpen ? 'add' : 'delete'](message.number);
		} else if (message.type === 'select') {
			this.selected = list.rows[message.index]?.exchange;
			if (this.selected) {
				this.from = Math.max(Math.min(this.from, message.index), message.index + 1 - rowsAtOnce / 2);
				options.post(this.detail(this.selected));
			}
		} else if (message.type === 'press') {
			const { action } = message;
			if (action !== 'copy' && action !== 'resend' && action !== 'history') {
				await options.press(action);
			} else if (this.selected && this.actionsOf(this.selected).includes(action)) {
				await this.pressMessage(action, this.selected);
			}
		}
		this.update();
	}

	private async pressMessage(action: MessageAction, exchange: Exchange): Promise<void> {
		const { post, resend } = this.options;
		if (action === 'copy') {
			const texts = this.partsOf(exchange).map(it => it.text);
			await copyText(texts.join('\n'));
			post({ type: 'announce', text: t('Copied') });
		} else if (action === 'resend') {
			await resend?.(exchange);
		} else {
			const { callId: id } = exchange.first.call;
			await vscode.commands.executeCommand(InternalCommands.showInHistory, { id });
		}
	}

	private update(): void {
		clock.clearTimeout(this.timer);
		this.timer = undefined;
		const { list, selected } = this;
		list.update();
		const { rows } = list;
		this.from = Math.max(0, Math.min(this.from, rows.length - rowsAtOnce));
		const at = rows.findIndex(it => it.exchange.first.number === selected?.first.number);
		this.options.post({
			type: 'rows',
			from: this.from,
			total: rows.length,
			rows: rows.slice(this.from, this.from + rowsAtOnce).map(it => this.row(it)),
			note: describeCount(list.count),
			exportLabel: describeExport(list.count),
			selected: at === -1 ? undefined : at,
		});
	}

	private row({ exchange, depth, isOpen }: MessageRow): RowView {
		const { first, outcome, durationMs, size } = exchange;
		const { method, target = '', kind } = first.facts;
		const { source, direction } = first.channel;
		const { caller } = first.call;
		const texts = [
			describeClock(first.time),
			method === '' ? t('Answer') : method,
			target,
			exchange.isPending ? t('Pending') : describeOutcome(outcome, kind === 'exchange'),
			durationMs === undefined ? '' : describeDuration(durationMs),
			describeSize(size),
			depth === 0 && caller ? describeCaller(caller) : '',
			depth === 0 ? this.options.registry.labelOf(source) : '',
		];
		const cells = texts.map(it => this.shown(it, first, maxCell));
		return { number: first.number, depth, direction, tone: outcomeGroup(exchange), cells, isOpen };
	}

	private detail(exchange: Exchange): ToView {
		const { first } = exchange;
		const { method, target = '' } = first.facts;
		const title = this.shown(`${method} ${target}`.trim() || t('Answer'), first, maxCell);
		return { type: 'detail', title, parts: this.partsOf(exchange), actions: this.actionsOf(exchange) };
	}

	private partsOf({ first, end, late }: Exchange): PartView[] {
		const records = [first, end, late].flatMap(it => it ?? []);
		return records.map(it => {
			const { text, facts, size, more } = it;
			const titles = {
				request: t('Request'),
				answer: it === late ? t('Late answer') : t('Answer'),
				notification: t('Notification'),
				exchange: t('HTTP exchange'),
				other: t('Message'),
				lost: t('No answer'),
			};
			const note = t(
				'Only the first {0} of {1} are kept. The full result is in the history.',
				describeSize(byteLength(text)),
				describeSize(size),
			);
			const shown = facts.kind === 'lost' ? text : indentSource(this.options.registry.redact(text, it.channel.source));
			return {
				title: titles[facts.kind],
				text: this.shown(shown, it, maxText),
				note: more.fullSize === undefined ? '' : note,
			};
		});
	}

	/** Redacted, cleaned and cut. */
	private shown(text: string, { channel }: WireRecord, max: number): string {
		return webviewText(this.options.registry.redact(text, channel.source), max);
	}

	private actionsOf({ first }: Exchange): MessageAction[] {
		const { facts, channel, more, call } = first;
		const isOurs = facts.kind === 'request' && channel.direction === 'sent' && isSendable(facts.method);
		const isWhole = more.fullSize === undefined;
		return [
			'copy',
			...(isOurs && isWhole && this.options.resend ? (['resend'] as const) : []),
			...(call.callId === undefined || unrecordedMethods.includes(facts.method) ? [] : (['history'] as const)),
		];
	}
}

function viewStrings(): Strings {
	return {
		messages: t('Messages'),
		actions: t('Actions'),
		filter: t('Filter'),
		filterHint: t('Filter: text, -method:ping, server:, outcome:error, slow:500'),
		clear: t('Clear'),
		exportFile: t('Export…'),
		openFile: t('Open…'),
		newRequest: t('Send Request…'),
		time: t('Time'),
		method: t('Method'),
		target: t('Target'),
		outcome: t('Outcome'),
		duration: t('Duration'),
		size: t('Size'),
		caller: t('Caller'),
		server: t('Server'),
		sent: t('Sent'),
		received: t('Received'),
		details: t('Details'),
		copy: t('Copy'),
		resend: t('Edit and Resend'),
		history: t('Show in History'),
		close: t('Close'),
		request: t('Request'),
		parameters: t('Parameters as JSON'),
		send: t('Send'),
	};
}

function describeExport({ all, shown }: MessageList['count']): string {
	return shown === all ? t('Export…') : t('Export {0} of {1}…', describeNumber(shown), describeNumber(all));
}

function describeCount({ all, shown }: MessageList['count']): string {
	if (all === 0) {
		return t('No messages yet. Messages between servers and the extension appear here.');
	}
	if (shown < all) {
		return t('{0} of {1} entries', describeNumber(shown), describeNumber(all));
	}
	return all === 1 ? t('1 entry') : t('{0} entries', describeNumber(all));
}

function describeOutcome(outcome: Outcome | undefined, isHttp: boolean): string {
	if (!outcome) {
		return '';
	}
	const { kind, code = '' } = outcome;
	const words = {
		ok: t('OK'),
		toolError: t('Tool error'),
		inputRequired: t('Needs input'),
		task: t('Task'),
		lost: t('No answer'),
		canceled: t('Canceled'),
		error: t('Error {0}', String(code)),
	};
	return isHttp ? `HTTP ${code}` : words[kind];
}

/** The extension's side of a list of messages. Cuts, cleans and translates the texts of its rows and details, without secrets. */
import * as vscode from 'vscode';
import { clock, type Timer } from '../../base/clock.js';
import { Owner } from '../../base/lifecycle.js';
import type { Exchange } from '../../core/messages/exchanges.js';
import type { Redact } from '../../core/messages/messageFile.js';
import { outcomeGroup } from '../../core/messages/messageFilter.js';
import { MessageList, type MessageLog, type MessageRow } from '../../core/messages/messageList.js';
import { isSendable } from '../../core/messages/methods.js';
import { asCallOrigin, type MessageSource, type WireRecord } from '../../core/messages/wireRecord.js';
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
import { webviewText } from '../ui/plainText.js';

const { t } = vscode.l10n;

/** Rows that are sent at once: more than any screen shows. */
const rowsAtOnce = 160;
/** Milliseconds between two updates while messages come. */
const updateMs = 100;
const maxCell = 200;
/** Characters of an indented message that are shown: more than the ring keeps. */
const maxText = 2_000_000;

export interface MessagesHostOptions {
	readonly log: MessageLog;
	/** Whether an outermost exchange belongs to the list. */
	readonly belongs: (exchange: Exchange) => boolean;
	readonly redact: Redact;
	readonly labelOf: (source: MessageSource) => string;
	readonly actions: readonly ListAction[];
	readonly post: (message: ToView) => void;
	/** Runs any action other than `pause`. */
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
		this.list = this.own(
			new MessageList(options.log, options.belongs, () => {
				this.timer ??= clock.setTimeout(() => this.update(), updateMs);
			}),
		);
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

	async take(said: FromView): Promise<void> {
		const { list, options } = this;
		switch (said.type) {
			case 'window':
				this.from = said.from;
				break;
			case 'filter':
				list.text = said.text;
				this.from = 0;
				break;
			case 'fold':
				list.fold(said.number, said.isOpen);
				break;
			case 'select': {
				const row = list.rows[said.index];
				this.selected = row?.exchange;
				if (row) {
					this.from = Math.min(this.from, said.index);
					this.from = Math.max(this.from, said.index + 1 - rowsAtOnce / 2);
					options.post(this.detail(row.exchange));
				}
				break;
			}
			case 'press':
				if (said.action === 'pause') {
					list.isPaused = !list.isPaused;
				} else {
					await options.press(said.action);
				}
				break;
			case 'pressMessage':
				await this.press(said.action);
				return;
			default:
				return;
		}
		this.update();
	}

	private async press(action: MessageAction): Promise<void> {
		const { selected } = this;
		if (!selected || !this.actionsOf(selected).includes(action)) {
			return;
		}
		if (action === 'copy') {
			await copyText(
				this.partsOf(selected)
					.map(it => it.text)
					.join('\n'),
			);
			this.options.post({ type: 'said', text: t('Copied') });
		} else if (action === 'resend') {
			await this.options.resend?.(selected);
		} else {
			const { callId: id } = asCallOrigin(selected.first.origin);
			await vscode.commands.executeCommand(InternalCommands.showInHistory, { id });
		}
	}

	private update(): void {
		clock.clearTimeout(this.timer);
		this.timer = undefined;
		const { list, selected } = this;
		const { rows, isPaused } = list;
		this.from = Math.max(0, Math.min(this.from, rows.length - rowsAtOnce));
		const at = selected ? rows.findIndex(it => it.exchange.number === selected.number) : -1;
		this.options.post({
			type: 'rows',
			from: this.from,
			total: rows.length,
			rows: rows.slice(this.from, this.from + rowsAtOnce).map(it => this.row(it)),
			note: describeCount(list.count),
			isPaused,
			...(at === -1 ? {} : { selected: at }),
		});
	}

	private row({ exchange, depth, isOpen }: MessageRow): RowView {
		const { first, outcome, durationMs, length, number } = exchange;
		const { source, direction } = first.channel;
		const { caller } = asCallOrigin(first.origin);
		const { redact, labelOf } = this.options;
		const texts = [
			describeClock(first.time),
			first.method === '' ? t('Answer') : first.method,
			first.target ?? '',
			exchange.isPending ? t('Pending') : describeOutcome(outcome, first.kind === 'exchange'),
			durationMs === undefined ? '' : describeDuration(durationMs),
			describeSize(length),
			depth === 0 && caller ? describeCaller(caller) : '',
			depth === 0 ? labelOf(source) : '',
		];
		const cells = texts.map(it => webviewText(redact(it, source), maxCell));
		const tone = outcomeGroup(exchange) ?? 'none';
		return { number, depth, direction, tone, cells, ...(isOpen === undefined ? {} : { isOpen }) };
	}

	private detail(exchange: Exchange): ToView {
		const { first } = exchange;
		const { source } = first.channel;
		const what = [first.method, first.target ?? ''].filter(it => it !== '').join(' ');
		const title = webviewText(this.options.redact(what === '' ? t('Answer') : what, source), maxCell);
		return { type: 'detail', title, parts: this.partsOf(exchange), actions: this.actionsOf(exchange) };
	}

	private partsOf({ first, end }: Exchange): PartView[] {
		const titles = {
			request: t('Request'),
			answer: t('Answer'),
			notification: t('Notification'),
			exchange: t('HTTP exchange'),
			other: t('Message'),
			lost: '',
		};
		const { outcome } = end ?? {};
		return [
			this.part(titles[first.kind], first),
			...(end && outcome?.kind !== 'lost' ? [this.part(t('Answer'), end)] : []),
			...(outcome?.kind === 'lost'
				? [{ title: t('No answer'), text: webviewText(this.redact(outcome.reason, first), maxText), note: '' }]
				: []),
		];
	}

	private part(title: string, record: WireRecord): PartView {
		const { text, length } = record;
		const isWhole = length === text.length;
		const shown = this.redact(text, record);
		const note = isWhole
			? ''
			: t(
					'Only the first {0} of {1} are kept. The full result is in the history.',
					describeSize(text.length),
					describeSize(length),
				);
		return { title, text: webviewText(indentSource(shown), maxText), note };
	}

	private redact(text: string, { channel }: WireRecord): string {
		return this.options.redact(text, channel.source);
	}

	private actionsOf({ first }: Exchange): MessageAction[] {
		const isOurs = first.kind === 'request' && first.channel.direction === 'sent' && isSendable(first.method);
		const isWhole = first.length === first.text.length;
		return [
			'copy',
			...(isOurs && isWhole && this.options.resend ? (['resend'] as const) : []),
			...(asCallOrigin(first.origin).callId === undefined ? [] : (['history'] as const)),
		];
	}
}

function viewStrings(): Strings {
	return {
		messages: t('Messages'),
		actions: t('Actions'),
		filter: t('Filter'),
		filterHint: t('Filter: text, method:, server:, outcome:error, slow:500'),
		pause: t('Pause'),
		resume: t('Continue'),
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
		find: t('Find in message'),
		notFound: t('No results'),
		copy: t('Copy'),
		resend: t('Edit and Resend'),
		history: t('Show in History'),
		close: t('Close'),
		request: t('Request'),
		parameters: t('Parameters as JSON'),
		send: t('Send'),
	};
}

function describeCount({ all, shown }: { readonly all: number; readonly shown: number }): string {
	if (all === 0) {
		return t('No messages yet. Messages between servers and the extension appear here.');
	}
	return shown === all
		? t('{0} messages', describeNumber(all))
		: t('{0} of {1} messages', describeNumber(shown), describeNumber(all));
}

function describeOutcome(outcome: Exchange['outcome'], isHttp: boolean): string {
	if (isHttp && outcome?.kind !== 'lost') {
		return `HTTP ${outcome?.code}`;
	}
	switch (outcome?.kind) {
		case undefined:
			return '';
		case 'ok':
			return t('OK');
		case 'toolError':
			return t('Tool error');
		case 'inputRequired':
			return t('Needs input');
		case 'task':
			return t('Task');
		case 'lost':
			return t('No answer');
		case 'error':
			return t('Error {0}', String(outcome.code ?? ''));
	}
}

/** For example "09:05:03.120", in the time zone of the person. */
function describeClock(time: number): string {
	const date = new Date(time);
	const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map(it => String(it).padStart(2, '0'));
	return `${parts.join(':')}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** The messages between the extension and the page of messages: its list, and its form for a request. */
import {
	type Checked,
	isBoolean,
	isIndex,
	isText,
	listOf,
	type MessageOf,
	oneOf,
	optional,
	readMessage,
	record,
	stringsOf,
} from '../checks.js';

/** The columns in their order. The first column, the direction, is left out. */
export const columns = ['time', 'method', 'target', 'outcome', 'duration', 'size', 'caller', 'server'] as const;
const listActions = ['clear', 'exportFile', 'openFile', 'newRequest'] as const;
const messageActions = ['copy', 'resend', 'history'] as const;
const actions = [...listActions, ...messageActions] as const;
export type ListAction = (typeof listActions)[number];
/** An action of the selected message. */
export type MessageAction = (typeof messageActions)[number];

/** The keys of the view's own texts. */
const stringKeys = [
	...columns,
	...actions,
	'messages',
	'actions',
	'filter',
	'filterHint',
	'sent',
	'received',
	'details',
	'close',
	'request',
	'parameters',
	'send',
] as const;
export type Strings = Readonly<Record<(typeof stringKeys)[number], string>>;

/** A row. Texts are cut, cleaned, and without secrets. */
const row = record({
	number: isIndex,
	depth: isIndex,
	/** Whether the rows beneath it are shown; `undefined` if there are none. */
	isOpen: optional(isBoolean),
	direction: oneOf(['sent', 'received']),
	tone: oneOf(['none', 'ok', 'error', 'pending', 'canceled']),
	/** The texts of `columns`. */
	cells: listOf(isText),
});
export type RowView = Checked<typeof row>;

/** A part of a message's details: the request, the answer, or an HTTP exchange. `note` says that the text is cut. */
const part = record({ title: isText, text: isText, note: isText });
export type PartView = Checked<typeof part>;

/** The methods that can be sent to the server, and the parameters that each method requires, as JSON. */
const methods = listOf(record({ name: isText, params: isText }));

const toView = {
	/** The first message. `actions`: the buttons of the list. */
	begin: { strings: stringsOf(stringKeys), actions: listOf(oneOf(listActions)) },
	/** `from` is the index of the first of `rows`, `selected` that of the selected row, if it is listed. */
	rows: {
		from: isIndex,
		total: isIndex,
		rows: listOf(row),
		/** The number of messages, or why the list is empty. */
		note: isText,
		exportLabel: isText,
		selected: optional(isIndex),
	},
	detail: { title: isText, parts: listOf(part), actions: listOf(oneOf(messageActions)) },
	/** Opens the form for a request. */
	form: {
		servers: listOf(record({ id: isText, label: isText, methods })),
		server: isText,
		method: isText,
		params: isText,
	},
	/** An announcement for screen readers. */
	announce: { text: isText },
	/** Why the request of the form wasn't sent or failed; empty if it was answered. */
	sent: { error: isText },
};
export type ToView = MessageOf<typeof toView>;

const fromView = {
	ready: {},
	/** The list was scrolled and needs the rows from this index. */
	window: { from: isIndex },
	filter: { text: isText },
	fold: { number: isIndex, isOpen: isBoolean },
	select: { index: isIndex },
	/** A button of the list, or of the selected message. */
	press: { action: oneOf(actions) },
	send: { server: isText, method: isText, params: isText },
};
export type FromView = MessageOf<typeof fromView>;

export function readToView(message: unknown): ToView | undefined {
	return readMessage<ToView>(message, toView);
}

export function readFromView(message: unknown): FromView | undefined {
	return readMessage<FromView>(message, fromView);
}

/** The messages between the extension and the page of messages: its list, and its form for a request. */
import { isBoolean, isIndex, isText, type MessageOf, oneOf, readMessage } from '../checks.js';

/** The columns in their order. The first column, the direction, is left out. */
export const columns = ['time', 'method', 'target', 'outcome', 'duration', 'size', 'caller', 'server'] as const;
const listActions = ['clear', 'exportFile', 'openFile', 'newRequest'] as const;
const messageActions = ['copy', 'resend', 'history'] as const;
const actions = [...listActions, ...messageActions] as const;
export type ListAction = (typeof listActions)[number];
/** An action of the selected message. */
export type MessageAction = (typeof messageActions)[number];

/** The view's own texts. */
export type Strings = Readonly<
	Record<
		| (typeof columns)[number]
		| (typeof actions)[number]
		| 'messages'
		| 'actions'
		| 'filter'
		| 'filterHint'
		| 'sent'
		| 'received'
		| 'details'
		| 'close'
		| 'request'
		| 'parameters'
		| 'send',
		string
	>
>;

/** A row. Texts are cut, cleaned, and without secrets. */
export interface RowView {
	readonly number: number;
	readonly depth: number;
	/** Whether the rows beneath it are shown; `undefined` if there are none. */
	readonly isOpen: boolean | undefined;
	readonly direction: 'sent' | 'received';
	readonly tone: 'none' | 'ok' | 'error' | 'pending' | 'canceled';
	/** The texts of `columns`. */
	readonly cells: readonly string[];
}

/** A part of a message's details: the request, the answer, or an HTTP exchange. `note` says that the text is cut. */
export type PartView = Readonly<Record<'title' | 'text' | 'note', string>>;

/** A server, the methods that can be sent to it, and the parameters that each method requires, as JSON. */
export interface ServerView {
	readonly id: string;
	readonly label: string;
	readonly methods: readonly { readonly name: string; readonly params: string }[];
}

export type ToView =
	/** The first message. `actions`: the buttons of the list. */
	| { readonly type: 'begin'; readonly strings: Strings; readonly actions: readonly ListAction[] }
	/** `from` is the index of the first of `rows`, `selected` that of the selected row, if it is listed. */
	| {
			readonly type: 'rows';
			readonly from: number;
			readonly total: number;
			readonly rows: readonly RowView[];
			/** The number of messages, or why the list is empty. */
			readonly note: string;
			readonly exportLabel: string;
			readonly selected: number | undefined;
	  }
	| {
			readonly type: 'detail';
			readonly title: string;
			readonly parts: readonly PartView[];
			readonly actions: readonly MessageAction[];
	  }
	/** Opens the form for a request. */
	| {
			readonly type: 'form';
			readonly servers: readonly ServerView[];
			readonly server: string;
			readonly method: string;
			readonly params: string;
	  }
	/** An announcement for screen readers. */
	| { readonly type: 'said'; readonly text: string }
	/** Why the request of the form wasn't sent or failed; empty if it was answered. */
	| { readonly type: 'sent'; readonly error: string };

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

export function readFromView(message: unknown): FromView | undefined {
	return readMessage<FromView>(message, fromView);
}

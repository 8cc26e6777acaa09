/** The messages between the extension and the page of messages: its list, and its form for a request. */
import {
	isBoolean,
	isIndex,
	isText,
	listOf,
	type Messages,
	oneOf,
	optional,
	readMessage,
	record,
	stringsOf,
} from '../checks.js';

/** The keys of the view's own texts. */
export const stringKeys = [
	'messages',
	'actions',
	'filter',
	'filterHint',
	'pause',
	'resume',
	'clear',
	'exportFile',
	'openFile',
	'newRequest',
	'time',
	'method',
	'target',
	'outcome',
	'duration',
	'size',
	'caller',
	'server',
	'sent',
	'received',
	'details',
	'find',
	'notFound',
	'copy',
	'resend',
	'history',
	'close',
	'request',
	'parameters',
	'send',
] as const;
export type Strings = Readonly<Record<(typeof stringKeys)[number], string>>;

/** The columns in their order. The first column, the direction, is left out. */
export const columns = ['time', 'method', 'target', 'outcome', 'duration', 'size', 'caller', 'server'] as const;
export const tones = ['none', 'ok', 'error', 'pending'] as const;

/** A row. Texts are cut, cleaned, and without secrets. */
export interface RowView {
	readonly number: number;
	readonly depth: number;
	/** Whether the rows beneath it are shown; `undefined` if there are none. */
	readonly isOpen?: boolean | undefined;
	readonly direction: 'sent' | 'received';
	readonly tone: (typeof tones)[number];
	/** The texts of `columns`. */
	readonly cells: readonly string[];
}

/** A part of a message's details: the request, the answer, or an HTTP exchange. */
export interface PartView {
	readonly title: string;
	readonly text: string;
	/** Says that the text is cut; empty if it isn't. */
	readonly note: string;
}

const listActions = ['pause', 'clear', 'exportFile', 'openFile', 'newRequest'] as const;
const messageActions = ['copy', 'resend', 'history'] as const;
export type ListAction = (typeof listActions)[number];
export type MessageAction = (typeof messageActions)[number];

export interface ServerView {
	readonly id: string;
	readonly label: string;
	/** The methods that can be sent to the server, and the parameters that each method requires, as JSON. */
	readonly methods: readonly { readonly name: string; readonly params: string }[];
}

export type ToView =
	/** The first message. `actions`: the buttons of the list. */
	| { readonly type: 'begin'; readonly strings: Strings; readonly actions: readonly ListAction[] }
	| {
			readonly type: 'rows';
			/** The index of the first of `rows`. */
			readonly from: number;
			readonly total: number;
			readonly rows: readonly RowView[];
			/** The number of messages, or why the list is empty. */
			readonly note: string;
			readonly isPaused: boolean;
			/** The index of the selected row; `undefined` if no listed row is selected. */
			readonly selected?: number | undefined;
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

export type FromView =
	| { readonly type: 'ready' }
	/** The list was scrolled and needs the rows from this index. */
	| { readonly type: 'window'; readonly from: number }
	| { readonly type: 'filter'; readonly text: string }
	| { readonly type: 'fold'; readonly number: number; readonly isOpen: boolean }
	| { readonly type: 'select'; readonly index: number }
	| { readonly type: 'press'; readonly action: ListAction }
	/** A button of the selected message. */
	| { readonly type: 'pressMessage'; readonly action: MessageAction }
	| { readonly type: 'send'; readonly server: string; readonly method: string; readonly params: string };

const toView: Messages<ToView> = {
	begin: { strings: stringsOf(stringKeys), actions: listOf(oneOf(listActions)) },
	rows: {
		from: isIndex,
		total: isIndex,
		rows: listOf(
			record<RowView>({
				number: isIndex,
				depth: isIndex,
				isOpen: optional(isBoolean),
				direction: oneOf(['sent', 'received']),
				tone: oneOf(tones),
				cells: listOf(isText),
			}),
		),
		note: isText,
		isPaused: isBoolean,
		selected: optional(isIndex),
	},
	detail: {
		title: isText,
		parts: listOf(record<PartView>({ title: isText, text: isText, note: isText })),
		actions: listOf(oneOf(messageActions)),
	},
	form: {
		servers: listOf(
			record<ServerView>({
				id: isText,
				label: isText,
				methods: listOf(record<ServerView['methods'][number]>({ name: isText, params: isText })),
			}),
		),
		server: isText,
		method: isText,
		params: isText,
	},
	said: { text: isText },
	sent: { error: isText },
};
const fromView: Messages<FromView> = {
	ready: {},
	window: { from: isIndex },
	filter: { text: isText },
	fold: { number: isIndex, isOpen: isBoolean },
	select: { index: isIndex },
	press: { action: oneOf(listActions) },
	pressMessage: { action: oneOf(messageActions) },
	send: { server: isText, method: isText, params: isText },
};

export function readToView(message: unknown): ToView | undefined {
	return readMessage<ToView>(message, toView);
}

export function readFromView(message: unknown): FromView | undefined {
	return readMessage<FromView>(message, fromView);
}

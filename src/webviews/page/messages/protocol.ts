/** The messages between the extension and a list of messages, and the form for a request beside it. */
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

/** The columns after the direction, in their order. */
export const columns = ['time', 'method', 'target', 'outcome', 'duration', 'size', 'caller', 'server'] as const;
const tones = ['none', 'ok', 'error', 'pending'] as const;
const listActions = ['pause', 'clear', 'exportFile', 'openFile', 'newRequest'] as const;
const messageActions = ['copy', 'resend', 'history'] as const;
const actions = [...listActions, ...messageActions] as const;
export type ListAction = (typeof listActions)[number];
/** An action of the selected message. */
export type MessageAction = (typeof messageActions)[number];
export type Action = (typeof actions)[number];

/** The texts of the view itself. */
const stringKeys = [
	...columns,
	...actions,
	'messages',
	'actions',
	'filter',
	'filterHint',
	'resume',
	'sent',
	'received',
	'details',
	'find',
	'notFound',
	'close',
	'request',
	'parameters',
	'send',
] as const;
export type Strings = Readonly<Record<(typeof stringKeys)[number], string>>;

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
	/** Says that the text isn't whole; empty if it is. */
	readonly note: string;
}

export interface ServerView {
	readonly id: string;
	readonly label: string;
	/** The methods that it may have, and the parameters that each one requires, as JSON. */
	readonly methods: readonly { readonly name: string; readonly params: string }[];
}

export type ToView =
	/** Before all others. @param actions those that the list has buttons for */
	| { readonly type: 'begin'; readonly strings: Strings; readonly actions: readonly ListAction[] }
	| {
			readonly type: 'rows';
			/** The index of the first of `rows`. */
			readonly from: number;
			readonly total: number;
			readonly rows: readonly RowView[];
			/** How many messages there are; or why there are none. */
			readonly note: string;
			readonly isPaused: boolean;
			/** The index of the selected row, if it is listed. */
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
	/** For screen readers. */
	| { readonly type: 'said'; readonly text: string }
	/** Why the request of the form was not sent, or failed; empty if it was answered. */
	| { readonly type: 'sent'; readonly error: string };

export type FromView =
	| { readonly type: 'ready' }
	/** The rows from this index are visible. */
	| { readonly type: 'window'; readonly from: number }
	| { readonly type: 'filter'; readonly text: string }
	| { readonly type: 'fold'; readonly number: number; readonly isOpen: boolean }
	| { readonly type: 'select'; readonly index: number }
	/** A button of the list, or of the selected message. */
	| { readonly type: 'press'; readonly action: Action }
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
	press: { action: oneOf(actions) },
	send: { server: isText, method: isText, params: isText },
};

export function readToView(message: unknown): ToView | undefined {
	return readMessage<ToView>(message, toView);
}

export function readFromView(message: unknown): FromView | undefined {
	return readMessage<FromView>(message, fromView);
}

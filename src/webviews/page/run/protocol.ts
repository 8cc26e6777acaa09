/** What the page of a tool, prompt or resource template shows, and the messages between the extension and the page. Both sides check what they receive. */
import {
	type Check,
	isBoolean,
	isIndex,
	isRecord,
	isText,
	listOf,
	type Messages,
	oneOf,
	optional,
	readMessage,
	record,
	stringsOf,
} from '../checks.js';
import { formFromView, type FormFromView, formToView, type FormToView } from '../form/protocol.js';
import {
	type FromView as MessagesFromView,
	readFromView as readMessagesFromView,
	readToView as readMessagesToView,
	type ToView as MessagesToView,
} from '../messages/protocol.js';
import {
	type FromView as ResultFromView,
	readFromView as readResultFromView,
	readToView as readResultToView,
	type ToView as ResultToView,
} from '../result/protocol.js';

export const stringKeys = [
	'actions',
	'cancel',
	'compare',
	'copyAs',
	'editAsForm',
	'editAsJson',
	'enable',
	'forModels',
	'fromServer',
	'inputSchema',
	'lastArguments',
	'messages',
	'noResult',
	'noRuns',
	'outputSchema',
	'result',
	'review',
	'run',
	'runAnyway',
	'runs',
	'schema',
	'start',
	'tabs',
	'unverified',
	'useArguments',
] as const;
export type Strings = Readonly<Record<(typeof stringKeys)[number], string>>;

export const tabs = ['result', 'messages', 'schema', 'runs'] as const;
export type Tab = (typeof tabs)[number];

/** What the person can do about the notice. */
const noticeActions = ['none', 'review', 'enable'] as const;

/** The head of the page, above the form. All texts are translated or cleaned, and cut. */
export interface PageHead {
	/** The id of the server's definition, and what identifies the tool there: by them the page is found again after a reload. */
	readonly server: string;
	readonly name: string;
	readonly title: string;
	/** The name, the server, and the tokens of a tool's definition. */
	readonly facts: readonly string[];
	/** The state of the server: "Running". */
	readonly state: string;
	readonly isRunning: boolean;
	/** Whether the server can be started from here. */
	readonly canStart: boolean;
	/** The server's description; may be empty. */
	readonly description: string;
	/** The server's claims about the tool. */
	readonly hints: readonly string[];
	/** Says why it can't be run, or that its definition has changed; may be empty. */
	readonly notice: string;
	readonly noticeAction: (typeof noticeActions)[number];
	/** Whether models get the tool; `undefined` if there is no such choice. */
	readonly isForModels: boolean | undefined;
	readonly hasLastArguments: boolean;
	/** Schemas as formatted JSON; empty if there is none. Without the first, there is no tab for them. */
	readonly inputSchema: string;
	readonly outputSchema: string;
}

export const runStates = ['running', 'done', 'warned', 'mismatch', 'toolError', 'failed', 'cancelled'] as const;

/** Shows the result, takes the arguments into the form, or compares the result with the one that is shown. */
export const runUses = ['show', 'useArguments', 'compare'] as const;
export type RunUse = (typeof runUses)[number];

/** A run from this page, or another call of the tool that is in the history. */
export interface RunRow {
	readonly id: string;
	readonly state: (typeof runStates)[number];
	/** When, how it ended and how long it took. */
	readonly facts: string;
	/** The beginning of the arguments as JSON. */
	readonly arguments: string;
	/** What the person can do with it. */
	readonly uses: readonly RunUse[];
}

export type ToView =
	| { readonly type: 'head'; readonly head: PageHead; readonly strings: Strings }
	| FormToView
	/** What the arguments of the form result in, such as a URI. */
	| { readonly type: 'preview'; readonly text: string }
	/** `count`: runs of this page that haven't ended. `text`: the progress of the newest one, or how the last one ended. */
	| { readonly type: 'running'; readonly count: number; readonly text: string }
	/** The arguments of an attempt weren't valid; the person can run it anyway. */
	| { readonly type: 'invalid' }
	| { readonly type: 'result'; readonly message: ResultToView }
	/** Of the messages of the run whose result is shown. */
	| { readonly type: 'messages'; readonly message: MessagesToView }
	| { readonly type: 'runs'; readonly runs: readonly RunRow[] }
	| { readonly type: 'select'; readonly tab: Tab }
	| { readonly type: 'focusForm' }
	/** Runs with the arguments of the form, as the person has asked for by a gesture elsewhere. */
	| { readonly type: 'run' }
	/** An error that isn't about the result; empty to remove it. */
	| { readonly type: 'error'; readonly text: string }
	| { readonly type: 'said'; readonly text: string };

const actions = ['cancel', 'copyAs', 'enable', 'lastArguments', 'review', 'start', 'toggleModels'] as const;
export type Action = (typeof actions)[number];

export type FromView =
	| { readonly type: 'ready' }
	| FormFromView
	/** `isAnyway`: although the arguments aren't valid. */
	| { readonly type: 'run'; readonly value: Readonly<Record<string, unknown>>; readonly isAnyway: boolean }
	| { readonly type: 'press'; readonly action: Action }
	| { readonly type: 'result'; readonly message: ResultFromView }
	| { readonly type: 'messages'; readonly message: MessagesFromView }
	| { readonly type: 'useRun'; readonly id: string; readonly use: RunUse };

/** What the page keeps over a reload of the window: never a secret. */
export interface State {
	readonly server: string;
	readonly name: string;
	readonly form: unknown;
}

const isHead = record<PageHead>({
	server: isText,
	name: isText,
	title: isText,
	facts: listOf(isText),
	state: isText,
	isRunning: isBoolean,
	canStart: isBoolean,
	description: isText,
	hints: listOf(isText),
	notice: isText,
	noticeAction: oneOf(noticeActions),
	isForModels: optional(isBoolean),
	hasLastArguments: isBoolean,
	inputSchema: isText,
	outputSchema: isText,
});

const isUse = oneOf(runUses);
const isRun = record<RunRow>({
	id: isText,
	state: oneOf(runStates),
	facts: isText,
	arguments: isText,
	uses: listOf(isUse),
});
const isResultToView: Check<ResultToView> = (value): value is ResultToView => readResultToView(value) !== undefined;
const isResultFromView: Check<ResultFromView> = (value): value is ResultFromView =>
	readResultFromView(value) !== undefined;

const isMessagesToView: Check<MessagesToView> = (value): value is MessagesToView =>
	readMessagesToView(value) !== undefined;
const isMessagesFromView: Check<MessagesFromView> = (value): value is MessagesFromView =>
	readMessagesFromView(value) !== undefined;

const toView: Messages<ToView> = {
	...formToView,
	head: { head: isHead, strings: stringsOf(stringKeys) },
	preview: { text: isText },
	running: { count: isIndex, text: isText },
	invalid: {},
	result: { message: isResultToView },
	messages: { message: isMessagesToView },
	runs: { runs: listOf(isRun) },
	select: { tab: oneOf(tabs) },
	focusForm: {},
	run: {},
	error: { text: isText },
	said: { text: isText },
};

const fromView: Messages<FromView> = {
	...formFromView,
	ready: {},
	run: { value: isRecord, isAnyway: isBoolean },
	press: { action: oneOf(actions) },
	result: { message: isResultFromView },
	messages: { message: isMessagesFromView },
	useRun: { id: isText, use: isUse },
};

/** Checks a message of the page. `undefined` if it isn't valid. */
export function readFromView(message: unknown): FromView | undefined {
	return readMessage(message, fromView);
}

/** Checks a message to the page. `undefined` if it isn't valid. */
export function readToView(message: unknown): ToView | undefined {
	return readMessage(message, toView);
}

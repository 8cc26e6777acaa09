/** The data and messages of the page of a tool, prompt or resource template. Both sides check the messages they receive. */
import {
	type Check,
	type Checked,
	isBoolean,
	isIndex,
	isRecord,
	isText,
	listOf,
	type MessageOf,
	oneOf,
	optional,
	readMessage,
	record,
	stringsOf,
} from '../checks.js';
import { formFromView, formToView } from '../form/protocol.js';
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
	'startedAt',
	'tabs',
	'unverified',
	'useArguments',
] as const;
export type Strings = Readonly<Record<(typeof stringKeys)[number], string>>;

export const tabs = ['result', 'messages', 'schema', 'runs'] as const;
export type Tab = (typeof tabs)[number];

/** The head of the page, above the form. All texts are translated or cleaned, and cut. */
const head = record({
	/** The id of the server's definition, and the name or URI template. They identify the page after a reload. */
	server: isText,
	name: isText,
	title: isText,
	/** The name, the label of the server, and the token count of a tool's definition. */
	facts: listOf(isText),
	/** The state of the server: "Running". */
	state: isText,
	isRunning: isBoolean,
	/** Whether the server can be started from here. */
	canStart: isBoolean,
	/** The server's description; may be empty. */
	description: isText,
	/** The server's claims about the tool. */
	hints: listOf(isText),
	/** Says why the entry can't run, or that a tool's definition has changed; may be empty. */
	notice: isText,
	/** The action that the notice offers. */
	noticeAction: oneOf(['none', 'review', 'enable']),
	/** Whether models get the tool; `undefined` hides the switch. */
	isForModels: optional(isBoolean),
	hasLastArguments: isBoolean,
	/** Schemas as formatted JSON, or empty. The tab for schemas is hidden if `inputSchema` is empty. */
	inputSchema: isText,
	outputSchema: isText,
});
export type PageHead = Checked<typeof head>;

/** Actions for a run: show its result, put its arguments into the form, or compare its result with the shown result. */
export const runUses = ['show', 'useArguments', 'compare'] as const;
export type RunUse = (typeof runUses)[number];

/** A run from this page, or another call of the tool that is in the history. */
const run = record({
	id: isText,
	state: oneOf(['running', 'done', 'warned', 'mismatch', 'toolError', 'failed', 'cancelled']),
	time: isText,
	/** How it ended and how long it took. */
	facts: isText,
	/** Whether the page shows its result. */
	isShown: isBoolean,
	/** The beginning of the arguments as JSON. */
	arguments: isText,
	/** The actions that are offered for the run. */
	uses: listOf(oneOf(runUses)),
});
export type RunRow = Checked<typeof run>;

const resultToView: Check<ResultToView> = (it): it is ResultToView => readResultToView(it) !== undefined;
const resultFromView: Check<ResultFromView> = (it): it is ResultFromView => readResultFromView(it) !== undefined;
const messagesToView: Check<MessagesToView> = (it): it is MessagesToView => readMessagesToView(it) !== undefined;
const messagesFromView: Check<MessagesFromView> = (it): it is MessagesFromView =>
	readMessagesFromView(it) !== undefined;

const toView = {
	...formToView,
	head: { head, strings: stringsOf(stringKeys) },
	/** A text that is made of the arguments, such as a URI. */
	preview: { text: isText },
	/** `count`: runs of this page that haven't ended. `text`: the progress of the newest one, or what has become of the form. */
	running: { count: isIndex, text: isText },
	/** The run was stopped because the arguments aren't valid. The page offers to run anyway. */
	invalid: {},
	result: { message: resultToView },
	/** A message for the list of messages of the shown run. */
	messages: { message: messagesToView },
	runs: { runs: listOf(run) },
	select: { tab: oneOf(tabs) },
	focusForm: {},
	/** Runs with the arguments of the form, because the person has pressed Run outside of the page. */
	run: {},
	/** An error that isn't about the result; empty to remove it. */
	error: { text: isText },
	announce: { text: isText },
};
export type ToView = MessageOf<typeof toView>;

const action = oneOf(['cancel', 'copyAs', 'enable', 'lastArguments', 'review', 'start', 'toggleModels']);
export type Action = Checked<typeof action>;

const fromView = {
	...formFromView,
	ready: {},
	/** `isAnyway`: although the arguments aren't valid. */
	run: { value: isRecord, isAnyway: isBoolean },
	press: { action },
	result: { message: resultFromView },
	messages: { message: messagesFromView },
	useRun: { id: isText, use: oneOf(runUses) },
};
export type FromView = MessageOf<typeof fromView>;

/** The state that the page keeps when the window is reloaded. Never contains secrets. */
export interface State {
	readonly server: string;
	readonly name: string;
	readonly form: unknown;
}

/** Checks a message of the page. `undefined` if it isn't valid. */
export function readFromView(message: unknown): FromView | undefined {
	return readMessage<FromView>(message, fromView);
}

/** Checks a message to the page. `undefined` if it isn't valid. */
export function readToView(message: unknown): ToView | undefined {
	return readMessage<ToView>(message, toView);
}

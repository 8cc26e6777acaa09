/**
 * The page of one tool, prompt or resource template of a server: a form, Run, and the results. The page keeps what was entered
 * when its server restarts or the arguments change. A `RunKind` has the differences between the three kinds of pages.
 */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { raceAbort } from '../../base/async.js';
import { isAbort } from '../../base/errors.js';
import { parseJson } from '../../base/parseJson.js';
import { type Disposable, MutableDisposable, Owner } from '../../base/lifecycle.js';
import type { CallOutcome } from '../../core/calls/calls.js';
import type { MessageRing } from '../../core/messages/messageRing.js';
import { type Completions, Typing } from '../../core/search/completions.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isStartOffered } from '../../core/servers/serverState.js';
import { redactedArguments } from '../../core/text/callArguments.js';
import {
	canonicalJson,
	type CompletionReference,
	formModel,
	isObject,
	type JsonObject,
	type SchemaValidator,
} from '../../mcp/index.js';
import type { FormFromView, FormProblem } from '../../webviews/page/form/protocol.js';
import {
	type Action,
	type FromView,
	type PageHead,
	readFromView,
	type RunRow,
	runUses,
	type Strings,
	type ToView,
} from '../../webviews/page/run/protocol.js';
import { Commands } from '../contributions.js';
import type { Documents } from '../documents/documents.js';
import { copyText } from '../documents/export.js';
import { toTexts } from '../forms/suggestedStep.js';
import { describeError } from '../l10n/messages.js';
import { describeServer } from '../l10n/stateWords.js';
import { describeTime } from '../l10n/timeText.js';
import { type LeafNode, ServerNode } from '../tree/treeNodes.js';
import { jsonText, titleText, webviewText } from '../ui/plainText.js';
import { chooseLine } from '../ui/quickInput.js';
import { toolName } from '../ui/shownNames.js';
import { findProblems, formStrings, shownForm } from './formView.js';
import { MessagesHost } from './messagesHost.js';
import { PagePanel, type PageTab } from './pagePanel.js';
import { resultJson, ResultHost } from './resultHost.js';
import { describeFacts, outcomeOf } from './resultPage.js';
import { describeCompletion, pageStrings } from './runPageWords.js';

const { t } = vscode.l10n;

/** The number of runs that a page lists. Their results are kept in memory. */
const maxRuns = 20;
const maxDescription = 5000;
const maxUri = 2000;

/** One run from a page. Progress and outcome are reported to the page. */
export interface PageRun {
	/** The id of the call. */
	readonly id: string;
	readonly signal: AbortSignal;
	readonly onProgress: (text: string) => void;
	readonly onOutcome: (call: CallOutcome) => void;
}

/** A format of Copy Request As. */
export interface CopyFormat extends vscode.QuickPickItem {
	readonly text: () => string;
}

/** The part of a page's head that depends on the kind. The page adds the server, its state, and the description. */
export type KindHead = Pick<PageHead, 'title' | 'facts'> &
	Partial<
		Pick<
			PageHead,
			'hints' | 'notice' | 'noticeAction' | 'isForModels' | 'hasLastArguments' | 'inputSchema' | 'outputSchema'
		>
	>;

/** The member that tools, prompts and resource templates have in common. */
export interface Described {
	readonly description?: string | undefined;
}

/** A kind of entry that a page can run: tools, prompts, or resource templates. `T` is the entry of the server's list. */
export interface RunKind<T extends Described> {
	readonly viewType: string;
	/** The list of the server's catalog. */
	readonly list: 'tools' | 'prompts' | 'resourceTemplates';
	/** Finds an entry in the server's list. @param name as `getName` returns it */
	readonly find: (server: Server, name: string) => T | undefined;
	/** Creates the entry for a restored page, whose server hasn't listed its entries yet. */
	readonly createUnlisted: (name: string) => T;
	/** The name or URI template, which identifies the entry among those of its server. */
	readonly getName: (entry: T) => string;
	/** The title of the tab; not cleaned. */
	readonly getTabName: (entry: T) => string;
	readonly getSchema: (entry: T) => JsonObject;
	/** Describes the entry for the head of the page. The texts are cleaned and cut. */
	readonly describeHead: (server: Server, entry: T, page: RunPage<T>) => KindHead;
	/** The notice for an entry that the server no longer lists. */
	readonly goneText: string;
	/** Replaces texts of the page. */
	readonly strings?: Partial<Strings>;
	/** Finds problems of the arguments. Default: violations of the schema. */
	readonly check?: (entry: T, args: JsonObject) => readonly FormProblem[];
	/** A text that is made of the arguments, such as a URI. */
	readonly getPreview?: (entry: T, args: JsonObject) => string;
	/** The reference for completion requests; left out if servers don't complete the arguments. */
	readonly getCompletionRef?: (entry: T) => CompletionReference;
	/** The request that a run sends. */
	readonly createRequest: (entry: T, args: JsonObject) => { readonly method: string; readonly params: JsonObject };
	/** Formats of Copy Request As, in addition to the arguments and the JSON-RPC request. */
	readonly getCopyFormats?: (server: Server, entry: T, args: JsonObject) => readonly CopyFormat[];
	/** Earlier runs in the history, newest first. */
	readonly getEarlierRuns?: (server: Server, entry: T) => readonly Run[];
	/** The actions that only pages of this kind have. */
	readonly actions?: Partial<Record<Action, (server: Server, entry: T, page: RunPage<T>) => unknown>>;
	/** @throws Error with a message for the person; AbortError if they cancelled before the request was sent */
	readonly run: (server: Server, entry: T, args: JsonObject, pageRun: PageRun) => Promise<void>;
}

export interface RunPageDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly validator: SchemaValidator;
	readonly completions: Completions;
	readonly messages: MessageRing;
	readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}

/** A run of the page, or an earlier run from the history. `startedAt` is in milliseconds since 1970. */
export interface Run {
	readonly id: string;
	readonly startedAt: number;
	readonly args: JsonObject;
	/** Whether the arguments lack a secret or a part. */
	readonly isCut?: boolean;
	/** The caller of an earlier run, unless it was the person; cleaned. */
	readonly caller?: string | undefined;
	/** Cancels a run of the page. */
	readonly controller?: AbortController;
	end: CallOutcome | undefined;
}

export class RunPage<T extends Described> extends Owner implements Disposable {
	/** The entry's tree item, for commands that need one. */
	node: LeafNode | undefined;
	readonly onDidClose: PagePanel<FromView, ToView>['onDidClose'];
	private readonly panel: PagePanel<FromView, ToView>;
	private readonly result: ResultHost;
	private readonly messages = this.own(new MutableDisposable<MessagesHost>());
	private readonly typing = this.own(new MutableDisposable<Typing>());
	/** The values in the form, if the person has changed it. */
	private draft: JsonObject | undefined;
	/** Newest first. */
	private runs: Run[] = [];
	/** The id of the run whose result is shown. */
	private shownRun: string | undefined;
	/** The last message about a change of the form. */
	private lastChange: Omit<Extract<FormFromView, { type: 'formChanged' }>, 'type'> = {
		revision: 0,
		value: {},
		variants: {},
	};
	/** Whether the server has listed the entry. Before that, a restored tab knows only its name. */
	private isListed: boolean;
	/** The action to perform as soon as the view is ready. */
	private requested: 'focusForm' | 'run' | undefined;
	/** The last sent data as JSON, by the kind of message. */
	private readonly sent = new Map<'head' | 'form' | 'runs', string>();

	constructor(
		private readonly deps: RunPageDeps,
		private readonly kind: RunKind<T>,
		private readonly initialServer: Server,
		private entry: T,
		place: PageTab['place'] | vscode.WebviewPanel,
	) {
		super();
		const { viewType } = kind;
		this.isListed = !('webview' in place);
		const title = titleText(toolName(kind.getTabName(entry), 40), deps.registry.label(initialServer));
		this.panel = this.own(
			new PagePanel<FromView, ToView>(
				deps.context.extensionUri,
				'run',
				// Keeps the form and the result as they are while another tab is in front.
				'webview' in place ? place : { viewType, title, place, retains: true },
				{ read: readFromView, onReady: () => this.send(), onMessage: message => this.take(message) },
			),
		);
		this.onDidClose = this.panel.onDidClose;
		this.onDidClose(() => this.runs.forEach(it => it.end ?? it.controller?.abort()));
		this.result = new ResultHost(deps.documents, message => this.panel.post({ type: 'result', message }));
	}

	/** @param runsAtOnce whether to run an entry without arguments; otherwise, the form gets the focus */
	reveal(runsAtOnce: boolean): void {
		this.panel.reveal(false);
		this.request(runsAtOnce && !takesArguments(this.kind.getSchema(this.entry)) ? 'run' : 'focusForm');
	}

	/** Shows the outcome of a call that wasn't made from this page. @param id of the call, as in the origin of its messages */
	showOutcome(call: CallOutcome, id: string | undefined): void {
		// The person has entered the arguments of a prompt. Those of a tool may come from a model.
		this.draft ??= call.prompt && call.arguments;
		this.panel.revealQuietly();
		this.showResult(this.addRun(call.arguments, clock.now() - call.durationMs, call, id));
	}

	/** Fills the form with the arguments of an earlier call. */
	useArguments(args: JsonObject): void {
		this.draft = args;
		this.sendForm(args);
		this.request('focusForm');
		this.sendRunning('', t('The arguments are in the form.'));
	}

	/** Shows an error that isn't about a result; an empty text removes it. */
	showError(text: string): void {
		this.panel.post({ type: 'error', text });
	}

	/** Sends the changed parts to the view. */
	refresh(): void {
		const { server, kind } = this;
		const listed = kind.find(server, kind.getName(this.entry));
		this.entry = listed ?? this.entry;
		this.isListed ||= listed !== undefined;
		const head = this.createHead();
		if (this.isNews('head', head)) {
			this.panel.post({ type: 'head', head, strings: { ...pageStrings(), ...kind.strings } });
		}
		const isFirst = !this.sent.has('form');
		if (this.isListed && this.isNews('form', kind.getSchema(this.entry))) {
			this.sendForm(isFirst ? this.draft : undefined);
		}
		this.sendRows();
	}

	/** Whether a value differs from the one before it. */
	private isNews(kind: 'head' | 'form' | 'runs', value: unknown): boolean {
		const text = canonicalJson(value);
		const isOther = text !== this.sent.get(kind);
		this.sent.set(kind, text);
		return isOther;
	}

	private get server(): Server {
		return this.deps.registry.current(this.initialServer) ?? this.initialServer;
	}

	/** Sends everything to a new or reloaded view. */
	private send(): void {
		this.sent.clear();
		this.refresh();
		this.result.send();
		this.messages.value?.begin();
		this.sendRunning('');
		this.request(this.requested);
	}

	/** Asks the view to perform an action, as soon as it is ready. */
	private request(action: 'focusForm' | 'run' | undefined): void {
		this.requested = action;
		if (action && this.panel.isReady) {
			this.requested = undefined;
			this.panel.post({ type: action });
		}
	}

	/** @param value replaces the values in the form; `undefined` keeps them */
	private sendForm(value: JsonObject | undefined): void {
		const { kind, entry } = this;
		const form = shownForm(formModel(kind.getSchema(entry)), kind.getCompletionRef !== undefined);
		this.panel.post({ type: 'form', form, strings: formStrings(), value });
	}

	private createHead(): PageHead {
		const { server, entry, kind } = this;
		const { title, facts, ...more } = kind.describeHead(server, entry, this);
		const name = kind.getName(entry);
		const isRunning = server.state.kind === 'running';
		const startText = t('Start the server to show the arguments. What you entered is kept.');
		const notice = this.isListed ? more.notice : isRunning ? '' : startText;
		const isGone = isRunning && server.catalog?.[kind.list].kind === 'loaded' && !kind.find(server, name);
		return {
			server: server.definition.id,
			name,
			title,
			facts,
			state: describeServer(server),
			isRunning,
			canStart: isStartOffered(server.state),
			description: webviewText(entry.description ?? '', maxDescription),
			hints: [],
			noticeAction: 'none',
			isForModels: undefined,
			hasLastArguments: false,
			inputSchema: '',
			outputSchema: '',
			...more,
			notice: isGone ? kind.goneText : (notice ?? ''),
		};
	}

	private async take(message: Exclude<FromView, { type: 'ready' }>): Promise<void> {
		switch (message.type) {
			case 'formChanged': {
				this.lastChange = message;
				if (isObject(message.value)) {
					this.draft = message.value;
					this.sendPreview();
					await this.check(message.value, false);
				}
				break;
			}
			case 'complete':
				this.complete(message);
				break;
			case 'run':
				await this.run(message.value, message.isAnyway);
				break;
			case 'press':
				await this.press(message.action);
				break;
			case 'result':
				await this.result.take(message.message);
				break;
			case 'messages':
				await this.messages.value?.take(message.message);
				break;
			case 'useRun': {
				const run = this.allRuns.find(it => it.id === message.id);
				if (run && message.use === 'show') {
					this.showResult(run);
				} else if (run && message.use === 'useArguments') {
					this.useArguments(run.args);
				} else if (run) {
					await this.compare(run);
				}
				break;
			}
		}
	}

	private sendPreview(): void {
		const { kind, entry, draft = {} } = this;
		if (kind.getPreview) {
			this.panel.post({ type: 'preview', text: webviewText(kind.getPreview(entry, draft), maxUri) });
		}
	}

	/** Requests completions from the server once the person stops typing. The next key cancels the request. */
	private complete({ argument, text, value }: Extract<FormFromView, { type: 'complete' }>): void {
		const { server, kind, entry } = this;
		if (!kind.getCompletionRef) {
			return;
		}
		const { [argument]: _, ...values } = toTexts(value);
		const subject = { server, ref: kind.getCompletionRef(entry), argument, values };
		const serverLabel = this.deps.registry.label(server);
		this.typing.value = new Typing(this.deps.completions, subject, ({ completion, isLoading }) => {
			if (!isLoading) {
				const options = completion.kind === 'values' ? completion.values : [];
				this.panel.post({
					type: 'completions',
					argument,
					options: options.map(it => ({ title: webviewText(it, 200), value: it })),
					note: describeCompletion(completion, serverLabel),
				});
			}
		});
		this.typing.value.type(text);
	}

	/** Whether the arguments are valid. The form shows their problems. @param isAttempt whether the person wants to run with them */
	private async check(value: JsonObject, isAttempt: boolean): Promise<boolean> {
		const { kind, entry } = this;
		const { revision, variants } = this.lastChange;
		const problems =
			kind.check?.(entry, value) ?? (await findProblems(this.deps.validator, kind.getSchema(entry), value, variants));
		this.panel.post({ type: 'formProblems', revision, problems, isAttempt });
		return problems.length === 0;
	}

	private async press(action: Action): Promise<void> {
		const { server, kind, entry } = this;
		switch (action) {
			case 'cancel':
				this.runs.forEach(it => it.end ?? it.controller?.abort());
				break;
			case 'start':
				await vscode.commands.executeCommand(Commands.startServer, new ServerNode(server));
				break;
			case 'copyAs':
				await this.copyAs(this.draft ?? {});
				break;
			default:
				await kind.actions?.[action]?.(server, entry, this);
		}
	}

	private async copyAs(args: JsonObject): Promise<void> {
		const { kind, entry } = this;
		const request = { jsonrpc: '2.0', id: 1, ...kind.createRequest(entry, args) };
		const formats: readonly CopyFormat[] = [
			{ label: t('Arguments'), description: t('JSON'), text: () => jsonText(args, 2) },
			{ label: t('JSON-RPC request'), text: () => jsonText(request, 2) },
			...(kind.getCopyFormats?.(this.server, entry, args) ?? []),
		];
		const chosen = await chooseLine(formats, t('Select a format'));
		if (chosen) {
			await copyText(chosen.text());
			this.panel.post({ type: 'announce', text: t('Copied') });
		}
	}

	/** Newest first. */
	private get allRuns(): readonly Run[] {
		const ids = new Set(this.runs.map(it => it.id));
		const earlier = this.kind.getEarlierRuns?.(this.server, this.entry) ?? [];
		return [...this.runs, ...earlier.filter(it => !ids.has(it.id))].slice(0, maxRuns);
	}

	/** Compares the results of a run and of the run that is shown. The older one is on the left. */
	private async compare(run: Run): Promise<void> {
		const pair = this.allRuns.filter(it => it.id === run.id || it.id === this.shownRun).toReversed();
		const [before = '', after = ''] = pair.map(({ end: call }) =>
			call?.end.kind === 'answered' ? `${resultJson(call.end.result, call, call.end.text)}\n` : '',
		);
		const times = pair.map(it => describeTime(it.startedAt)).join(' ↔ ');
		await this.deps.documents.showDiff(titleText(toolName(this.kind.getTabName(this.entry), 60), times), before, after);
	}

	private showResult({ id, end }: Run): void {
		if (end) {
			this.shownRun = id;
			this.sendRows();
			this.result.show(this.deps.registry.label(this.server), end);
			this.showMessages(id);
			this.panel.post({ type: 'select', tab: 'result' });
		}
	}

	/** Runs the entry. If the arguments aren't valid, the page says why and offers to run anyway. */
	private async run(args: JsonObject, isAnyway: boolean): Promise<void> {
		const { kind } = this;
		this.showError('');
		const run = this.addRun(args, clock.now());
		const { signal } = run.controller;
		try {
			await raceAbort(this.server.use(true), signal);
			await raceAbort(Promise.resolve(this.server.catalog?.whenLoaded(kind.list)), signal);
			this.refresh();
			const { server, entry } = this;
			if (!isAnyway && !(await this.check(args, true))) {
				this.panel.post({ type: 'invalid' });
				return;
			}
			signal.throwIfAborted();
			this.showMessages(run.id);
			await kind.run(server, entry, args, {
				id: run.id,
				signal,
				onProgress: text => this.sendRunning(text),
				onOutcome: call => {
					run.end = call;
					this.showResult(run);
				},
			});
		} catch (error) {
			if (!isAbort(error)) {
				this.showError(webviewText(describeError(error), 1000));
			}
		} finally {
			// A run that ended before its request was sent has no outcome.
			this.runs = this.runs.filter(it => it !== run || it.end);
			this.sendRunning('');
			this.refresh();
		}
	}

	/** Lists the messages of a call. */
	private showMessages(callId: string): void {
		const { registry, messages } = this.deps;
		this.messages.value = new MessagesHost({
			log: messages,
			belongs: exchange => exchange.first.call.callId === callId,
			registry,
			actions: [],
			post: message => this.panel.post({ type: 'messages', message }),
			press: () => undefined,
			resend: ({ first }) => this.resend(first.text),
		});
		this.messages.value.begin();
	}

	/** Fills the form with the arguments of a call. Other requests are edited on the page Messages. */
	private async resend(text: string): Promise<void> {
		const request: unknown = parseJson(text);
		const { method, params } = isObject(request) ? request : {};
		const args = isObject(params) ? params['arguments'] : undefined;
		if (method === 'tools/call' || method === 'prompts/get') {
			this.useArguments(isObject(args) ? args : {});
		} else {
			await vscode.commands.executeCommand(Commands.showMessages, new ServerNode(this.server));
		}
	}

	private addRun(args: JsonObject, startedAt: number, end?: CallOutcome, id: string = crypto.randomUUID()) {
		const run = { id, startedAt, args, controller: new AbortController(), end };
		this.runs = [run, ...this.runs].slice(0, maxRuns);
		this.sendRunning('');
		this.sendRows();
		return run;
	}

	private sendRows(): void {
		const runs = this.allRuns.map(it => this.rowOf(it));
		if (this.isNews('runs', runs)) {
			this.panel.post({ type: 'runs', runs });
		}
	}

	private rowOf({ id, startedAt, args, isCut, caller, end }: Run): RunRow {
		const state = end ? outcomeOf(end.end) : 'running';
		const isShown = id === this.shownRun;
		const facts = [end ? describeFacts(end) : t('Running'), ...(caller ? [caller] : [])].join(' · ');
		const shown = webviewText(jsonText(redactedArguments(this.kind.getSchema(this.entry), args)), 200);
		const isOther = this.shownRun !== undefined && !isShown && end?.end.kind === 'answered';
		const can = { show: end, useArguments: !isCut && this.isListed, compare: isOther };
		const time = describeTime(startedAt);
		return { id, state, time, facts, isShown, arguments: shown, uses: runUses.filter(it => can[it]) };
	}

	/** @param text the progress of the newest run @param idle the text if nothing runs */
	private sendRunning(text: string, idle = ''): void {
		const count = this.runs.filter(it => !it.end).length;
		this.panel.post({ type: 'running', count, text: count === 0 ? idle : text });
	}
}

/** Whether the form has anything to enter. */
function takesArguments(schema: JsonObject): boolean {
	const { root, nodes } = formModel(schema);
	const node = nodes[root];
	return node?.kind !== 'object' || node.members.length > 0 || node.additional !== undefined;
}

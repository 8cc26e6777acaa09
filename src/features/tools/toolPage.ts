/**
 * The page of one tool of a server: its form, Run and the results. The page follows its server through restarts and changes
 * of the tool's schema, and keeps what was entered.
 */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { raceAbort } from '../../base/async.js';
import { isAbort } from '../../base/errors.js';
import { parseJson } from '../../base/parseJson.js';
import { type Disposable, MutableDisposable, Owner } from '../../base/lifecycle.js';
import type { CallOutcome } from '../../core/calls/calls.js';
import { isForModels, isHiddenFromModels, isToolDisabled } from '../../core/calls/toolAccess.js';
import { settingPlaces } from '../../core/config/serverOptions.js';
import { redactedArguments } from '../../core/text/callArguments.js';
import { toolNamed } from '../../core/servers/catalog.js';
import type { MessageRing } from '../../core/messages/messageRing.js';
import { asCallOrigin } from '../../core/messages/wireRecord.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isStartOffered } from '../../core/servers/serverState.js';
import { reportErrors } from '../../editor/commands.js';
import { Commands, toolViewType } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import { describeHints } from '../../editor/l10n/approvalWords.js';
import { describeError, describeTokens } from '../../editor/l10n/messages.js';
import type { ToolTokens } from '../../editor/languageModels/toolTokens.js';
import { describeServer } from '../../editor/l10n/stateWords.js';
import { describeTime } from '../../editor/l10n/timeText.js';
import { MessagesHost } from '../../editor/pages/messagesHost.js';
import { PagePanel, type PageTab } from '../../editor/pages/pagePanel.js';
import { ResultHost } from '../../editor/pages/resultHost.js';
import { describeFacts, outcomeOf } from '../../editor/pages/resultPage.js';
import type { LeafNode } from '../../editor/tree/treeNodes.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import { jsonText, titleText, webviewText } from '../../editor/ui/plainText.js';
import { offerUndo } from '../../editor/ui/offerUndo.js';
import { toolName, toolTitle } from '../../editor/ui/shownNames.js';
import { choicePlaces, editToolLists, usualScope } from '../../editor/workspace/serverOptions.js';
import {
	canonicalJson,
	formModel,
	isObject,
	type JsonObject,
	type SchemaValidator,
	type Tool,
} from '../../mcp/index.js';
import type { FormFromView } from '../../webviews/page/form/protocol.js';
import {
	type Action,
	type FromView,
	readFromView,
	type RunRow,
	type Strings,
	type ToolHead,
	type ToView,
} from '../../webviews/page/tool/protocol.js';
import { copyCall } from './copyCall.js';
import { enableTool } from './enableTool.js';
import { formStrings, problemsOf, shownForm } from './formView.js';
import type { LastArguments } from './lastArguments.js';

const { t } = vscode.l10n;

/** Most runs that a page lists. Their results are kept in memory. */
const maxRuns = 20;
const maxDescription = 5000;
const maxSchema = 200_000;

/** Runs a tool with the arguments of its page. Progress and outcome go to the page. */
export interface PageRun {
	/** The id of the call. */
	readonly id: string;
	readonly signal: AbortSignal;
	readonly onProgress: (text: string) => void;
	readonly onOutcome: (call: CallOutcome) => void;
}

export interface ToolPageDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly validator: SchemaValidator;
	readonly last: LastArguments;
	readonly changed: { has(server: Server, tool: Tool): boolean };
	readonly toolTokens: Pick<ToolTokens, 'of' | 'onDidCount'>;
	readonly messages: MessageRing;
	readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
	/** @throws Error with a message for the person; AbortError if they cancelled before the call was sent */
	readonly run: (server: Server, tool: Tool, args: JsonObject, place: PageRun) => Promise<void>;
}

interface Run {
	readonly id: string;
	readonly startedAt: number;
	readonly args: JsonObject;
	/** The beginning of the arguments, without secrets. */
	readonly shown: string;
	readonly controller: AbortController;
	end: CallOutcome | undefined;
}

/** The schema of the tool of a restored page, until its server runs and lists the tool. */
export const unknownSchema: JsonObject = {};

export class ToolPage extends Owner implements Disposable {
	/** The row of the tool, for the command that shows what has changed. */
	node: LeafNode | undefined;
	readonly onDidClose: PagePanel<FromView, ToView>['onDidClose'];
	private readonly panel: PagePanel<FromView, ToView>;
	private readonly result: ResultHost;
	private readonly messages = this.own(new MutableDisposable<MessagesHost>());
	/** What is in the form, if it was changed. */
	private draft: JsonObject | undefined;
	/** Newest first. */
	private runs: Run[] = [];
	/** The last value that the form sent. */
	private checked: Omit<FormFromView, 'type'> = { revision: 0, value: {}, variants: {} };
	/** What the view does as soon as it is ready. */
	private wanted: 'focusForm' | 'run' | undefined;
	private sentHead = '';
	private sentSchema = '';

	constructor(
		private readonly deps: ToolPageDeps,
		private readonly first: Server,
		private tool: Tool,
		place: PageTab['place'] | vscode.WebviewPanel,
	) {
		super();
		const title = titleText(toolName(tool.name, 40), deps.registry.label(first));
		this.panel = this.own(
			new PagePanel<FromView, ToView>(
				deps.context.extensionUri,
				'tool',
				// Keeps the form and the result as they are while another tab is in front.
				'webview' in place ? place : { viewType: toolViewType, title, place, retains: true },
				{ read: readFromView, onReady: () => this.send(), onMessage: it => this.take(it) },
			),
		);
		this.onDidClose = this.panel.onDidClose;
		this.onDidClose(() => this.runs.forEach(it => it.end ?? it.controller.abort()));
		this.result = new ResultHost(deps.documents, 'inToolPage', message => this.panel.post({ type: 'result', message }));
	}

	reveal(isToRun: boolean): void {
		this.panel.reveal(false);
		this.want(isToRun && !takesArguments(this.tool) ? 'run' : 'focusForm');
	}

	/** Shows the outcome of a call that wasn't made from here. */
	showOutcome(call: CallOutcome): void {
		this.panel.revealQuietly();
		this.addRun(call.arguments, clock.now() - call.durationMs, call);
		this.showResult(call);
	}

	/** Takes the arguments of an earlier call into the form. */
	useArguments(args: JsonObject): void {
		this.draft = args;
		this.sendForm(args);
		this.want('focusForm');
	}

	/** Sends what has changed. */
	refresh(): void {
		const { server } = this;
		this.tool = toolNamed(server, this.tool.name) ?? this.tool;
		const head = this.head();
		const text = JSON.stringify(head);
		if (text !== this.sentHead) {
			this.sentHead = text;
			this.panel.post({ type: 'head', head, strings: pageStrings() });
		}
		const schema = canonicalJson(this.tool.inputSchema);
		if (schema !== this.sentSchema) {
			const isNew = this.sentSchema === '';
			this.sentSchema = schema;
			this.sendForm(isNew ? this.draft : undefined);
		}
	}

	private get server(): Server {
		return this.deps.registry.current(this.first) ?? this.first;
	}

	/** Sends everything to a view that is empty. */
	private send(): void {
		this.sentHead = '';
		this.sentSchema = '';
		this.refresh();
		this.result.send();
		this.messages.value?.begin();
		this.sendRuns();
		this.want(this.wanted);
	}

	private want(wanted: 'focusForm' | 'run' | undefined): void {
		this.wanted = wanted;
		if (wanted && this.panel.isReady) {
			this.wanted = undefined;
			this.panel.post({ type: wanted });
		}
	}

	/** @param value in place of what is in the form */
	private sendForm(value: JsonObject | undefined): void {
		const form = shownForm(formModel(this.tool.inputSchema));
		this.panel.post({ type: 'form', form, strings: formStrings(), value });
	}

	private head(): ToolHead {
		const { server, tool } = this;
		const { registry, last, changed, toolTokens } = this.deps;
		const [title, ...names] = toolTitle(tool);
		const isDisabled = isToolDisabled(server, tool);
		const isKnown = server.state.kind !== 'running' || toolNamed(server, tool.name) !== undefined;
		const isChanged = changed.has(server, tool);
		const isListed = tool.inputSchema !== unknownSchema;
		return {
			server: server.definition.id,
			tool: tool.name,
			title,
			facts: [...names, registry.label(server), ...(isListed ? [describeTokens(toolTokens.of(tool))] : [])],
			state: describeServer(server),
			isRunning: server.state.kind === 'running',
			canStart: isStartOffered(server.state),
			description: webviewText(tool.description ?? '', maxDescription),
			hints: describeHints(tool.annotations),
			notice: !isKnown
				? t('The server no longer offers this tool.')
				: isDisabled
					? t('The tool is disabled.')
					: isChanged
						? t('The definition of the tool has changed since it was approved.')
						: '',
			noticeAction: isDisabled ? 'enable' : isChanged && this.node ? 'review' : 'none',
			isForModels: isDisabled ? undefined : isForModels(server, tool),
			hasLastArguments: last.get(server, tool) !== undefined,
			inputSchema: isListed ? webviewText(jsonText(tool.inputSchema, 2), maxSchema) : '',
			outputSchema: tool.outputSchema ? webviewText(jsonText(tool.outputSchema, 2), maxSchema) : '',
		};
	}

	private async take(said: Exclude<FromView, { type: 'ready' }>): Promise<void> {
		switch (said.type) {
			case 'formChanged': {
				this.checked = said;
				if (isObject(said.value)) {
					this.draft = said.value;
					await this.check(said.value, false);
				}
				break;
			}
			case 'run':
				await this.run(said.value, said.isAnyway);
				break;
			case 'press':
				await this.press(said.action);
				break;
			case 'result':
				if (said.message.type !== 'ready') {
					await this.result.take(said.message);
				}
				break;
			case 'messages':
				await this.messages.value?.take(said.message);
				break;
			case 'showRun': {
				const { end } = this.runs.find(it => it.id === said.id) ?? {};
				if (end) {
					this.showResult(end);
				}
				break;
			}
			case 'useRun': {
				const run = this.runs.find(it => it.id === said.id);
				if (run) {
					this.useArguments(run.args);
				}
				break;
			}
		}
	}

	/** Whether the arguments are valid. The form shows why they aren't. @param isAttempt whether they were to be used */
	private async check(value: JsonObject, isAttempt: boolean): Promise<boolean> {
		const { revision, variants } = this.checked;
		const problems = await problemsOf(this.deps.validator, this.tool.inputSchema, value, variants);
		this.panel.post({ type: 'formProblems', revision, problems, isAttempt });
		return problems.length === 0;
	}

	private async press(action: Action): Promise<void> {
		const { server, tool } = this;
		switch (action) {
			case 'cancel':
				this.runs.forEach(it => it.end ?? it.controller.abort());
				break;
			case 'lastArguments': {
				const args = this.deps.last.get(server, tool);
				if (args) {
					this.useArguments(args);
				}
				break;
			}
			case 'review':
				await vscode.commands.executeCommand(Commands.reviewTool, this.node);
				break;
			case 'enable':
				await enableTool(server, tool.name, true);
				this.panel.post({ type: 'error', text: '' });
				break;
			case 'start':
				await vscode.commands.executeCommand(Commands.startServer, new ServerNode(server));
				break;
			case 'toggleModels': {
				const { definition } = server;
				const [name, isOff] = [toolName(tool.name), isHiddenFromModels(server, tool)];
				const written = await (isOff
					? editToolLists(definition, 'hiddenFromModels', settingPlaces, { remove: [tool.name] })
					: editToolLists(definition, 'hiddenFromModels', choicePlaces[usualScope()], { add: [tool.name] }));
				const messageOf = (file: string): string =>
					isOff
						? t('{0} is on for models. Written to {1}.', name, file)
						: t('{0} is off for models. Written to {1}.', name, file);
				void reportErrors(() => offerUndo(written, messageOf));
				break;
			}
			case 'copyAs':
				if (await copyCall(tool.name, this.draft ?? {})) {
					this.panel.post({ type: 'said', text: t('Copied') });
				}
				break;
		}
	}

	private showResult(call: CallOutcome): void {
		this.result.show(this.deps.registry.label(this.server), call);
		this.showMessages(call.id ?? '');
		this.panel.post({ type: 'select', tab: 'result' });
	}

	/** Runs the tool, unless its arguments don't match its schema: then the page says why. */
	private async run(args: JsonObject, isAnyway: boolean): Promise<void> {
		const { deps } = this;
		this.panel.post({ type: 'error', text: '' });
		const run = this.addRun(args, clock.now(), undefined);
		const { signal } = run.controller;
		try {
			await raceAbort(this.server.use(true), signal);
			await raceAbort(Promise.resolve(this.server.catalog?.whenLoaded('tools')), signal);
			this.refresh();
			const { server, tool } = this;
			if (isToolDisabled(server, tool)) {
				throw new Error(t('The tool is disabled.'));
			}
			if (!isAnyway && !(await this.check(args, true))) {
				this.panel.post({ type: 'invalid' });
				return;
			}
			signal.throwIfAborted();
			this.showMessages(run.id);
			await deps.run(server, tool, args, {
				id: run.id,
				signal,
				onProgress: text => this.sendRunning(text),
				onOutcome: call => {
					run.end = call;
					this.showResult(call);
				},
			});
		} catch (error) {
			if (!isAbort(error)) {
				this.panel.post({ type: 'error', text: webviewText(describeError(error), 1000) });
			}
		} finally {
			// A run that wasn't made has no outcome.
			this.runs = this.runs.filter(it => it !== run || it.end);
			this.sendRuns();
			this.refresh();
		}
	}

	/** Lists the messages of a call. */
	private showMessages(callId: string): void {
		const { registry, messages } = this.deps;
		this.messages.value = new MessagesHost({
			log: messages,
			belongs: it => asCallOrigin(it.first.origin).callId === callId,
			registry,
			actions: [],
			post: message => this.panel.post({ type: 'messages', message }),
			press: () => undefined,
			resend: ({ first }) => this.resend(first.text, callId),
		});
		this.messages.value.begin();
	}

	/** Takes the arguments of a call into the form. Other requests are edited on the page of messages. */
	private async resend(text: string, call: string): Promise<void> {
		const request: unknown = parseJson(text);
		const { method, params } = isObject(request) ? request : {};
		const args = isObject(params) ? params['arguments'] : undefined;
		if (method === 'tools/call') {
			this.useArguments(isObject(args) ? args : {});
		} else {
			await vscode.commands.executeCommand(Commands.showMessages, { call });
		}
	}

	private addRun(args: JsonObject, startedAt: number, end: CallOutcome | undefined): Run {
		const shown = webviewText(jsonText(redactedArguments(this.tool.inputSchema, args)), 200);
		const run: Run = { id: crypto.randomUUID(), startedAt, args, shown, controller: new AbortController(), end };
		this.runs = [run, ...this.runs].slice(0, maxRuns);
		this.sendRuns();
		return run;
	}

	private sendRuns(): void {
		this.sendRunning('');
		this.panel.post({ type: 'runs', runs: this.runs.map(rowOf) });
	}

	/** @param text the progress of the newest run */
	private sendRunning(text: string): void {
		const count = this.runs.filter(it => !it.end).length;
		const { end } = this.runs[0] ?? {};
		this.panel.post({ type: 'running', count, text: count === 0 && end ? describeFacts(end) : text });
	}
}

/** Whether there is something to enter. */
function takesArguments({ inputSchema }: Tool): boolean {
	const { root, nodes } = formModel(inputSchema);
	const node = nodes[root];
	return node?.kind !== 'object' || node.members.length > 0 || node.additional !== undefined;
}

function rowOf({ id, startedAt, shown, end }: Run): RunRow {
	const state = end ? outcomeOf(end.end) : 'running';
	const facts = [describeTime(startedAt), end ? describeFacts(end) : t('Running')].join(' · ');
	return { id, state, facts, arguments: shown };
}

/** The page's own texts. */
function pageStrings(): Strings {
	return {
		actions: t('Actions'),
		cancel: t('Cancel'),
		copyAs: t('Copy As…'),
		editAsForm: t('Edit as Form'),
		editAsJson: t('Edit as JSON'),
		enable: t('Enable'),
		forModels: t('On for models'),
		fromServer: t('From the server:'),
		inputSchema: t('Arguments (JSON Schema)'),
		lastArguments: t('Use Last Arguments'),
		messages: t('Messages'),
		noResult: t('Run the tool to see its result here.'),
		noRuns: t('No runs yet. The runs from this page appear here.'),
		outputSchema: t('Structured result (JSON Schema)'),
		result: t('Result'),
		review: t('Review Change'),
		run: t('Run'),
		runAnyway: t('Run Anyway'),
		runs: t('Runs'),
		schema: t('Schema'),
		start: t('Start'),
		tabs: t('Parts of the page'),
		unverified: t('Unverified'),
		useArguments: t('Use Arguments'),
	};
}

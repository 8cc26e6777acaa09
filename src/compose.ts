/** The whole object graph, top to bottom. Runs the same on a desktop, on a remote, and on the web. */
import type * as vscode from 'vscode';
import { Sequencer } from './base/async.js';
import { DisposableStore, type Disposable, type Event } from './base/lifecycle.js';
import type { ExtensionApi } from './api.js';
import type { Logger } from './base/log.js';
import { Api } from './features/api/api.js';
import { Approval } from './features/approvals/approval.js';
import { registerApproval } from './features/approvals/register.js';
import { createPrompt } from './features/auth/prompt.js';
import { registerAuth } from './features/auth/register.js';
import { SignInRequests } from './features/auth/signInRequests.js';
import { registerChat } from './features/chat/register.js';
import { askByRequest } from './features/consent/pendingConsents.js';
import { registerConsent } from './features/consent/register.js';
import { showConsentSheet } from './features/consent/sheet.js';
import { registerData } from './features/clearData/register.js';
import { registerDev } from './features/devMode/register.js';
import { registerEditorHost } from './features/editorRegistration/register.js';
import { registerElicitation } from './features/elicitation/register.js';
import { registerHistory } from './features/history/register.js';
import { registerInputs } from './features/inputs/register.js';
import { registerModels } from './features/languageModelTools/register.js';
import { registerOptions } from './features/options/register.js';
import { registerPrompts } from './features/prompts/register.js';
import { registerPending } from './features/pendingRequests/register.js';
import { registerResources } from './features/resources/register.js';
import { registerResults } from './features/results/register.js';
import { registerRoots } from './features/roots/register.js';
import { registerSampling } from './features/sampling/register.js';
import { registerAdding } from './features/servers/adding.js';
import type { DemoEntry } from './features/servers/configPlaces.js';
import { registerBrowsing } from './features/servers/browsing.js';
import { registerServers } from './features/servers/register.js';
import { registerStatusBar } from './features/servers/statusBar.js';
import { registerTools, type ToolsFeature } from './features/tools/register.js';
import { registerWalkthrough } from './features/walkthrough/register.js';
import { confirmsServers, keepsHistory, limits, pingIntervalMs, requestTimeoutMs } from './editor/workspace/config.js';
import { authConfigFor } from './editor/auth/authConfig.js';
import { AuthStore } from './editor/storage/authStore.js';
import { type LoopbackPages, Pages } from './editor/auth/pages.js';
import { Browsers } from './editor/auth/redirect.js';
import { ArgumentInputs } from './editor/forms/argumentInputs.js';
import { onDidChangeServerOptions, serverOptions } from './editor/workspace/serverOptions.js';
import { SettingsReport } from './editor/workspace/settingsReport.js';
import { WorkspaceConsents } from './editor/storage/consentStore.js';
import { Debugging, type Ports } from './editor/workspace/debugging.js';
import { Documents } from './editor/documents/documents.js';
import { describeError } from './editor/l10n/messages.js';
import { KeptState } from './editor/storage/keptState.js';
import { ServerLogs } from './editor/workspace/log.js';
import { IconStore } from './editor/storage/iconStore.js';
import { ServersView } from './editor/tree/serversView.js';
import { ServersTree } from './editor/tree/tree.js';
import { Inputs } from './editor/workspace/inputs.js';
import { resolveServer, takeSnapshot } from './editor/workspace/launchSnapshots.js';
import { PersonActivity } from './editor/ui/personActivity.js';
import { InputStore, machineName } from './editor/storage/inputStore.js';
import { TextEditing } from './editor/documents/textEditing.js';
import { FolderPresence } from './editor/workspace/folderPresence.js';
import { WorkspaceRoots, workspaceTrust } from './editor/workspace/workspace.js';
import {
	Authorizer,
	type AuthorizerOptions,
	type HttpFetch,
	LazyValidator,
	type LazyValidatorOptions,
	LegacySse,
	StreamableHttp,
	type Transport,
} from './mcp/index.js';
import { Accounts } from './core/servers/accounts.js';
import type { Machine } from './core/diagnosis/doctor.js';
import { AuditLog } from './core/history/auditLog.js';
import type { Call } from './core/calls/calls.js';
import { Bookmarks } from './editor/storage/bookmarks.js';
import { Completions } from './core/search/completions.js';
import { Consents } from './core/launch/consents.js';
import { Elicitations, isElicitation } from './core/requests/elicitations.js';
import type { Environment } from './core/launch/environment.js';
import { Exchanges } from './core/calls/exchanges.js';
import { History } from './core/history/history.js';
import type { LineJournal } from './core/history/journal.js';
import type { ProgramFinder } from './core/launch/launchSnapshot.js';
import type { ClientFiles } from './core/addServer/otherClients.js';
import { IconLoader } from './core/servers/iconLoader.js';
import { PendingRequests } from './core/requests/pendingRequests.js';
import { Questions } from './core/requests/questions.js';
import type { ResolvedProcess } from './core/launch/resolvedServer.js';
import { isSampling, Samplings } from './core/requests/samplings.js';
import { RunningCalls } from './core/calls/runningCalls.js';
import { ServerRegistry } from './core/servers/serverRegistry.js';

/** What every process is started with. */
export interface StdioSettings {
	readonly maxMessageBytes: number;
	readonly onStderr: (line: string) => void;
}

/** What differs between the kinds of extension host. */
export interface Platform {
	readonly environment: Environment;
	/** Of what belongs to no server. */
	readonly log: Logger;
	/** Where programs are; for servers that do not start. */
	readonly machine: Machine & ProgramFinder;
	/** What other clients have configured. */
	readonly clientFiles: ClientFiles;
	/** The server that comes with the extension; undefined where no server can run as a child process. */
	readonly demo: DemoEntry | undefined;
	/** Makes the transport of a server that runs as a child process. */
	readonly stdio: (launch: ResolvedProcess, options: StdioSettings) => Transport;
	/** Where calls are kept, if the workspace has a place for it, and what was decided about them. */
	readonly journals: { readonly history: LineJournal | undefined; readonly audit: LineJournal };
	/** Disposed with everything else. */
	readonly fetch: HttpFetch & Disposable;
	/** Fires when the machine has slept, or is in another network; nothing of before waits in `fetch` by then. */
	readonly onDidWake: Event<void>;
	readonly ports: Ports;
	/** Listens for a browser of this machine; undefined where nothing can listen. */
	readonly loopback: LoopbackPages | undefined;
	/** Loads what signing in takes, which is a bundle of its own. */
	readonly loadAuthorization: AuthorizerOptions['load'];
	/** Loads Ajv, which is a bundle of its own. */
	readonly loadValidator: LazyValidatorOptions['load'];
}

type Manifest = Record<'name' | 'displayName' | 'version', string>;

export interface Composition extends Disposable {
	readonly api: ExtensionApi;
	/** Resolves when the workspace's configuration has been read once. Never rejects. */
	readonly ready: Promise<void>;
	/** Resolves when no server process is left. */
	stopAll(): Promise<void>;
}

export function compose(context: vscode.ExtensionContext, platform: Platform): Composition {
	const owned = new DisposableStore();
	const { environment, machine } = platform;
	owned.add(platform.fetch);
	const { name, displayName, version } = context.extension.packageJSON as Manifest;
	owned.add(new SettingsReport(platform.log));
	const logs = owned.add(new ServerLogs());
	const state = new KeptState(context.workspaceState, platform.log);
	const machineId = machineName(environment);
	const store = new InputStore(context.secrets, {
		workspace: context.workspaceState,
		user: context.globalState,
		machine: machineId,
	});
	const folders = owned.add(new FolderPresence());
	const roots = owned.add(new WorkspaceRoots(folders, it => serverOptions(it).folderChoices, onDidChangeServerOptions));
	const inputs = new Inputs(store, new Sequencer());
	const pending = owned.add(new PendingRequests(Date.now, owned.add(new PersonActivity()).isBusy));
	const documents = owned.add(new Documents());
	const launching = { environment, machine, trust: workspaceTrust, inputs };
	const consents = owned.add(
		new Consents({
			store: new WorkspaceConsents(state),
			isAsked: confirmsServers,
			look: definition => takeSnapshot(definition, launching),
			ask: (question, signal, isByPerson) =>
				askByRequest(pending, question, signal, isByPerson, (...shown) =>
					showConsentSheet(...shown, { documents, roots }),
				),
		}),
	);
	const debugging = owned.add(new Debugging(platform.ports));
	const questions = owned.add(new Questions());
	const elicitations = new Elicitations(questions);
	const samplings = new Samplings(questions);
	const authStore = new AuthStore(context.secrets, new KeptState(context.globalState, platform.log), machineId);
	const requests = new SignInRequests(pending);
	const pages = owned.add(new Pages(platform.loopback));
	const browsers = owned.add(new Browsers(context.extension.id, pages));
	const accounts = owned.add(
		new Accounts(
			({ definition, url, log, presence }) =>
				new Authorizer({
					url,
					log,
					client: { name: displayName, softwareId: context.extension.id, softwareVersion: version },
					fetch: platform.fetch,
					store: authStore.forServer(log.redactor),
					secrecy: log.redactor.ofGiven,
					redirect: browsers.redirectFor(definition.name),
					prompt: createPrompt({ definition, pending, requests, presence }),
					config: () => authConfigFor(definition, url, authStore),
					isInteractive: () => presence() !== 'absent',
					load: platform.loadAuthorization,
				}),
		),
	);
	const registry = owned.add(
		new ServerRegistry({
			clientInfo: { name, title: displayName, version },
			roots,
			questions,
			accounts,
			elicitations,
			samplings,
			trust: workspaceTrust,
			timeoutMs: requestTimeoutMs,
			options: serverOptions,
			pingMs: pingIntervalMs,
			onDidWake: platform.onDidWake,
			createLog: definition => logs.open(definition),
			limits,
			consent: (definition, request) => consents.ensure(definition, request),
			resolve: async (definition, request, snapshot) =>
				debugging.prepare(definition, await resolveServer(definition, request, snapshot, launching)),
			icons: new IconLoader({ fetch: platform.fetch, save: new IconStore(context.globalStorageUri).save }),
			stdio: (launch, { messageBytes: maxMessageBytes }, onStderr) =>
				platform.stdio(launch, { maxMessageBytes, onStderr }),
			http: ({ url, headers }, { messageBytes: maxMessageBytes, redirects: maxRedirects }, log, whose) => {
				// Who has set a header of their own wants nothing else sent.
				const isOurs = URL.canParse(url) && !Object.keys(headers).some(it => it.toLowerCase() === 'authorization');
				const auth = isOurs ? accounts.open({ ...whose, url: new URL(url).href, log }).authorizer : undefined;
				const options = { url, headers, auth, fetch: platform.fetch, log, maxMessageBytes, maxRedirects };
				return { streamable: () => new StreamableHttp(options), legacySse: () => new LegacySse(options) };
			},
		}),
	);
	const tree = owned.add(new ServersTree(registry));
	const view = owned.add(new ServersView(registry, tree, pending));
	const validator = new LazyValidator({ load: platform.loadValidator });
	const servers = owned.add(
		registerServers({
			registry,
			view,
			pending,
			accounts,
			consents,
			documents,
			folders,
			...platform,
		}),
	);
	owned.add(registerAdding({ registry, consents, store, files: platform.clientFiles }));
	owned.add(registerBrowsing({ registry, tree, view, servers }));
	owned.add(registerStatusBar({ registry, pending }));
	const audit = new AuditLog(platform.journals.audit, platform.log);
	const approval: Approval = owned.add(
		new Approval({
			context,
			state,
			registry,
			documents,
			environment,
			roots,
			trust: workspaceTrust,
			audit,
			pending,
			validator,
			edit: (...edited) => tools.editArguments(...edited),
		}),
	);
	const { calls, changed } = approval;
	const running = owned.add(new RunningCalls(calls));
	owned.add(
		registerWalkthrough({
			extensionId: context.extension.id,
			registry,
			onDidCall: calls.onDidCall,
			isViewVisible: () => view.isVisible,
			onDidEndQuestion: questions.onDidEnd,
		}),
	);
	const results = owned.add(registerResults({ registry, documents, extensionUri: context.extensionUri }));
	const tools: ToolsFeature = owned.add(
		registerTools({
			registry,
			tree,
			documents,
			validator,
			calls,
			running,
			pending,
			changed,
			showOutcome: results.show,
			state,
			isSilenceExpected: ({ definition }, sentAt) =>
				questions.explainsSilence(definition, sentAt) || accounts.of(definition)?.state.kind === 'working',
		}),
	);
	const exchanges = owned.add(
		new Exchanges(
			({ definition }, what) => approval.approver.deniesServer(definition, what),
			() => registry.isClosing,
		),
	);
	owned.add(registerApproval({ registry, documents, approval, exchanges }));
	const history = owned.add(
		new History({
			journal: platform.journals.history,
			isKept: keepsHistory,
			describeError,
			log: platform.log,
			redact: (value, server) => registry.redact(value, server),
		}),
	);
	owned.add(calls.onDidCall(it => history.record({ kind: 'call', ...it })));
	owned.add(exchanges.onDidEnd(it => history.record(it)));
	owned.add(
		registerHistory({
			registry,
			history,
			running,
			pending,
			documents,
			runAgain: (server, { tool, arguments: args }, how, caller) => tools.runAgain(server, tool, args, how, caller),
			// Arguments that were cut are not those that were sent: the rule is for the tool then.
			addRule: ({ definition }, { tool, arguments: args, isCut }) =>
				approval.addRule({ definition, tool, arguments: isCut.arguments ? {} : args }),
		}),
	);
	const argumentInputs = new ArgumentInputs(new Completions(), owned.add(new TextEditing()));
	const bookmarks = owned.add(new Bookmarks(state));
	owned.add(
		registerResources({
			registry,
			tree,
			pending,
			roots,
			inputs: argumentInputs,
			bookmarks,
			storage: context.storageUri ?? context.globalStorageUri,
			state,
		}),
	);
	owned.add(registerPrompts({ registry, tree, pending, inputs: argumentInputs, showOutcome: results.show }));
	const asking = { registry, documents, questions, exchanges };
	const elicitation = owned.add(registerElicitation({ ...asking, validator, elicitations, pages }));
	const sampling = owned.add(registerSampling({ ...asking, pending, samplings, state }));
	owned.add(
		registerPending({
			registry,
			tree,
			pending,
			questions,
			ask: async (it, signal) =>
				isSampling(it) ? sampling.ask(it, signal) : isElicitation(it) ? elicitation.ask(it, signal) : undefined,
			decline: it => (isSampling(it) ? samplings.reject(it) : elicitations.answer(it, { action: 'decline' })),
		}),
	);
	owned.add(registerRoots({ registry, tree, roots }));
	owned.add(registerOptions({ registry, roots }));
	owned.add(registerConsent({ registry, consents, pending }));
	owned.add(registerAuth({ registry, accounts, store: authStore, browsers, pending, requests, documents }));
	owned.add(registerDev({ registry, debugging }));
	owned.add(registerInputs({ registry, inputs, store }));
	owned.add(
		registerData({
			registry,
			accounts,
			state,
			history,
			audit,
			inputs: store,
			auth: authStore,
			storage: context,
			documents,
		}),
	);
	const forModels = {
		registry,
		validator,
		look: (call: Call) => calls.look(call),
		callTool: (call: Call, signal: AbortSignal) => tools.callFor(call, { signal }),
		exchanges,
	};
	const { doors } = owned.add(registerModels(forModels));
	owned.add(registerChat({ ...forModels, doors, areInstructionsNew: it => approval.areInstructionsNew(it) }));
	owned.add(
		registerEditorHost({
			registry,
			consents,
			trust: workspaceTrust,
			environment,
			resolve: (definition, request, snapshot) => resolveServer(definition, request, snapshot, launching),
		}),
	);
	const api = owned.add(
		new Api({
			registry,
			exchanges,
			callTool: async ({ caller, ...call }, follower) =>
				(await tools.callFor({ ...call, caller: { kind: 'extension', id: caller } }, follower)).result,
		}),
	);
	return {
		api,
		ready: servers.ready,
		stopAll: () => registry.stopAll(),
		dispose: () => owned.dispose(),
	};
}

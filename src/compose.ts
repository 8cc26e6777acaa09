/** The whole object graph, top to bottom. Runs the same on a desktop, on a remote, and on the web. */
import type * as vscode from 'vscode';
import { Sequencer } from './base/async.js';
import { DisposableStore, type Disposable } from './base/lifecycle.js';
import type { ExtensionApi } from './api.js';
import { Api } from './features/api/api.js';
import { Approval } from './features/approvals/approval.js';
import { registerApproval } from './features/approvals/register.js';
import { registerAuth } from './features/auth/register.js';
import { registerChat } from './features/chat/register.js';
import { registerConsent } from './features/consent/register.js';
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
import { registerServers } from './features/servers/register.js';
import { registerTools, type ToolsFeature } from './features/tools/register.js';
import { registerWalkthrough } from './features/walkthrough/register.js';
import { keepsHistory } from './editor/workspace/config.js';
import { AuthStore } from './editor/storage/authStore.js';
import { Pages } from './editor/auth/pages.js';
import { ArgumentInputs } from './editor/forms/argumentInputs.js';
import { onDidChangeServerOptions, serverOptions } from './editor/workspace/serverOptions.js';
import { SettingsReport } from './editor/workspace/settingsReport.js';
import { Debugging } from './editor/workspace/debugging.js';
import { createAuth } from './features/auth/createAuth.js';
import { createConsents } from './features/consent/createConsents.js';
import { createRegistry } from './editor/workspace/createRegistry.js';
import type { Platform } from './editor/platform.js';
import { Documents } from './editor/documents/documents.js';
import { describeError } from './editor/l10n/messages.js';
import { KeptState } from './editor/storage/keptState.js';
import { ServersView } from './editor/tree/serversView.js';
import { ServersTree } from './editor/tree/tree.js';
import { Inputs } from './editor/workspace/inputs.js';
import { resolveServer } from './editor/workspace/launchSnapshots.js';
import { PersonActivity } from './editor/ui/personActivity.js';
import { InputStore, machineName } from './editor/storage/inputStore.js';
import { TextEditing } from './editor/documents/textEditing.js';
import { FolderPresence } from './editor/workspace/folderPresence.js';
import { WorkspaceRoots, workspaceTrust } from './editor/workspace/workspace.js';
import { LazyValidator } from './mcp/index.js';
import { AuditLog } from './core/history/auditLog.js';
import type { Call } from './core/calls/calls.js';
import { Completions } from './core/search/completions.js';
import { Elicitations } from './core/requests/elicitations.js';
import { Exchanges } from './core/calls/exchanges.js';
import { History } from './core/history/history.js';
import { PendingRequests } from './core/requests/pendingRequests.js';
import { Questions } from './core/requests/questions.js';
import { Samplings } from './core/requests/samplings.js';
import { RunningCalls } from './core/calls/runningCalls.js';

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
	const state = new KeptState(context.workspaceState, platform.log);
	const ofAllWindows = new KeptState(context.globalState, platform.log);
	owned.add(new SettingsReport(platform.log, ofAllWindows));
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
	const consents = owned.add(createConsents({ state, pending, launching, documents, roots }));
	const debugging = owned.add(new Debugging(platform.ports));
	const questions = owned.add(new Questions());
	const elicitations = new Elicitations(questions);
	const samplings = new Samplings(questions);
	const authStore = new AuthStore(context.secrets, ofAllWindows, machineId);
	const pages = owned.add(new Pages(platform.loopback));
	const auth = owned.add(
		createAuth({
			extension: context.extension,
			platform,
			client: { name: displayName, softwareVersion: version },
			store: authStore,
			pending,
			pages,
		}),
	);
	const { accounts } = auth;
	const clientInfo = { name, title: displayName, version };
	const asked = { questions, elicitations, samplings };
	const { registry } = owned.add(
		createRegistry(platform, {
			clientInfo,
			roots,
			accounts,
			...asked,
			storage: context.globalStorageUri,
			consents,
			launching,
			debugging,
		}),
	);
	const tree = owned.add(new ServersTree(registry));
	const view = owned.add(new ServersView(registry, tree, pending));
	const validator = new LazyValidator({ load: platform.loadValidator });
	const servers = owned.add(
		registerServers({ registry, tree, view, pending, accounts, consents, documents, folders, store, platform }),
	);
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
	const editing = owned.add(new TextEditing());
	const argumentInputs = new ArgumentInputs(new Completions(), editing);
	owned.add(
		registerResources({
			registry,
			tree,
			pending,
			roots,
			inputs: argumentInputs,
			storage: context.storageUri ?? context.globalStorageUri,
		}),
	);
	owned.add(registerPrompts({ registry, tree, pending, inputs: argumentInputs, showOutcome: results.show }));
	const asking = { registry, documents, questions, exchanges };
	const elicitation = owned.add(registerElicitation({ ...asking, validator, elicitations, pages }));
	const sampling = owned.add(registerSampling({ ...asking, pending, samplings, state, editing }));
	owned.add(
		registerPending({
			registry,
			tree,
			pending,
			questions,
			answerers: [elicitation, sampling],
		}),
	);
	owned.add(registerRoots({ registry, tree, roots }));
	owned.add(registerOptions({ registry, roots }));
	owned.add(registerConsent({ registry, consents, pending }));
	owned.add(registerAuth({ registry, pending, documents, ...auth }));
	owned.add(registerDev({ registry, debugging }));
	owned.add(registerInputs({ registry, inputs, store }));
	owned.add(
		registerData({
			registry,
			accounts,
			states: [state, ofAllWindows],
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

/** Creates all objects and connects them, from top to bottom. Has no imports of Node, so that it also runs on the web. */
import type * as vscode from 'vscode';
import { clock } from './base/clock.js';
import { Sequencer } from './base/async.js';
import { type Disposable, DisposableStore } from './base/lifecycle.js';
import type { ExtensionApi } from './api.js';
import { Api } from './features/api/api.js';
import { registerApproval } from './features/approvals/register.js';
import { registerAuth } from './features/auth/commands.js';
import { createConsents, registerConsent } from './features/consent/createConsents.js';
import { registerClearData } from './features/clearData/register.js';
import { registerDevMode } from './features/devMode/register.js';
import { registerDocumentation } from './features/documentation/pages.js';
import { registerElicitation } from './features/elicitation/register.js';
import { createHistory, registerHistory } from './features/history/register.js';
import { registerInputs } from './features/inputs/register.js';
import { registerLanguageModelTools } from './features/languageModelTools/register.js';
import { registerMessages } from './features/messages/register.js';
import { registerOptions } from './features/options/register.js';
import { registerPages } from './features/pages/pages.js';
import { registerPrompts } from './features/prompts/register.js';
import { registerPendingRequests } from './features/pendingRequests/register.js';
import { registerResources } from './features/resources/register.js';
import { registerRoots } from './features/roots/register.js';
import { registerSampling } from './features/sampling/register.js';
import { registerServers } from './features/servers/register.js';
import { registerTools } from './features/tools/register.js';
import { ArgumentsInput } from './features/tools/argumentsInput.js';
import { registerWalkthrough } from './features/walkthrough/register.js';
import { AuthStore } from './editor/storage/authStore.js';
import { ArgumentInputs } from './editor/forms/argumentInputs.js';
import { createAuth } from './features/auth/createAuth.js';
import { createRegistry } from './editor/workspace/createRegistry.js';
import type { Platform } from './editor/platform.js';
import { ServerActions } from './editor/ui/serverActions.js';
import { Documents } from './editor/documents/documents.js';
import { ToolTokens } from './editor/languageModels/toolTokens.js';
import { EditorState } from './editor/storage/editorState.js';
import { ServersView } from './editor/tree/serversView.js';
import { ServersTree } from './editor/tree/tree.js';
import { Inputs } from './editor/workspace/inputs.js';
import { Permissions } from './editor/permissions.js';
import { PersonActivity } from './editor/ui/personActivity.js';
import { InputStore, machineName } from './editor/storage/inputStore.js';
import { TextEditing } from './editor/documents/textEditing.js';
import { WorkspaceRoots, workspaceTrust } from './editor/workspace/workspace.js';
import { DeadlineValidator, type JsonObject } from './mcp/index.js';
import type { Call } from './core/calls/calls.js';
import type { ServerDefinition } from './core/config/serverDefinition.js';
import { MessageRing } from './core/messages/messageRing.js';
import { Completions } from './core/search/completions.js';
import { Elicitations } from './core/requests/elicitations.js';
import { PendingRequests } from './core/requests/pendingRequests.js';
import { Questions } from './core/requests/questions.js';
import { Samplings } from './core/requests/samplings.js';

type Manifest = Record<'name' | 'version', string>;

export interface Composition extends Disposable {
	readonly api: ExtensionApi;
	/** Resolves when the workspace's configuration has been read once. Never rejects. */
	readonly ready: Promise<void>;
	/** Resolves when no server process is left. */
	stopAll(): Promise<void>;
}

/** Creates the objects that features share. None of them starts a server. */
function createShared(owned: DisposableStore, context: vscode.ExtensionContext, platform: Platform) {
	const { environment, machine, log } = platform;
	owned.add(platform.fetch);
	const { name, version } = context.extension.packageJSON as Manifest;
	const clientInfo = { name, title: 'MCP Workbench', version };
	const state = new EditorState(context.workspaceState);
	const userState = new EditorState(context.globalState);
	const machineId = machineName(environment);
	const states = { state, userState, machineId };
	const mementos = { workspace: context.workspaceState, user: context.globalState, machine: machineId };
	const inputStore = new InputStore(context.secrets, mementos);
	const authStore = new AuthStore(context.secrets, userState, machineId);
	const label = (definition: ServerDefinition): string => registry.labelOf(definition);
	const inputs = new Inputs(inputStore, new Sequencer(), label);
	const roots = owned.add(new WorkspaceRoots());
	const pending = owned.add(new PendingRequests(() => clock.now(), owned.add(new PersonActivity()).isBusy));
	const documents = owned.add(new Documents());
	const editing = owned.add(new TextEditing());
	const completions = new Completions();
	const launching = { environment, machine, trust: workspaceTrust, inputs };
	const { showPage } = owned.add(registerPages({ context }));
	const consents = createConsents({ ...states, demo: platform.demo, pending, launching, showPage, roots, label });
	const questions = owned.add(new Questions());
	const asked = { questions, elicitations: new Elicitations(questions), samplings: new Samplings(questions) };
	const auth = owned.add(createAuth({ context, platform, clientInfo, authStore, pending, label }));
	const { accounts, browser } = auth;
	const messages = owned.add(new MessageRing());
	const ofServers = { context, platform, clientInfo, roots, accounts, ...asked, consents, launching, messages };
	const { registry, debugging } = owned.add(createRegistry(ofServers));
	const tree = owned.add(new ServersTree(registry));
	return {
		...ofServers,
		...launching,
		argumentInputs: new ArgumentInputs(completions, editing),
		auth,
		authStore,
		browser,
		completions,
		debugging,
		documents,
		editing,
		inputStore,
		log,
		userState,
		pending,
		permissions: new Permissions(),
		registry,
		serverActions: new ServerActions(),
		showPage,
		state,
		toolTokens: owned.add(new ToolTokens(registry, context.languageModelAccessInformation)),
		tree,
		validator: owned.add(new DeadlineValidator(platform.startValidator)),
		view: owned.add(new ServersView(registry, tree, pending)),
	};
}

/** Creates and registers everything. The caller disposes the composition, after `stopAll`. */
export function compose(context: vscode.ExtensionContext, platform: Platform): Composition {
	const owned = new DisposableStore();
	const shared = createShared(owned, context, platform);
	const { registry, auth } = shared;
	const servers = owned.add(registerServers(shared));
	const argumentsInput = new ArgumentsInput(shared.documents);
	const approval = owned.add(registerApproval({ ...shared, edit: (...call) => argumentsInput.edit(...call) }));
	const { calls, changed, interactions, running } = approval;
	const history = owned.add(createHistory(registry, platform.historyJournal));
	const withCalls = { ...shared, calls, changed, history, interactions, running };
	const tools = owned.add(registerTools(withCalls));
	const { runAgain, editCall } = tools;
	const addRule: typeof approval.addRule = it => approval.addRule(it);
	const again = { runAgain, editCall, addRule };
	owned.add(registerHistory({ ...withCalls, ...again }));
	owned.add(registerResources({ ...withCalls, windowStorage: context.storageUri ?? context.globalStorageUri }));
	owned.add(registerPrompts(withCalls));
	const answerers = [owned.add(registerElicitation(withCalls)), owned.add(registerSampling(withCalls))];
	owned.add(registerPendingRequests({ ...shared, answerers }));
	const sendCall = (call: Call, others: JsonObject) => tools.callFor(call, { others, promptsOnTimeout: true });
	owned.add(registerMessages({ ...withCalls, callTool: sendCall }));
	owned.add(registerRoots(shared));
	owned.add(registerOptions(shared));
	owned.add(registerConsent(shared));
	owned.add(registerAuth({ ...shared, ...auth }));
	owned.add(registerDevMode(shared));
	owned.add(registerInputs(shared));
	owned.add(registerClearData({ ...shared, history }));
	owned.add(registerDocumentation(shared));
	owned.add(registerWalkthrough(withCalls));
	const callTool = (call: Call, signal: AbortSignal) => tools.callFor(call, { signal });
	owned.add(registerLanguageModelTools({ ...withCalls, evaluate: it => calls.evaluate(it), callTool }));
	return {
		api: owned.add(new Api({ registry, tools })),
		ready: servers.ready,
		stopAll: () => registry.stopAll(),
		dispose: () => owned.dispose(),
	};
}

/** All ids that are also in package.json. `test/unit/manifest.test.ts` compares the two. */

export const Commands = {
	startServer: 'mcpWorkbench.server.start',
	stopServer: 'mcpWorkbench.server.stop',
	restartServer: 'mcpWorkbench.server.restart',
	showServerLog: 'mcpWorkbench.server.showLog',
	explainServer: 'mcpWorkbench.server.explain',
	addServer: 'mcpWorkbench.server.add',
	removeServer: 'mcpWorkbench.server.remove',
	importServers: 'mcpWorkbench.servers.import',
	tryDemo: 'mcpWorkbench.demo.try',
	removeDemo: 'mcpWorkbench.demo.remove',
	openWalkthrough: 'mcpWorkbench.walkthrough.open',
	openDocumentation: 'mcpWorkbench.docs.open',
	openConfiguration: 'mcpWorkbench.configuration.open',
	copyPage: 'mcpWorkbench.page.copy',
	showServers: 'mcpWorkbench.servers.show',
	refreshServers: 'mcpWorkbench.servers.refresh',
	filter: 'mcpWorkbench.servers.filter',
	clearFilter: 'mcpWorkbench.servers.clearFilter',
	showMore: 'mcpWorkbench.servers.showMore',
	manageTrust: 'mcpWorkbench.workspace.trust',
	editInputs: 'mcpWorkbench.inputs.edit',
	forgetInputs: 'mcpWorkbench.inputs.forget',
	forgetConsents: 'mcpWorkbench.consents.forget',
	serverOptions: 'mcpWorkbench.server.options',
	signIn: 'mcpWorkbench.account.signIn',
	signOut: 'mcpWorkbench.account.signOut',
	showAccount: 'mcpWorkbench.account.show',
	showSignInReport: 'mcpWorkbench.account.report',
	setClient: 'mcpWorkbench.account.setClient',
	forgetRegistration: 'mcpWorkbench.account.forgetRegistration',
	pasteAddress: 'mcpWorkbench.account.pasteAddress',
	runTool: 'mcpWorkbench.tool.run',
	showTool: 'mcpWorkbench.tool.show',
	enableTool: 'mcpWorkbench.tool.enable',
	disableTool: 'mcpWorkbench.tool.disable',
	runArguments: 'mcpWorkbench.arguments.run',
	argumentsToForm: 'mcpWorkbench.arguments.toForm',
	explainTool: 'mcpWorkbench.tool.explain',
	reviewTool: 'mcpWorkbench.tool.review',
	hideFromModels: 'mcpWorkbench.tool.hideFromModels',
	showToModels: 'mcpWorkbench.tool.showToModels',
	toolsForModels: 'mcpWorkbench.models.tools',
	manageApprovals: 'mcpWorkbench.approvals.manage',
	openPolicy: 'mcpWorkbench.policy.open',
	lockTools: 'mcpWorkbench.tools.lock',
	exportAudit: 'mcpWorkbench.audit.export',
	openResource: 'mcpWorkbench.resource.open',
	answerQuestion: 'mcpWorkbench.question.answer',
	declineQuestion: 'mcpWorkbench.question.decline',
	manageSampling: 'mcpWorkbench.sampling.manage',
	muteServer: 'mcpWorkbench.server.mute',
	unmuteServer: 'mcpWorkbench.server.unmute',
	runPrompt: 'mcpWorkbench.prompt.run',
	useText: 'mcpWorkbench.text.use',
	goToResource: 'mcpWorkbench.resource.goTo',
	refreshResource: 'mcpWorkbench.resource.refresh',
	compareResource: 'mcpWorkbench.resource.compare',
	copyResource: 'mcpWorkbench.resource.copy',
	copyResourceUri: 'mcpWorkbench.resource.copyUri',
	insertResource: 'mcpWorkbench.resource.insert',
	saveResource: 'mcpWorkbench.resource.save',
	attachResource: 'mcpWorkbench.resource.attach',
	openTemplate: 'mcpWorkbench.resourceTemplate.open',
	chooseRoots: 'mcpWorkbench.roots.choose',
	cancelCall: 'mcpWorkbench.history.cancelCall',
	openHistoryEntry: 'mcpWorkbench.history.open',
	runAgain: 'mcpWorkbench.history.runAgain',
	editAndRun: 'mcpWorkbench.history.editAndRun',
	compareResults: 'mcpWorkbench.history.compare',
	showInHistory: 'mcpWorkbench.history.reveal',
	addRule: 'mcpWorkbench.history.addRule',
	copyEntry: 'mcpWorkbench.history.copy',
	copyCall: 'mcpWorkbench.history.copyCall',
	showOlderCalls: 'mcpWorkbench.history.showOlder',
	filterHistory: 'mcpWorkbench.history.filter',
	clearHistoryFilter: 'mcpWorkbench.history.clearFilter',
	clearHistory: 'mcpWorkbench.history.clear',
	clearData: 'mcpWorkbench.data.clear',
} as const;
export type CommandId = (typeof Commands)[keyof typeof Commands];

/** Commands with a button above a view; the menu "view/title" of package.json. */
export const titleCommands: ReadonlySet<CommandId> = new Set([
	Commands.addServer,
	Commands.importServers,
	Commands.tryDemo,
	Commands.removeDemo,
	Commands.openWalkthrough,
	Commands.openDocumentation,
	Commands.openConfiguration,
	Commands.refreshServers,
	Commands.filter,
	Commands.clearFilter,
	Commands.manageTrust,
	Commands.goToResource,
	Commands.openTemplate,
	Commands.filterHistory,
	Commands.clearHistoryFilter,
	Commands.clearHistory,
]);

export const Views = { servers: 'mcpWorkbench.servers', history: 'mcpWorkbench.history' } as const;

/** Ids of walkthroughs, unique within the extension. */
export const Walkthroughs = { firstSteps: 'firstSteps' } as const;

/** Context keys for `when` clauses of package.json. Each is set by one file only. */
export const ContextKeys = {
	hasServers: 'mcpWorkbench.hasServers',
	/** The whole configuration was read, and has no server. */
	hasNoServers: 'mcpWorkbench.hasNoServers',
	/** A server at a URL is configured. */
	hasWebServers: 'mcpWorkbench.hasWebServers',
	hasFailedServers: 'mcpWorkbench.hasFailedServers',
	hasRunningServers: 'mcpWorkbench.hasRunningServers',
	isFiltered: 'mcpWorkbench.isFiltered',
	/** The filter of the tree matches nothing. */
	hasNoHits: 'mcpWorkbench.hasNoHits',
	hasPendingRequests: 'mcpWorkbench.hasPendingRequests',
	hasRunningCalls: 'mcpWorkbench.hasRunningCalls',
	/** The servers view was visible when the walkthrough was opened. */
	hasSeenServers: 'mcpWorkbench.hasSeenServers',
	/** The next four are set when the walkthrough opens, because the editor misses conditions that were already true. */
	hasConfigured: 'mcpWorkbench.hasConfigured',
	hasStarted: 'mcpWorkbench.hasStarted',
	hasRunToolBefore: 'mcpWorkbench.hasRunToolBefore',
	hasAnsweredBefore: 'mcpWorkbench.hasAnsweredBefore',
	/** The person has answered a request of a server in this window. */
	hasAnswered: 'mcpWorkbench.hasAnswered',
	/** A server is muted: its requests are declined automatically. */
	hasMutedServers: 'mcpWorkbench.hasMutedServers',
	/** Files can be attached to a chat of the editor. */
	canAttach: 'mcpWorkbench.canAttach',
	hasRunTool: 'mcpWorkbench.hasRunTool',
	hasHistory: 'mcpWorkbench.hasHistory',
	isHistoryFiltered: 'mcpWorkbench.isHistoryFiltered',
} as const;
export type ContextKey = (typeof ContextKeys)[keyof typeof ContextKeys];

/** Suffix of the context of a server that uses inputs. */
export const asksSuffix = '.asks';

/** Suffix of the context of a server at a URL, after `asksSuffix`. */
export const webSuffix = '.web';

/** Context values of tree items, for menus. */
export const TreeContexts = {
	serverStopped: 'server.stopped',
	serverStarting: 'server.starting',
	serverRunning: 'server.running',
	/** Running, but its sign-in has expired. */
	serverSignedOut: 'server.signedOut',
	serverStopping: 'server.stopping',
	/** Will be restarted after a delay. */
	serverReconnecting: 'server.reconnecting',
	serverFailed: 'server.failed',
	serverUntrusted: 'server.untrusted',
	/** Needs consent or input of the person before it can start. */
	serverWaiting: 'server.waiting',
	serverSignIn: 'server.signIn',
	group: 'group',
	/** Groups entries of a list with the same path. */
	folder: 'folder',
	tool: 'tool',
	toolDisabled: 'tool.disabled',
	/** The definition has changed since it was locked. */
	toolChanged: 'tool.changed',
	toolHidden: 'tool.hidden',
	toolChangedHidden: 'tool.changed.hidden',
	resource: 'resource',
	resourceDirectory: 'resource.directory',
	resourceTemplate: 'resourceTemplate',
	prompt: 'prompt',
	root: 'root',
	/** A request of a server to the person: elicitation or sampling. */
	question: 'question',
	/** Another pending request, such as an approval. */
	request: 'request',
	/** A running call. */
	historyRunning: 'historyRunning',
	/** A call that has ended, or was denied. */
	historyEntry: 'historyEntry',
	/** A call whose arguments weren't kept in full, so that it can't be repeated. */
	historyEntryCut: 'historyEntry.cut',
	/** A read, or a request of a server. It can't be repeated. */
	historyExchange: 'historyExchange',
	/** A row that only informs. */
	note: 'note',
	/** Shows the rest of a long list. */
	more: 'more',
} as const;
export type TreeContext = (typeof TreeContexts)[keyof typeof TreeContexts];

/** Names of the language-model tools. */
export const ModelTools = {
	findTools: 'mcpWorkbench_find_tools',
	callTool: 'mcpWorkbench_call_tool',
	listResources: 'mcpWorkbench_list_resources',
	readResource: 'mcpWorkbench_read_resource',
	readMore: 'mcpWorkbench_read_more',
} as const;
export type ModelToolName = (typeof ModelTools)[keyof typeof ModelTools];

export const Settings = {
	servers: 'mcpWorkbench.servers',
	inputs: 'mcpWorkbench.inputs',
	demoServer: 'mcpWorkbench.demoServer',
	serverOptions: 'mcpWorkbench.serverOptions',
	confirmServers: 'mcpWorkbench.confirmServers',
	policy: 'mcpWorkbench.policy',
	clientMetadataUrl: 'mcpWorkbench.auth.clientMetadataUrl',
	authServers: 'mcpWorkbench.auth.servers',
	usePathOfShell: 'mcpWorkbench.usePathOfShell',
	completeInEditors: 'mcpWorkbench.prompts.completeInEditors',
	keepHistory: 'mcpWorkbench.keepHistory',
	requestTimeout: 'mcpWorkbench.requestTimeout',
	pingInterval: 'mcpWorkbench.pingInterval',
	messageSize: 'mcpWorkbench.limits.messageSize',
} as const;

/** Settings of earlier versions that have no effect any longer. */
export const removedSettings = [
	'mcpWorkbench.sampling.requestsPerOperation',
	'mcpWorkbench.limits.decompressedSize',
	'mcpWorkbench.limits.redirects',
	'mcpWorkbench.limits.pages',
	'mcpWorkbench.limits.entries',
	'mcpWorkbench.limits.requestsInFlight',
	'mcpWorkbench.limits.answersOwed',
	'mcpWorkbench.limits.notificationsPerSecond',
	'mcpWorkbench.limits.stderrLines',
	'mcpWorkbench.registerWithEditor',
] as const;

/** Colors of icons for states. They are visible in all kinds of themes, and themes can change them. */
export const Colors = {
	good: 'mcpWorkbench.goodForeground',
	waiting: 'mcpWorkbench.waitingForeground',
	failed: 'mcpWorkbench.failedForeground',
} as const;

/** The type of the result webview. It isn't in package.json. */
export const resultViewType = 'mcpWorkbench.result';
export const pageViewType = 'mcp-workbench-page';

/** Resources of servers, read-only. */
export const resourceScheme = 'mcp-workbench';
/** Read-only documents of this extension, such as results and details. */
export const documentScheme = 'mcp-workbench-document';
/** Folder of those that are texts. package.json gives files in it a language that wraps long lines. */
export const textFolder = '/MCP Workbench';
/** Documents with arguments of tools as JSON. */
export const argumentsScheme = 'mcp-workbench-arguments';
/** The schemas of these documents. */
export const schemaScheme = 'mcp-workbench-schema';
/** Texts that the person edits, such as arguments, sampling requests and their answers. */
export const textScheme = 'mcp-workbench-text';

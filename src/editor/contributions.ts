/** Every id that package.json and the code must agree on; a test compares both, both ways. */

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
	openConfiguration: 'mcpWorkbench.configuration.open',
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
	openChat: 'mcpWorkbench.chat.open',
	manageApprovals: 'mcpWorkbench.approvals.manage',
	openPolicy: 'mcpWorkbench.policy.open',
	pinTools: 'mcpWorkbench.tools.pin',
	exportAudit: 'mcpWorkbench.audit.export',
	openResource: 'mcpWorkbench.resource.open',
	answerQuestion: 'mcpWorkbench.question.answer',
	manageSampling: 'mcpWorkbench.sampling.manage',
	muteServer: 'mcpWorkbench.server.mute',
	unmuteServer: 'mcpWorkbench.server.unmute',
	runPrompt: 'mcpWorkbench.prompt.run',
	useText: 'mcpWorkbench.text.use',
	goToResource: 'mcpWorkbench.resource.goTo',
	refreshResource: 'mcpWorkbench.resource.refresh',
	watchResource: 'mcpWorkbench.resource.watch',
	unwatchResource: 'mcpWorkbench.resource.unwatch',
	compareResource: 'mcpWorkbench.resource.compare',
	compareWithEarlier: 'mcpWorkbench.resource.compareEarlier',
	copyResource: 'mcpWorkbench.resource.copy',
	copyResourceUri: 'mcpWorkbench.resource.copyUri',
	insertResource: 'mcpWorkbench.resource.insert',
	saveResource: 'mcpWorkbench.resource.save',
	attachResource: 'mcpWorkbench.resource.attach',
	openResourceFile: 'mcpWorkbench.resource.openFile',
	openInBrowser: 'mcpWorkbench.resource.openInBrowser',
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

/** What a new person is shown; unique within the extension. */
export const Walkthroughs = { firstSteps: 'firstSteps' } as const;

/** Set from state by the one file that owns each; package.json reads them in `when`. */
export const ContextKeys = {
	/** Some server is configured. */
	hasServers: 'mcpWorkbench.hasServers',
	/** Everything was read, and configures none. */
	hasNoServers: 'mcpWorkbench.hasNoServers',
	/** Some server is at a URL. */
	hasWebServers: 'mcpWorkbench.hasWebServers',
	/** Some server has failed. */
	hasFailedServers: 'mcpWorkbench.hasFailedServers',
	/** Some server runs. */
	hasRunningServers: 'mcpWorkbench.hasRunningServers',
	/** The tree shows only what a filter leaves. */
	isFiltered: 'mcpWorkbench.isFiltered',
	/** It leaves nothing at all. */
	hasNoHits: 'mcpWorkbench.hasNoHits',
	/** Something waits for the person. */
	hasPendingRequests: 'mcpWorkbench.hasPendingRequests',
	/** Some call is listed as running. */
	hasRunningCalls: 'mcpWorkbench.hasRunningCalls',
	/** The servers view was visible when the walkthrough was opened. */
	hasSeenServers: 'mcpWorkbench.hasSeenServers',
	/** Of the walkthrough alone: set when it opens, because the editor misses what was true before. */
	hasConfigured: 'mcpWorkbench.hasConfigured',
	hasStarted: 'mcpWorkbench.hasStarted',
	hasRunToolBefore: 'mcpWorkbench.hasRunToolBefore',
	hasAnsweredBefore: 'mcpWorkbench.hasAnsweredBefore',
	/** The person has answered a server in this window. */
	hasAnswered: 'mcpWorkbench.hasAnswered',
	/** What some server asks is declined without the person. */
	hasMutedServers: 'mcpWorkbench.hasMutedServers',
	/** The editor has a chat that files can be attached to. */
	canAttach: 'mcpWorkbench.canAttach',
	/** Some tool was run in this window. */
	hasRunTool: 'mcpWorkbench.hasRunTool',
	/** Some call was kept. */
	hasHistory: 'mcpWorkbench.hasHistory',
	/** The history shows only what a filter leaves. */
	isHistoryFiltered: 'mcpWorkbench.isHistoryFiltered',
} as const;
export type ContextKey = (typeof ContextKeys)[keyof typeof ContextKeys];

/** Behind the context of a server's line whose definition uses inputs. */
export const asksSuffix = '.asks';

/** Behind both, of a server at a URL. */
export const webSuffix = '.web';

/** What a tree node is, for menus. */
export const TreeContexts = {
	serverStopped: 'server.stopped',
	serverStarting: 'server.starting',
	serverRunning: 'server.running',
	/** It runs, and its sign-in has ended. */
	serverSignedOut: 'server.signedOut',
	serverStopping: 'server.stopping',
	/** It ended by itself and is started again after a while. */
	serverReconnecting: 'server.reconnecting',
	serverFailed: 'server.failed',
	serverUntrusted: 'server.untrusted',
	/** A person must give something before it can start. */
	serverWaiting: 'server.waiting',
	/** It wants to know who we are. */
	serverSignIn: 'server.signIn',
	group: 'group',
	/** Entries of a list that stand in the same place. */
	folder: 'folder',
	tool: 'tool',
	toolDisabled: 'tool.disabled',
	/** Its definition has changed since it was pinned. */
	toolChanged: 'tool.changed',
	/** No model sees it. */
	toolHidden: 'tool.hidden',
	toolChangedHidden: 'tool.changed.hidden',
	resource: 'resource',
	resourceWatched: 'resource.watched',
	/** It is a file of a folder that the server is told of. */
	resourceFile: 'resource.file',
	resourceFileWatched: 'resource.file.watched',
	/** It has an address on the web. */
	resourceWeb: 'resource.web',
	resourceWebWatched: 'resource.web.watched',
	resourceDirectory: 'resource.directory',
	resourceTemplate: 'resourceTemplate',
	prompt: 'prompt',
	root: 'root',
	/** Something that a server asks a person. */
	question: 'question',
	/** Something else that waits for the person. */
	request: 'request',
	/** A running call. */
	historyRunning: 'historyRunning',
	/** A call that was made, or was not. */
	historyEntry: 'historyEntry',
	/** One whose arguments were too large, or too secret, to be kept whole. */
	historyEntryCut: 'historyEntry.cut',
	/** What was read, or what a server has asked: it cannot be made again. */
	historyExchange: 'historyExchange',
	/** A line that says something, and no more. */
	note: 'note',
	/** Stands for the rest of a long list. */
	more: 'more',
} as const;
export type TreeContext = (typeof TreeContexts)[keyof typeof TreeContexts];

/** What models can call; each is contributed as a language-model tool. */
export const ModelTools = {
	findTools: 'mcpWorkbench_find_tools',
	callTool: 'mcpWorkbench_call_tool',
	listResources: 'mcpWorkbench_list_resources',
	readResource: 'mcpWorkbench_read_resource',
	readMore: 'mcpWorkbench_read_more',
} as const;
export type ModelToolName = (typeof ModelTools)[keyof typeof ModelTools];

/** The participant of the editor's chat, and what it is called by there. */
export const ChatParticipant = { id: 'mcpWorkbench.chat', name: 'mcp' } as const;

/** What follows a slash in a message to it. */
export const ChatCommands = { prompt: 'prompt' } as const;
export type ChatCommand = (typeof ChatCommands)[keyof typeof ChatCommands];

/** What the editor's own host of servers knows us by. */
export const EditorHost = { provider: 'mcpWorkbench.servers.provider' } as const;

export const Settings = {
	servers: 'mcpWorkbench.servers',
	inputs: 'mcpWorkbench.inputs',
	demoServer: 'mcpWorkbench.demoServer',
	serverOptions: 'mcpWorkbench.serverOptions',
	confirmServers: 'mcpWorkbench.confirmServers',
	policy: 'mcpWorkbench.policy',
	registerWithEditor: 'mcpWorkbench.registerWithEditor',
	clientMetadataUrl: 'mcpWorkbench.auth.clientMetadataUrl',
	authServers: 'mcpWorkbench.auth.servers',
	usePathOfShell: 'mcpWorkbench.usePathOfShell',
	completeInEditors: 'mcpWorkbench.prompts.completeInEditors',
	keepHistory: 'mcpWorkbench.keepHistory',
	requestTimeout: 'mcpWorkbench.requestTimeout',
	pingInterval: 'mcpWorkbench.pingInterval',
	messageSize: 'mcpWorkbench.limits.messageSize',
} as const;

/** Settings of earlier versions whose values are fixed now. */
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
] as const;

/** Of icons that say how something is: visible in every kind of theme, and themes may choose them. */
export const Colors = {
	good: 'mcpWorkbench.goodForeground',
	waiting: 'mcpWorkbench.waitingForeground',
	failed: 'mcpWorkbench.failedForeground',
} as const;

/** What kind of view a webview is; not contributed, but named to the editor. */
export const resultViewType = 'mcpWorkbench.result';

/**
 * How many open JSON documents of one scheme can have a schema. A document's number is the authority of its URI, and
 * package.json maps each number to a schema (`jsonValidation`).
 */
export const schemaNumbers = 10;

/** Resources of servers, read-only. */
export const resourceScheme = 'mcp-workbench';
/** Documents we write ourselves: results and details. */
export const documentScheme = 'mcp-workbench-document';
/** Where the texts among them are, by which the editor knows their language: that one breaks long lines. */
export const textFolder = '/MCP Workbench';
/** Arguments of tools, to be written as JSON. */
export const argumentsScheme = 'mcp-workbench-arguments';
/** The schemas of those. */
export const schemaScheme = 'mcp-workbench-schema';
/** Texts that a person writes: for an argument, or a request for a model and its answer. */
export const textScheme = 'mcp-workbench-text';

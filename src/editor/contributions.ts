/** All ids that are also in package.json. `test/source/manifest.test.ts` compares the two. */

export const Commands = {
	startServer: 'mcpWorkbench.server.start',
	stopServer: 'mcpWorkbench.server.stop',
	restartServer: 'mcpWorkbench.server.restart',
	showServerLog: 'mcpWorkbench.server.showLog',
	showMessages: 'mcpWorkbench.messages.show',
	explainServer: 'mcpWorkbench.server.explain',
	addServer: 'mcpWorkbench.server.add',
	removeServer: 'mcpWorkbench.server.remove',
	importServers: 'mcpWorkbench.servers.import',
	tryDemo: 'mcpWorkbench.demo.try',
	openDocumentation: 'mcpWorkbench.docs.open',
	openConfiguration: 'mcpWorkbench.configuration.open',
	moveServers: 'mcpWorkbench.configuration.move',
	filter: 'mcpWorkbench.servers.filter',
	serverOptions: 'mcpWorkbench.server.options',
	signIn: 'mcpWorkbench.account.signIn',
	runTool: 'mcpWorkbench.tool.run',
	toggleTool: 'mcpWorkbench.tool.toggle',
	reviewTool: 'mcpWorkbench.tool.review',
	chooseTools: 'mcpWorkbench.tools.choose',
	manageApprovals: 'mcpWorkbench.approvals.manage',
	openPolicy: 'mcpWorkbench.policy.open',
	lockTools: 'mcpWorkbench.tools.lock',
	acceptTools: 'mcpWorkbench.tools.accept',
	answerQuestion: 'mcpWorkbench.question.answer',
	runPrompt: 'mcpWorkbench.prompt.run',
	useText: 'mcpWorkbench.text.use',
	goToResource: 'mcpWorkbench.resource.goTo',
	refreshResource: 'mcpWorkbench.resource.refresh',
	useResource: 'mcpWorkbench.resource.use',
	exportHistory: 'mcpWorkbench.history.export',
	useEntry: 'mcpWorkbench.history.use',
	cancelCall: 'mcpWorkbench.history.cancelCall',
	runAgain: 'mcpWorkbench.history.runAgain',
	filterHistory: 'mcpWorkbench.history.filter',
	clearHistory: 'mcpWorkbench.history.clear',
	clearData: 'mcpWorkbench.data.clear',
} as const;

/** Commands that only rows, code lenses, messages and other extensions run. They are not in package.json. */
export const InternalCommands = {
	showMore: 'mcpWorkbench.servers.showMore',
	showTool: 'mcpWorkbench.tool.show',
	showPrompt: 'mcpWorkbench.prompt.show',
	openResource: 'mcpWorkbench.resource.open',
	openTemplate: 'mcpWorkbench.resourceTemplate.open',
	openHistoryEntry: 'mcpWorkbench.history.open',
	compareResults: 'mcpWorkbench.history.compare',
	showInHistory: 'mcpWorkbench.history.reveal',
	clearHistoryFilter: 'mcpWorkbench.history.clearFilter',
	showOlderCalls: 'mcpWorkbench.history.showOlder',
	showSignInReport: 'mcpWorkbench.account.report',
	setClient: 'mcpWorkbench.account.setClient',
	pasteAddress: 'mcpWorkbench.account.pasteAddress',
	makeException: 'mcpWorkbench.account.makeException',
} as const;
export type CommandId =
	| (typeof Commands)[keyof typeof Commands]
	| (typeof InternalCommands)[keyof typeof InternalCommands];

/** The editor's command that opens the editor for Workspace Trust. */
export const trustCommand = 'workbench.trust.manage';

/** Commands with a button above a view; the menu "view/title" of package.json. */
export const titleCommands: ReadonlySet<CommandId> = new Set([
	Commands.addServer,
	Commands.importServers,
	Commands.tryDemo,
	Commands.openDocumentation,
	Commands.openConfiguration,
	Commands.filter,
	Commands.goToResource,
	Commands.filterHistory,
	Commands.exportHistory,
	Commands.clearHistory,
]);

export const Views = { servers: 'mcpWorkbench.servers', history: 'mcpWorkbench.history' } as const;

/** Context keys for `when` clauses of package.json. Each is set by one file only. */
export const ContextKeys = {
	hasServers: 'mcpWorkbench.hasServers',
	/** The demo server was added. */
	hasDemo: 'mcpWorkbench.hasDemo',
	/** The whole configuration was read, and has no server. */
	hasNoServers: 'mcpWorkbench.hasNoServers',
	hasRunningServers: 'mcpWorkbench.hasRunningServers',
	hasFailedServers: 'mcpWorkbench.hasFailedServers',
	/** A server is configured in `.vscode/mcp.json`. */
	hasMovableServers: 'mcpWorkbench.hasMovableServers',
	/** The filter of the tree matches nothing. */
	hasNoHits: 'mcpWorkbench.hasNoHits',
	hasPendingRequests: 'mcpWorkbench.hasPendingRequests',
	hasRunningCalls: 'mcpWorkbench.hasRunningCalls',
	hasRunTool: 'mcpWorkbench.hasRunTool',
	hasHistory: 'mcpWorkbench.hasHistory',
	/** The filter of the history matches nothing. */
	hasNoHistoryHits: 'mcpWorkbench.hasNoHistoryHits',
} as const;
export type ContextKey = (typeof ContextKeys)[keyof typeof ContextKeys];

/** Context values of tree items, for menus. */
export const TreeContexts = {
	/** Can be started; waits for a consent or an input, if it was. */
	serverStopped: 'server.stopped',
	serverFailed: 'server.failed',
	/** Can only be started by signing in. */
	serverSignIn: 'server.signIn',
	/** Starts, runs, or will be restarted after a delay. */
	serverRunning: 'server.running',
	/** Running, but its sign-in has expired. */
	serverSignedOut: 'server.signedOut',
	/** Stopping, or in Restricted Mode. */
	serverIdle: 'server.idle',
	group: 'group',
	toolGroup: 'group.tools',
	/** Groups entries of a list with the same path. */
	folder: 'folder',
	tool: 'tool',
	toolDisabled: 'tool.disabled',
	/** The definition has changed since it was locked. */
	toolChanged: 'tool.changed',
	/** A changed tool of a server that the person writes. It runs without a question. */
	toolChangedHere: 'tool.changedHere',
	resource: 'resource',
	resourceDirectory: 'resource.directory',
	resourceTemplate: 'resourceTemplate',
	prompt: 'prompt',
	root: 'root',
	/** A pending request. */
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
	serverOptions: 'mcpWorkbench.serverOptions',
	tools: 'mcpWorkbench.tools',
	confirmServers: 'mcpWorkbench.confirmServers',
	policy: 'mcpWorkbench.policy',
	authServers: 'mcpWorkbench.auth.servers',
	keepHistory: 'mcpWorkbench.keepHistory',
	requestTimeout: 'mcpWorkbench.requestTimeout',
} as const;

/** Colors of icons for states. They are visible in all kinds of themes, and themes can change them. */
export const Colors = {
	good: 'mcpWorkbench.goodForeground',
	waiting: 'mcpWorkbench.waitingForeground',
	failed: 'mcpWorkbench.failedForeground',
} as const;

/** The types of the tabs with pages. They aren't in package.json. */
export const messagesViewType = 'mcpWorkbench.messagesPage';
export const toolViewType = 'mcpWorkbench.tool';
export const promptViewType = 'mcpWorkbench.prompt';
export const templateViewType = 'mcpWorkbench.resourceTemplate';
export const pageViewType = 'mcp-workbench-page';

/** Resources of servers, read-only. */
export const resourceScheme = 'mcp-workbench';
/** Read-only documents of this extension, such as results and details. */
export const documentScheme = 'mcp-workbench-document';
/** Folder of those that are texts. package.json gives files in it a language that wraps long lines. */
export const textFolder = '/MCP Workbench';
/** Texts that the person edits, such as arguments, sampling requests and their answers. */
export const textScheme = 'mcp-workbench-text';

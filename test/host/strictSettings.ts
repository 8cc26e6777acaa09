/** What a careful person has set; the workspace of the suite that loosens sets the opposite of each. */
export const strictSettings: Readonly<Record<string, unknown>> = {
	'mcpWorkbench.servers': { mine: { command: 'no-such-command-anywhere' } },
	'mcpWorkbench.inputs': [{ id: 'mine', type: 'promptString' }],
	'mcpWorkbench.demoServer': false,
	'mcpWorkbench.confirmServers': 'newOrChanged',
	'mcpWorkbench.policy': { default: 'deny' },
	'mcpWorkbench.auth.clientMetadataUrl': 'https://mine.example/client.json',
	'mcpWorkbench.auth.servers': { 'https://mine.example/mcp': { clientId: 'mine' } },
	'mcpWorkbench.usePathOfShell': false,
	'mcpWorkbench.prompts.completeInEditors': ['markdown'],
	'mcpWorkbench.keepHistory': false,
	'mcpWorkbench.requestTimeout': 20,
	'mcpWorkbench.pingInterval': 30,
	'mcpWorkbench.limits.messageSize': 2,
	'mcpWorkbench.serverOptions': {
		theirs: {
			requestTimeout: 10,
			toolTimeouts: { say: 11 },
			start: 'onUse',
			roots: ['first'],
			disabledTools: ['delete'],
			hiddenFromModels: ['push'],
		},
	},
};

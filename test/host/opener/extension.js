// Of `npm start` only: at the first start, opens the view and the walkthrough, so that a newcomer sees where to begin.
const { commands } = require('vscode');

exports.activate = async ({ globalState }) => {
	if (globalState.get('hasOpened') !== true) {
		await globalState.update('hasOpened', true);
		await commands.executeCommand('workbench.action.openWalkthrough', 'mcp-workbench.mcp-workbench#firstSteps');
		await commands.executeCommand('mcpWorkbench.servers.focus');
	}
};

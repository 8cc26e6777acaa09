import * as vscode from 'vscode';
import { describePalette } from '../paletteCommands.js';

describe('the palette, where there is neither a folder nor a server', () => {
	after(() => vscode.commands.executeCommand('mcpWorkbench.server.remove', { server: 'demo' }));

	describePalette();
});

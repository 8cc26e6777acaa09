/** The feature `documentation`: opens the pages of `docs`, which are part of the extension, in the Markdown preview. */
import type * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { openDocumentation } from './openDocumentation.js';

export interface DocumentationDeps {
	readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}

export function registerDocumentation({ context }: DocumentationDeps): Disposable {
	return registerCommand(Commands.openDocumentation, () => openDocumentation(context.extensionUri));
}

/** Pages to read, in tabs. Features give their content and what their buttons do. */
import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import type { ShowPage } from '../../webviews/page/protocol.js';
import { Pages } from './pages.js';

export interface PagesDeps {
	readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}

export interface PagesFeature extends Disposable {
	readonly showPage: ShowPage;
}

export function registerPages({ context }: PagesDeps): PagesFeature {
	const owned = new DisposableStore();
	const pages = owned.add(new Pages(context.extensionUri));
	owned.add(registerCommand(Commands.copyPage, () => pages.copy()));
	return { showPage: page => pages.show(page), dispose: () => owned.dispose() };
}

/** Pages to read, in tabs. Features give their content and what their buttons do. */
import type * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import type { ShowPage } from '../../webviews/page/protocol.js';
import { Pages } from './pages.js';

export interface PagesDeps {
	readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}

export interface PagesFeature extends Disposable {
	readonly showPage: ShowPage;
}

export function registerPages({ context }: PagesDeps): PagesFeature {
	const pages = new Pages(context.extensionUri);
	return { showPage: page => pages.show(page), dispose: () => pages.dispose() };
}

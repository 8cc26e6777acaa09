/**
 * Returns from a document or page to the sheet that opened it. A sheet covers the top of the editor area, so it closes when it
 * opens a document, and its request stays pending. When the request ends, the document is closed.
 */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import { DisposableStore, type Event } from '../../base/lifecycle.js';
import { describeError } from '../l10n/messages.js';

export interface SheetReturn {
	/** Whether the request still waits. */
	readonly isWaiting: () => boolean;
	/** Whether the sheet of another request is open. */
	readonly isCovered: () => boolean;
	/** Shows the sheet again. */
	readonly review: () => void;
	/** Owns the listeners for the return and the opened document, and disposes them once the request has ended. */
	readonly own: (owned: vscode.Disposable) => void;
}

/** A page that was opened for a sheet. */
export interface SheetPage {
	readonly onDidClose: Event<void>;
	/** Closes it, unless the person has pinned it. */
	close(): void;
}

/**
 * Opens a document or a page for a sheet that is closed already. The sheet comes back when the document's tab is closed, or by
 * the button of a message; if the request has ended meanwhile, the document is closed. Gives false, after an error
 * message, if the document can't be opened.
 * @param open resolves with the page, or the URI of the document, that was made for the sheet; `undefined` for a file,
 * which stays open
 * @param message says which request is still waiting; cleaned for a notification
 */
export async function openForSheet(
	open: () => Promise<SheetPage | vscode.Uri | undefined>,
	message: string,
	sheetReturn: SheetReturn,
): Promise<boolean> {
	const { t } = vscode.l10n;
	let own: SheetPage | vscode.Uri | undefined;
	try {
		own = await open();
	} catch (error) {
		if (!isAbort(error)) {
			void vscode.window.showErrorMessage(t("The document can't be opened. {0}", describeError(error)));
		}
		return false;
	}
	const page = own && 'onDidClose' in own ? own : undefined;
	const uri = own && 'scheme' in own ? own.toString() : undefined;
	const closeOwn = (): void => {
		page?.close();
		void (uri !== undefined && closeTabs(uri));
	};
	if (!sheetReturn.isWaiting()) {
		closeOwn();
		return true;
	}
	sheetReturn.own({ dispose: closeOwn });
	const { tabGroups, activeTextEditor } = vscode.window;
	// Older editors report the active tab a moment later than the active text editor.
	const tab = tabGroups.activeTabGroup.activeTab;
	const shown = activeTextEditor?.document.uri.toString();
	const isOpened = (it: vscode.Tab): boolean => it === tab || (shown !== undefined && uriOf(it) === shown);
	const owned = new DisposableStore();
	sheetReturn.own(owned);
	const goBack = (): void => {
		owned.dispose();
		if (sheetReturn.isWaiting()) {
			sheetReturn.review();
		}
	};
	const didClose = (): void => {
		// A program may have closed the tab, so another sheet that is open stays open.
		if (!sheetReturn.isCovered()) {
			goBack();
		}
	};
	owned.add(
		page?.onDidClose(didClose) ??
			tabGroups.onDidChangeTabs(({ closed }) => (closed.some(isOpened) ? didClose() : undefined)),
	);
	const button = t('Return to Request');
	void vscode.window.showInformationMessage(message, button).then(chosen => {
		if (chosen === button) {
			goBack();
		}
	});
	return true;
}

/** Closes the tabs of a document, but none that the person has pinned. */
async function closeTabs(uri: string): Promise<void> {
	const { tabGroups } = vscode.window;
	const tabs = tabGroups.all.flatMap(it => it.tabs).filter(it => uriOf(it) === uri && !it.isPinned && !it.isDirty);
	try {
		await tabGroups.close(tabs);
	} catch {
		// Closed by the person in the meantime.
	}
}

/** The URI of a text tab, or of the modified side of a diff tab. */
function uriOf({ input }: vscode.Tab): string | undefined {
	const { uri, modified } = (input ?? {}) as { readonly uri?: vscode.Uri; readonly modified?: vscode.Uri };
	return (modified ?? uri)?.toString();
}

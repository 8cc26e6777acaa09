/** A prompt run against a model of the editor: the answer grows in a document, and can be cancelled. */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import type { PromptMessage } from '../../mcp/index.js';
import { orCancelled } from '../../editor/cancellation.js';
import { toModelError } from '../../editor/languageModels/modelErrors.js';
import { imagesFor, toModelMessage, toModelPart } from '../../editor/languageModels/modelMessages.js';
import { notificationText, quickPickText } from '../../editor/ui/plainText.js';
import { chooseLine } from '../../editor/ui/quickInput.js';

/** Milliseconds between two edits of the document. */
const writeEveryMs = 100;

/**
 * Asks which model where there are several, and streams its answer into a new document. Closing that ends it.
 * @throws ModelError in the person's language if the model refuses
 */
export async function runAgainstModel(
	title: string,
	messages: readonly PromptMessage[],
	models: readonly vscode.LanguageModelChat[],
): Promise<void> {
	const model = await chooseModel(models);
	if (!model) {
		return;
	}
	const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: '' });
	await vscode.window.showTextDocument(document, { preview: false, preserveFocus: true });
	const { t } = vscode.l10n;
	const location = vscode.ProgressLocation.Notification;
	const options = { location, title: t('{0}: {1} answers', title, notificationText(model.name)), cancellable: true };
	try {
		await vscode.window.withProgress(options, async (_, token) => {
			const source = new vscode.CancellationTokenSource();
			const listeners = [
				token.onCancellationRequested(() => source.cancel()),
				vscode.workspace.onDidCloseTextDocument(it => it === document && source.cancel()),
			];
			try {
				const images = imagesFor(model);
				const parts = messages.map(it => toModelMessage(it.role, [toModelPart(it.content, images)]));
				await orCancelled(async () => {
					const response = await model.sendRequest(parts, {}, source.token);
					await writeInto(document, response.text, source.token);
				}, source.token);
			} finally {
				for (const listener of listeners) {
					listener.dispose();
				}
				source.dispose();
			}
		});
	} catch (thrown) {
		const error = toModelError(thrown, model);
		if (!isAbort(error)) {
			throw error;
		}
	}
}

async function chooseModel(models: readonly vscode.LanguageModelChat[]): Promise<vscode.LanguageModelChat | undefined> {
	if (models.length < 2) {
		return models[0];
	}
	const items = models.map(model => ({
		label: quickPickText(model.name),
		description: quickPickText(model.vendor),
		model,
	}));
	const placeHolder = vscode.l10n.t('Choose a model');
	return (await chooseLine(items, placeHolder))?.model;
}

/** A few edits a second, whatever the pace of the model; everything that came is there in the end. */
async function writeInto(
	document: vscode.TextDocument,
	text: AsyncIterable<string>,
	token: vscode.CancellationToken,
): Promise<void> {
	let pending = '';
	let writtenAt = 0;
	const write = async (): Promise<void> => {
		const edit = new vscode.WorkspaceEdit();
		edit.insert(document.uri, document.lineAt(document.lineCount - 1).range.end, pending);
		pending = '';
		writtenAt = Date.now();
		await vscode.workspace.applyEdit(edit);
	};
	try {
		for await (const part of text) {
			pending += part;
			if (Date.now() - writtenAt >= writeEveryMs && !document.isClosed) {
				await write();
			}
			if (token.isCancellationRequested) {
				return;
			}
		}
	} finally {
		if (pending !== '' && !document.isClosed) {
			await write();
		}
	}
}

/** The attachments of a message as texts for the model. Resources of servers are marked as untrusted content. */
import * as vscode from 'vscode';
import { readBoundedFile } from '../../editor/documents/boundedFile.js';
import { charsBudget } from '../../editor/languageModels/budget.js';
import { resourceScheme } from '../../editor/contributions.js';
import type { ModelAccess } from '../../editor/languageModels/modelRequest.js';
import { quoted, wrapUntrusted } from '../../editor/languageModels/untrustedContent.js';
import { markdownText, modelText } from '../../editor/ui/plainText.js';
import type { AnsweringDeps } from './answering.js';
import type { ChatTurn } from './turn.js';

/** Larger files, in bytes, aren't attached. */
const maxBytes = 1_000_000;
/** Limit of one attachment, in UTF-16 units. */
const maxChars = 20_000;
const maxReferences = 20;

interface Attached {
	readonly name: string;
	readonly text: string;
	readonly isOfServer: boolean;
}

/** Reads the attachments and removes secrets of servers. Tells the person about each attachment that can't be read. */
export async function readAttachments(
	{ request, stream, signal }: ChatTurn,
	{ registry, modelAccess }: AnsweringDeps,
): Promise<string[]> {
	const { t } = vscode.l10n;
	const texts: string[] = [];
	for (const reference of request.references.slice(0, maxReferences)) {
		if (signal.aborted) {
			break;
		}
		const attached = await read(reference);
		if (typeof attached === 'string') {
			stream.markdown(`${t("{0} can't be attached.", markdownText(attached))}\n\n`);
		} else {
			texts.push(await formatAttachment({ ...attached, text: registry.redact(attached.text) }, modelAccess));
		}
	}
	const left = request.references.length - maxReferences;
	if (left > 0) {
		stream.markdown(`${t('Only the first {0} attachments are used.', maxReferences)}\n\n`);
	}
	return texts;
}

async function formatAttachment({ name, text, isOfServer }: Attached, modelAccess: ModelAccess): Promise<string> {
	const budget = { ...charsBudget, max: maxChars };
	const id = crypto.randomUUID().slice(0, 13);
	const clean = modelText(text);
	if (isOfServer) {
		const intro = `The person has attached ${quoted(name)}, a resource of an MCP server.`;
		return wrapUntrusted(
			{ intro, text: clean },
			{ budget, mark: `server-text-${id}`, keep: it => modelAccess.keep(it) },
		);
	}
	const piece = clean.slice(0, maxChars);
	const cut = clean.length > maxChars ? `\nThese are the first ${maxChars} characters of ${clean.length}.` : '';
	return `The person has attached ${quoted(name)}:\n----- begin ${id} -----\n${piece}\n----- end ${id} -----${cut}`;
}

/** @returns the attachment's name alone if it can't be read */
async function read({ id, value }: vscode.ChatPromptReference): Promise<Attached | string> {
	if (typeof value === 'string') {
		return { name: id, text: value, isOfServer: false };
	}
	const uri = value instanceof vscode.Location ? value.uri : value;
	if (!(uri instanceof vscode.Uri)) {
		return id;
	}
	const name = vscode.workspace.asRelativePath(uri);
	const isOfServer = uri.scheme === resourceScheme;
	try {
		const open = vscode.workspace.textDocuments.find(it => it.uri.toString() === uri.toString());
		if (value instanceof vscode.Location) {
			const document = open ?? (await vscode.workspace.openTextDocument(uri));
			return { name, text: document.getText(value.range), isOfServer };
		}
		return { name, text: open?.getText() ?? (await textOfFile(uri)), isOfServer };
	} catch {
		return name;
	}
}

/** @throws if the file isn't text or is too large */
async function textOfFile(uri: vscode.Uri): Promise<string> {
	const text = new TextDecoder('utf-8', { fatal: true }).decode(await readBoundedFile(uri, maxBytes));
	if (text.includes('\0')) {
		throw new Error('No text.');
	}
	return text;
}

/** What the person has attached to a message, as text for the model; a resource of a server is marked as that. */
import * as vscode from 'vscode';
import { readBoundedFile } from '../../editor/documents/boundedFile.js';
import { charsBudget } from '../../editor/languageModels/budget.js';
import { resourceScheme } from '../../editor/contributions.js';
import { markAnswer, quoted } from '../../editor/languageModels/marking.js';
import { markdownText, modelText } from '../../editor/ui/plainText.js';
import type { ChatTurn } from './turn.js';

/** Bytes of a file that is read at all. */
const maxBytes = 1_000_000;
const maxChars = 20_000;
const maxReferences = 20;

interface Attached {
	readonly name: string;
	readonly text: string;
	readonly isOfServer: boolean;
}

/**
 * What cannot be given is said to the person.
 * @param redact takes the secrets of servers out
 * @param keep of what is too long, for a model that reads on
 */
export async function attachedTexts(
	{ request, stream, signal }: ChatTurn,
	redact: (text: string) => string,
	keep: (text: string) => string,
): Promise<string[]> {
	const { t } = vscode.l10n;
	const texts: string[] = [];
	for (const reference of request.references.slice(0, maxReferences)) {
		if (signal.aborted) {
			break;
		}
		const attached = await read(reference);
		if (typeof attached === 'string') {
			stream.markdown(`${t('Not attached: {0}.', markdownText(attached))}\n\n`);
		} else {
			texts.push(await framed({ ...attached, text: redact(attached.text) }, keep));
		}
	}
	const left = request.references.length - maxReferences;
	if (left > 0) {
		stream.markdown(`${t('Only the first {0} attachments are used.', maxReferences)}\n\n`);
	}
	return texts;
}

async function framed({ name, text, isOfServer }: Attached, keep: (text: string) => string): Promise<string> {
	const budget = { ...charsBudget, max: maxChars };
	const id = crypto.randomUUID().slice(0, 13);
	const clean = modelText(text);
	if (isOfServer) {
		const intro = `The person has attached ${quoted(name)}, a resource of an MCP server.`;
		return markAnswer({ intro, text: clean }, { budget, mark: `server-text-${id}`, keep });
	}
	const piece = clean.slice(0, maxChars);
	const cut = clean.length > maxChars ? `\nThese are the first ${maxChars} characters of ${clean.length}.` : '';
	return `The person has attached ${quoted(name)}:\n----- begin ${id} -----\n${piece}\n----- end ${id} -----${cut}`;
}

/** @returns a name of what cannot be read */
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

/** @throws if it is no text, or too large */
async function textOfFile(uri: vscode.Uri): Promise<string> {
	const text = new TextDecoder('utf-8', { fatal: true }).decode(await readBoundedFile(uri, maxBytes));
	if (text.includes('\0')) {
		throw new Error('No text.');
	}
	return text;
}

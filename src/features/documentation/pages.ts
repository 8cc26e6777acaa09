/**
 * The pages of `docs`, which are part of the extension, and the command that opens them in the Markdown preview.
 * `docs/README.md` has the same titles and questions in the same order; a test compares them.
 */
import * as vscode from 'vscode';
import { chooseLine } from '../../editor/ui/quickInput.js';
import type { Disposable } from '../../base/lifecycle.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { searchEntries } from '../../core/search/search.js';

/**
 * The files of the pages, their titles, and the questions that they answer, in the order of `docs/README.md`. Titles and
 * questions are in the language of the editor, the pages in English.
 */
export function listPages(): (readonly [file: string, title: string, question: string])[] {
	const { t } = vscode.l10n;
	return [
		['configuration.md', t('Server configuration'), t('How do I add servers and give them variables and secrets?')],
		['tools-and-results.md', t('Tools and results'), t('How do I run tools, read results and find earlier calls?')],
		['messages.md', t('Messages'), t('What do servers and the extension send to each other?')],
		['prompts.md', t('Prompts'), t('How do I run prompts?')],
		['resources.md', t('Resources'), t('How do I open, follow and compare resources?')],
		['approvals.md', t('Approvals'), t('Which tool calls run, and which ones ask me first?')],
		['what-servers-ask.md', t('What servers ask'), t('What can a server ask me or a model, and how do I answer?')],
		['sign-in.md', t('Sign-in'), t('How do I sign in to servers?')],
		['security.md', t('Security'), t('How am I protected, and what is stored on my computer?')],
		['troubleshooting.md', t('Troubleshooting'), t("Why doesn't my server start or respond?")],
		['settings.md', t('Settings'), t('What does each setting do?')],
		['commands-and-keys.md', t('Commands and keys'), t('Which commands and keyboard shortcuts are there?')],
		['protocol-support.md', t('Protocol support'), t('Which parts of the protocol are supported?')],
		['api.md', t('Models and other extensions'), t('How do models and other extensions use my servers?')],
	];
}

/** Words that a person may search for, in addition to those of the page. */
const keywords: Readonly<Record<string, string>> = {
	'configuration.md': 'import API key disable tool',
	'messages.md': 'see every message',
	'what-servers-ask.md': 'elicitation sampling',
	'sign-in.md': 'token',
	'api.md': 'Copilot agent',
};

/** @param extensionUri the folder of the extension */
export async function openDocumentation(extensionUri: vscode.Uri): Promise<void> {
	const { t } = vscode.l10n;
	const pages = await Promise.all(
		listPages().map(async ([file, label, detail]) => {
			const uri = vscode.Uri.joinPath(extensionUri, 'docs', file);
			const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
			const title = `${detail} ${keywords[file] ?? ''}`;
			const texts = { name: label, title, also: text.match(/^#.*/gm) ?? [], description: text };
			return { label, detail, alwaysShow: true, uri, texts };
		}),
	);
	const placeholder = t('Select a page, or search by question');
	const chosen = await chooseLine(pages, placeholder, t('Documentation'), question => {
		const found = searchEntries(pages, question, it => it.texts);
		return found.length > 0 ? found : pages;
	});
	if (chosen) {
		await openPage(chosen.uri);
	}
}

/** Opens the preview, which works in Restricted Mode, too; or the text, if the editor has no Markdown extension. */
async function openPage(uri: vscode.Uri): Promise<void> {
	try {
		await vscode.commands.executeCommand('markdown.showPreview', uri);
	} catch {
		await vscode.window.showTextDocument(uri);
	}
}

/** @param context has the folder of the extension */
export function registerDocumentation({
	context,
}: {
	readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}): Disposable {
	return registerCommand(Commands.openDocumentation, () => openDocumentation(context.extensionUri));
}

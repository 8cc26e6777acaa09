/** The pages that the browser shows after a sign-in. They have no scripts and load nothing. */
import * as vscode from 'vscode';
import { oneLine } from '../../editor/ui/plainText.js';

/** The page for an answer to a pending sign-in, which can be an error. */
export function welcomePage(returned: URL): string {
	const { t } = vscode.l10n;
	const error = returned.searchParams.get('error');
	if (error === null) {
		return page(t('Done'), t('You can close this page and return to the editor.'));
	}
	const said = returned.searchParams.get('error_description') ?? error;
	return page(
		t('Not signed in'),
		t('The sign-in page returned an error: "{0}". Continue in the editor.', oneLine(said)),
	);
}

/** The page for an answer to no pending sign-in. */
export function strayPage(): string {
	const { t } = vscode.l10n;
	return page(
		t('This sign-in has ended'),
		t('The sign-in was completed in another page or has expired. To sign in again, return to the editor.'),
	);
}

function page(title: string, text: string): string {
	const [heading, body] = [title, text].map(escaped);
	return `<!doctype html>
<html lang="${escaped(vscode.env.language)}">
<head><meta charset="utf-8"><title>${heading} · MCP Workbench</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:15vh auto;padding:0 1em}</style>
</head>
<body><h1>${heading}</h1><p>${body}</p></body>
</html>
`;
}

function escaped(text: string): string {
	return text.replace(/[&<>"']/g, it => `&#${it.charCodeAt(0)};`);
}

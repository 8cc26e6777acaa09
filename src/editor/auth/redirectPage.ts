/** PURE but for its words: what the person's browser shows when it has come back. No script, nothing loaded. */
import * as vscode from 'vscode';
import { oneLine } from '../ui/plainText.js';

/** The browser brought the answer; whether it was a yes is in it. */
export function welcomePage(returned: URL): string {
	const { t } = vscode.l10n;
	const error = returned.searchParams.get('error');
	if (error === null) {
		return page(t('Done'), t('You can close this page and go back to the editor.'));
	}
	const said = returned.searchParams.get('error_description') ?? error;
	return page(
		t('You are not signed in'),
		t('The sign-in page said: "{0}". The editor says what to do.', oneLine(said)),
	);
}

/** The browser brought something that answers no question of ours. */
export function strayPage(): string {
	const { t } = vscode.l10n;
	return page(
		t('This sign-in is over'),
		t('Perhaps it is an old page, or was finished in another one. Begin again in the editor if you need to.'),
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

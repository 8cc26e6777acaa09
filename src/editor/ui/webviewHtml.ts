/** The HTML of our webviews. Its policy allows one script, style sheets of ours, and media that the script makes. */
import * as vscode from 'vscode';

/**
 * @param script file in `dist`
 * @param styles files in `media`
 */
export function webviewHtml(
	webview: vscode.Webview,
	extensionUri: vscode.Uri,
	script: string,
	styles: readonly string[],
): string {
	const nonce = crypto.randomUUID();
	const own = (...path: string[]): string =>
		webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
	const policy = [
		`default-src 'none'`,
		`script-src 'nonce-${nonce}'`,
		`style-src ${webview.cspSource}`,
		'img-src blob:',
		'media-src blob:',
		`base-uri 'none'`,
		`form-action 'none'`,
	].join('; ');
	return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${styles.map(it => `<link rel="stylesheet" href="${own('media', it)}">`).join('\n')}
</head>
<body><script nonce="${nonce}" src="${own('dist', script)}"></script></body>
</html>`;
}

/** Formats tool calls for Copy Request As. */
import * as vscode from 'vscode';
import type { Server } from '../../core/servers/server.js';
import { redactedArguments } from '../../core/text/callArguments.js';
import { visibleJsonText } from '../../editor/ui/plainText.js';
import { codecFor, type JsonObject, paramHeaders, readParamHeaders, type Tool } from '../../mcp/index.js';

/**
 * Formats a call as a `curl` command for a POSIX shell. Values that may be secrets are replaced by shell variables.
 * @param isSignedIn whether the server gets an access token
 * @param redact removes known secrets; called before quoting, because it could remove a part of a quoted text
 * @returns `undefined` if the server isn't running, or doesn't use Streamable HTTP
 */
export function curlCall(
	server: Server,
	tool: Tool,
	args: JsonObject,
	isSignedIn: boolean,
	redact: (text: string) => string,
): string | undefined {
	const { launch } = server.definition;
	const revision = server.client?.session.protocolVersion ?? '';
	const codec = codecFor(revision);
	if (launch.kind !== 'http' || !codec) {
		return undefined;
	}
	const shown = redactedArguments(tool.inputSchema, args);
	const sender = { clientInfo: { name: 'curl', version: '1.0.0' }, capabilities: {}, logLevel: undefined };
	const request = codec.encodeRequest('tools/call', { name: tool.name, arguments: shown }, () => sender);
	const isModern = codec.era === 'modern';
	const headers = {
		accept: 'application/json, text/event-stream',
		'content-type': 'application/json',
		...(isModern
			? paramHeaders(readParamHeaders(tool.inputSchema).headers, shown)
			: { 'mcp-protocol-version': revision }),
		...request.headers,
	};
	const secrets = Object.entries({ ...(isSignedIn && { Authorization: 'Bearer ' }), ...launch.headers });
	// Terminals treat pasted control characters as keys, even within quotation marks: Ctrl+C ends the command.
	const body = visibleJsonText(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: request.params }));
	const url = launch.url
		.replace(/\/\/[^/@]*@/, '//')
		.replaceAll(/([?&])([^=&#]*)=[^&#]*/g, '$1$2=${$2}')
		.replaceAll(/\p{Cc}/gu, it => encodeURIComponent(it));
	const command = [
		`curl ${withVariables(redact(url))}`,
		...Object.entries(headers).map(it => `-H ${quoted(redact(it.join(': ')))}`),
		...secrets.map(
			([name, value]) => `-H ${withVariables(`${name}: ${/^(?:Basic|Bearer) /i.exec(value)?.[0] ?? ''}\${${name}}`)}`,
		),
		`--data ${quoted(redact(body))}\n`,
	].join(' \\\n\t');
	const note = vscode.l10n.t(
		'The server may need a session: send "initialize" first, and add the header Mcp-Session-Id.',
	);
	return isModern ? command : `# ${note}\n${command}`;
}

/** Quotes a text with single quotes, in which a shell expands nothing. */
function quoted(text: string): string {
	return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes a text, and replaces each `${…}` by a shell variable. */
function withVariables(text: string): string {
	return quoted(text).replaceAll(/\$\{([^{}]*)\}/g, (_, name: string) => {
		const variable = name.replaceAll(/\W+/g, '_').toUpperCase();
		return `'"$${variable === 'AUTHORIZATION' ? 'TOKEN' : variable}"'`;
	});
}

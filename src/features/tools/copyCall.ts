/** Formats tool calls for Copy Request As. */
import * as vscode from 'vscode';
import type { Server } from '../../core/servers/server.js';
import { redactedArguments } from '../../core/text/callArguments.js';
import { codecFor, type JsonObject, paramHeaders, readParamHeaders, type Tool } from '../../mcp/index.js';

/**
 * Formats a call as a `curl` command for a POSIX shell. Values that may be secrets are replaced by shell variables.
 * @param isSignedIn whether the server gets an access token
 * @returns `undefined` if the server isn't running, or doesn't use Streamable HTTP
 */
export function curlCall(server: Server, tool: Tool, args: JsonObject, isSignedIn: boolean): string | undefined {
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
	const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: request.params });
	const command = [
		`curl ${withVariables(launch.url.replace(/\/\/[^/@]*@/, '//').replaceAll(/([?&])([^=&#]*)=[^&#]*/g, '$1$2=${$2}'))}`,
		...Object.entries(headers).map(it => `-H ${quoted(it.join(': '))}`),
		...secrets.map(
			([name, value]) => `-H ${withVariables(`${name}: ${/^(?:Basic|Bearer) /i.exec(value)?.[0] ?? ''}\${${name}}`)}`,
		),
		`--data ${quoted(body)}\n`,
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

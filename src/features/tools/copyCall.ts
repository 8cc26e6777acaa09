/** A tool call as a command for a terminal. */
import * as vscode from 'vscode';
import type { Server } from '../../core/servers/server.js';
import { redactedArguments } from '../../core/text/callArguments.js';
import { codecFor, type JsonObject, paramHeaders, readParamHeaders, type Tool } from '../../mcp/index.js';

/**
 * The call as a `curl` command for a POSIX shell. In place of what can be a secret, it has variables of the shell.
 * @param isSignedIn whether the server gets an access token
 * @returns `undefined` if the server isn't reached by Streamable HTTP, or doesn't run
 */
export function curlCall(
	{ definition: { launch }, client }: Pick<Server, 'definition' | 'client'>,
	{ name, inputSchema }: Tool,
	args: JsonObject,
	isSignedIn: boolean,
): string | undefined {
	const { t } = vscode.l10n;
	const revision = client?.session.protocolVersion ?? '';
	const codec = codecFor(revision);
	if (launch.kind !== 'http' || !codec) {
		return undefined;
	}
	const sender = { clientInfo: { name: 'curl', version: '1.0.0' }, capabilities: {}, logLevel: undefined };
	const shown = redactedArguments(inputSchema, args);
	const { params, headers } = codec.encodeRequest('tools/call', { name, arguments: shown }, () => sender);
	const isModern = codec.era === 'modern';
	const all = {
		accept: 'application/json, text/event-stream',
		'content-type': 'application/json',
		...(isModern ? paramHeaders(readParamHeaders(inputSchema).headers, shown) : { 'mcp-protocol-version': revision }),
		...headers,
	};
	const secrets = { ...(isSignedIn && { Authorization: 'Bearer ' }), ...launch.headers };
	const url = launch.url.replace(/\/\/[^/@]*@/, '//');
	const command = [
		`curl ${withVariables(url.replaceAll(/([?&])([^=&#]*)=[^&#]*/g, '$1$2=${$2}'))}`,
		...Object.entries(all).map(([header, value]) => `-H ${quoted(`${header}: ${value}`)}`),
		...Object.entries(secrets).map(
			([header, value]) => `-H ${withVariables(`${header}: ${placeholder(header, value)}`)}`,
		),
		`--data ${quoted(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))}`,
	].join(' \\\n\t');
	const note = t('The server may need a session: send "initialize" first, and add the header Mcp-Session-Id.');
	return isModern ? `${command}\n` : `# ${note}\n${command}\n`;
}

/** For example "Bearer ${TOKEN}". */
function placeholder(header: string, value: string): string {
	const scheme = /^(?:Basic|Bearer) /i.exec(value)?.[0];
	return scheme === undefined ? `\${${header}}` : `${scheme}\${TOKEN}`;
}

/** In single quotes, in which a shell changes nothing. */
function quoted(text: string): string {
	return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quoted, with shell variables in place of `${…}`. */
function withVariables(text: string): string {
	return quoted(text).replaceAll(/\$\{([^{}]*)\}/g, (_, name: string) => {
		const variable = name.replaceAll(/\W+/g, '_').toUpperCase();
		return `'"$${variable}"'`;
	});
}

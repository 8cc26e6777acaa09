// A server that wants to know who you are, and the authorization server that it trusts, both at one address of this
// machine. Everything is in memory: whoever starts it anew has forgotten everybody. `add-note` needs more than `notes`.
// node tracker.mjs [--port=8470]
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { Provider } from 'oidc-provider';
import { z } from 'zod';

const read = 'notes:read';
const write = 'notes:write';
const text = value => ({ content: [{ type: 'text', text: value }] });

/**
 * @param port 0 for any that is free
 * @param tokenSeconds how long an access token lives
 * @returns where it is, how to look at its tokens, and how to end it
 */
export async function startTracker({ port = 8470, tokenSeconds = 3600 } = {}) {
	const server = createServer();
	await new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
	const origin = `http://127.0.0.1:${server.address().port}`;
	const url = `${origin}/mcp`;
	const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
	const tokens = { seconds: tokenSeconds, refused: 0 };
	const provider = createProvider(origin, url, tokens);
	const notes = ['Water the tomatoes.'];
	const mcp = createMcpHandler(context => createNotes(notes, context.authInfo));
	const oauth = provider.callback();

	server.on('request', (request, response) => {
		answer(request, response).catch(error => {
			process.stderr.write(`${String(error)}\n`);
			response.writeHead(500).end();
		});
	});

	async function answer(request, response) {
		const { pathname } = new URL(request.url, origin);
		if (pathname === new URL(metadata).pathname) {
			json(response, 200, { resource: url, authorization_servers: [origin], scopes_supported: [read] });
		} else if (pathname.startsWith('/interaction/')) {
			await interact(provider, url, request, response);
		} else if (pathname === '/mcp') {
			await serve(request, response);
		} else {
			await oauth(request, response);
		}
	}

	async function serve(request, response) {
		const [, bearer] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
		const token = bearer === undefined ? undefined : await provider.AccessToken.find(bearer);
		const wanted = `resource_metadata="${metadata}"`;
		if (token?.aud !== url || token.isExpired) {
			tokens.refused++;
			const error = bearer === undefined ? '' : ', error="invalid_token"';
			json(response, 401, {}, { 'www-authenticate': `Bearer ${wanted}${error}` });
			return;
		}
		const body = await readText(request);
		const granted = (token.scope ?? '').split(' ');
		if (body.includes('"add-note"') && !granted.includes(write)) {
			const more = `Bearer error="insufficient_scope", scope="${read} ${write}", ${wanted}`;
			json(response, 403, {}, { 'www-authenticate': more });
			return;
		}
		const headers = Object.entries(request.headers).flatMap(([name, it]) =>
			it === undefined ? [] : [[name, String(it)]],
		);
		const asked = new Request(url, { method: request.method, headers, ...(body !== '' && { body }) });
		const who = { token: bearer, clientId: token.clientId, scopes: granted, extra: { name: token.accountId } };
		await send(response, await mcp.fetch(asked, { authInfo: who }));
	}

	return {
		url,
		issuer: origin,
		provider,
		tokens,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

function createNotes(notes, who) {
	const server = new McpServer({ name: 'tracker', version: '1.0.0' });
	server.registerTool('who-am-i', { description: 'Says as whom you are signed in.' }, () =>
		text(`You are ${who?.extra?.name ?? 'nobody'}, and may use ${who?.scopes.join(' ')}.`),
	);
	server.registerTool('list-notes', { description: 'Lists the notes.', annotations: { readOnlyHint: true } }, () =>
		text(notes.join('\n')),
	);
	server.registerTool(
		'add-note',
		{
			description: 'Adds a note. Needs more than you have allowed at first.',
			inputSchema: z.object({ note: z.string() }),
		},
		({ note }) => {
			notes.push(note);
			return text(`${notes.length} notes.`);
		},
	);
	return server;
}

function createProvider(issuer, resource, tokens) {
	return new Provider(issuer, {
		clients: [],
		pkce: { required: () => true },
		scopes: ['openid', 'offline_access', read, write],
		features: {
			devInteractions: { enabled: false },
			registration: { enabled: true },
			revocation: { enabled: true, allowedPolicy: (_context, client, token) => client.clientId === token.clientId },
			resourceIndicators: {
				enabled: true,
				defaultResource: () => resource,
				useGrantedResource: () => true,
				getResourceServerInfo: () => ({
					scope: `${read} ${write}`,
					audience: resource,
					accessTokenFormat: 'opaque',
					accessTokenTTL: tokens.seconds,
				}),
			},
		},
		clientDefaults: { token_endpoint_auth_method: 'none' },
		findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
		issueRefreshToken: () => true,
		ttl: { RefreshToken: 86_400, Grant: 86_400, Session: 600, Interaction: 600, AuthorizationCode: 60 },
		interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
		cookies: { keys: ['only for a demo'] },
	});
}

/** The page where a person says who they are, and whether it is all right. */
async function interact(provider, resource, request, response) {
	const { params, session, grantId, uid } = await provider.interactionDetails(request, response);
	const client = await provider.Client.find(params.client_id);
	if (request.method !== 'POST') {
		const page = signInPage(uid, client?.clientName ?? params.client_id, params.scope ?? '', session?.accountId);
		response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
		return;
	}
	const form = new URLSearchParams(await readText(request));
	if (form.get('answer') !== 'allow') {
		const no = { error: 'access_denied', error_description: 'You said no.' };
		await provider.interactionFinished(request, response, no, { mergeWithLastSubmission: false });
		return;
	}
	const accountId = session?.accountId ?? (form.get('name') || 'somebody');
	const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
	const grant = known ?? new provider.Grant({ accountId, clientId: params.client_id });
	grant.addOIDCScope(params.scope ?? '');
	grant.addResourceScope(resource, params.scope ?? '');
	const consent = { grantId: await grant.save() };
	await provider.interactionFinished(request, response, { login: { accountId }, consent });
}

function signInPage(uid, client, scope, name) {
	const who =
		name === undefined ? '<label>Your name <input name="name" value="demo" autofocus></label>' : escaped(name);
	return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign in to tracker</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:30em;margin:15vh auto;padding:0 1em}</style>
</head><body><h1>Sign in to tracker</h1>
<form method="post" action="/interaction/${escaped(uid)}">
<p>${who}</p><p><b>${escaped(client)}</b> wants to use: <code>${escaped(scope)}</code></p>
<p><button name="answer" value="allow">Allow</button> <button name="answer" value="refuse">Refuse</button></p>
</form></body></html>
`;
}

function escaped(value) {
	return value.replace(/[&<>"']/g, it => `&#${it.charCodeAt(0)};`);
}

export function json(response, status, value, headers = {}) {
	response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

export async function readText(request) {
	const chunks = [];
	for await (const chunk of request) {
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
}

export async function send(response, { status, headers, body }) {
	response.writeHead(status, Object.fromEntries(headers));
	for await (const chunk of body ?? []) {
		response.write(chunk);
	}
	response.end();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	const [, port = '8470'] = /^--port=(\d+)$/.exec(process.argv.find(it => it.startsWith('--port=')) ?? '') ?? [];
	const { url } = await startTracker({ port: Number(port) });
	process.stdout.write(`${JSON.stringify({ url })}\n`);
}

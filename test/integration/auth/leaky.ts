// A server that repeats whatever it was sent and gave: in results, errors, headers, logs, and at its token endpoint. It
// is its own authorization server, so that it knows every secret there is.
import { randomBytes } from 'node:crypto';
import type * as http from 'node:http';
import { type Asked, json, resultOf, ScriptedServer } from '../../support/httpServer.js';

export class LeakyServer {
	/** Everything that nobody but the two of us is to know. */
	readonly secrets = new Set<string>();
	/** Access tokens that are good. */
	readonly good = new Set<string>();
	/** What the token endpoint does with a request. */
	tokens: 'grants' | 'refuses' | 'challenges' = 'grants';
	private http!: ScriptedServer;

	static async start(): Promise<LeakyServer> {
		const it = new LeakyServer();
		it.http = await ScriptedServer.start((asked, response) => it.answer(asked, response));
		return it;
	}

	get url(): string {
		return this.http.url;
	}

	get origin(): string {
		return this.http.origin;
	}

	/** All that it knows, with so much before it that whoever cuts first cuts a secret. */
	get gossip(): string {
		return `${'z'.repeat(260)} ${[...this.secrets].join(' ')}`;
	}

	close(): Promise<void> {
		return this.http.close();
	}

	private secret(): string {
		// What has to be written otherwise in a form and in a URL. A quote would be escaped twice in the log of a header, which
		// nothing undoes.
		const secret = `${randomBytes(24).toString('base64url')}+/=`;
		this.secrets.add(secret);
		return secret;
	}

	private answer(asked: Asked, response: http.ServerResponse): void {
		const { pathname, searchParams } = new URL(asked.path, this.origin);
		const { authorization } = asked.headers;
		if (authorization !== undefined) {
			this.secrets.add(authorization.split(' ')[1] ?? '');
		}
		switch (pathname) {
			case '/mcp':
				this.answerMcp(asked, response);
				return;
			case '/.well-known/oauth-protected-resource/mcp':
				json(response, { resource: this.url, authorization_servers: [this.origin], scopes_supported: ['all'] });
				return;
			case '/.well-known/oauth-authorization-server':
				json(response, {
					issuer: this.origin,
					authorization_endpoint: `${this.origin}/authorize`,
					token_endpoint: `${this.origin}/token`,
					registration_endpoint: `${this.origin}/register`,
					code_challenge_methods_supported: ['S256'],
					token_endpoint_auth_methods_supported: ['client_secret_basic'],
				});
				return;
			case '/register':
				json(
					response,
					{ client_id: 'leaky client', client_secret: this.secret(), registration_access_token: this.secret() },
					201,
				);
				return;
			case '/authorize': {
				const to = new URL(searchParams.get('redirect_uri') ?? '');
				to.searchParams.set('code', this.secret());
				to.searchParams.set('state', searchParams.get('state') ?? '');
				response.writeHead(302, { location: to.href }).end();
				return;
			}
			case '/token':
				this.answerToken(new URLSearchParams(asked.body), response);
				return;
			default:
				json(response, {}, 404);
		}
	}

	private answerToken(form: URLSearchParams, response: http.ServerResponse): void {
		for (const name of ['code_verifier', 'code', 'refresh_token', 'client_secret', 'client_assertion', 'assertion']) {
			const value = form.get(name);
			if (value) {
				this.secrets.add(value);
			}
		}
		if (this.tokens === 'refuses') {
			json(response, { error: 'invalid_request', error_description: this.gossip }, 400);
			return;
		}
		if (this.tokens === 'challenges') {
			const said = this.gossip.replaceAll(/["\\]/g, '\\$&');
			json(response, {}, 401, { 'www-authenticate': `Basic error="odd", error_description="${said}"` });
			return;
		}
		const token = this.secret().replaceAll(/[^\w-]/g, '');
		this.secrets.add(token);
		this.good.add(token);
		json(response, {
			access_token: token,
			token_type: 'Bearer',
			expires_in: 3600,
			refresh_token: this.secret(),
		});
	}

	private answerMcp(asked: Asked, response: http.ServerResponse): void {
		const token = asked.headers.authorization?.replace(/^Bearer /, '') ?? '';
		const headers = { 'x-gossip': [...this.secrets].join(' ') };
		if (!this.good.has(token)) {
			const where = `resource_metadata="${this.origin}/.well-known/oauth-protected-resource/mcp"`;
			const said = `error_description="${[...this.secrets].join(' ').replaceAll(/["\\]/g, '\\$&')}"`;
			json(response, {}, 401, { ...headers, 'www-authenticate': `Bearer ${where}, ${said}` });
			return;
		}
		const { id, method } = asked.message;
		const error = (status = 200): void => {
			const said = { code: -32000, message: this.gossip, data: { gossip: this.gossip } };
			json(response, { jsonrpc: '2.0', id, error: said }, status, headers);
		};
		const { params = {} } = JSON.parse(asked.body || '{}') as { params?: { readonly name?: string } };
		switch (asked.method === 'POST' ? method : asked.method) {
			case 'initialize': {
				const serverInfo = { name: 'leaky', version: '1' };
				const about = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
				json(response, resultOf(asked, about), 200, headers);
				return;
			}
			case 'tools/list': {
				const tools = ['tell', 'fail', 'refuse', 'break'].map(name => ({ name, inputSchema: { type: 'object' } }));
				json(response, resultOf(asked, { tools }), 200, headers);
				return;
			}
			case 'tools/call': {
				const { name } = params;
				if (name === 'refuse' || name === 'break') {
					error(name === 'break' ? 500 : 200);
					return;
				}
				const content = [{ type: 'text', text: this.gossip }];
				json(response, resultOf(asked, { content, isError: name === 'fail' }), 200, headers);
				return;
			}
			default:
				if (id === undefined) {
					response.writeHead(asked.method === 'POST' ? 202 : 405).end();
				} else {
					const unknown = { code: -32601, message: 'Method not found' };
					json(response, { jsonrpc: '2.0', id, error: unknown });
				}
		}
	}
}

import * as assert from 'node:assert/strict';
import { type AuthSources, readAuthConfig, withException } from '../../../../src/core/config/authSettings.js';

const url = 'https://mcp.example/mcp';

function read(entry: unknown, more: Partial<AuthSources> = {}): ReturnType<typeof readAuthConfig> {
	return readAuthConfig({
		setting: { [url]: entry },
		url,
		configured: undefined,
		typed: undefined,
		keepTyped: () => Promise.resolve(),
		readFile: path => Promise.resolve(`text of ${path}\n`),
		...more,
	});
}

describe('how to sign in, as set', () => {
	it('a person with a browser where nothing is set, or nothing that can be understood', () => {
		for (const entry of [
			undefined,
			null,
			7,
			'x',
			{},
			{ grant: 'other', scopes: 'x', dpop: 'x', clientId: 4, clientMetadataUrl: 5 },
		]) {
			assert.deepEqual(read(entry), { kind: 'person' });
		}
		assert.deepEqual(read({ clientId: '', dpop: '' }), { kind: 'person' });
		for (const setting of [undefined, null, 'x']) {
			assert.deepEqual(read({}, { setting }), { kind: 'person' });
		}
	});

	it('takes what is understood of a list, and each way to bind keys', () => {
		assert.deepEqual(read({ scopes: ['a', 5, 'b'] }), { kind: 'person', scopes: ['a', 'b'] });
		for (const dpop of ['auto', 'always', 'never']) {
			assert.deepEqual(read({ dpop }), { kind: 'person', dpop });
		}
	});

	it('without what a grant needs is said by whoever uses it', async () => {
		assert.deepEqual(read({ grant: 'clientCredentials' }), { kind: 'clientCredentials', client: { clientId: '' } });
		const workload = read({ grant: 'workload' });
		assert.deepEqual(Object.keys(workload).toSorted(), ['assertion', 'issuer', 'kind']);
		assert.equal(workload.kind === 'workload' && (await workload.assertion()), 'text of');
		const named = read({ grant: 'workload', clientId: 'me' });
		assert.equal(named.kind === 'workload' && named.clientId, 'me');
		const enterprise = read({ grant: 'enterprise' });
		assert.ok(enterprise.kind === 'enterprise');
		const { subjectToken, ...provider } = enterprise.identityProvider;
		assert.deepEqual([enterprise.client, provider], [{ clientId: '' }, { issuer: '', clientId: '' }]);
		assert.equal(await subjectToken(), 'text of');
		const typed = { clientId: 'me', privateKey: 'PEM', issuer: 'https://as' };
		assert.deepEqual(read({ grant: 'clientCredentials' }, { typed }), {
			kind: 'clientCredentials',
			client: { ...typed, algorithm: 'ES256' },
		});
	});

	it('what was typed counts before settings, and these before the file of the server', () => {
		const configured = { clientId: 'file', scopes: ['a'] };
		const typed = { clientId: 'typed', clientSecret: 's', issuer: 'https://typed' };
		assert.deepEqual(read({}, { configured }), { kind: 'person', client: { clientId: 'file' }, scopes: ['a'] });
		assert.deepEqual(read({ clientId: 'set', issuer: 'https://as', scopes: ['b'] }, { configured }), {
			kind: 'person',
			client: { clientId: 'set', issuer: 'https://as' },
			scopes: ['b'],
		});
		assert.deepEqual(read({ clientId: 'set', issuer: 'https://as' }, { configured, typed }), {
			kind: 'person',
			client: typed,
			scopes: ['a'],
		});
	});

	it('a secret without an issuer, such as one of 0.1.0, is read only for the issuer that the person confirms', async () => {
		const typed = { clientId: 'me', clientSecret: 's' };
		for (const entry of [{}, { grant: 'clientCredentials' }, { grant: 'enterprise' }]) {
			const kept: unknown[] = [];
			const config = read(entry, { typed, keepTyped: it => Promise.resolve(void kept.push(it)) });
			assert.ok(config.kind !== 'workload' && config.client?.bindSecret, JSON.stringify(entry));
			assert.doesNotMatch(JSON.stringify(config), /"s"/);
			const bound = { ...typed, issuer: 'https://as' };
			assert.deepEqual(
				[await config.client.bindSecret('https://as'), kept],
				[bound, [{ ...bound, privateKey: undefined }]],
			);
			const named = read({ ...entry, issuer: 'https://set' }, { typed });
			assert.deepEqual(named.kind !== 'workload' && named.client, { ...typed, issuer: 'https://set' });
		}
	});

	it('belongs to the URL: a server of that name elsewhere gets nothing of it', () => {
		const setting = { tracker: { grant: 'workload', tokenFile: '/t' }, 'https://mcp.example/': { clientId: 'x' } };
		assert.deepEqual(read(undefined, { setting }), { kind: 'person' });
	});

	it('a hosted description, and keys bound as said', () => {
		assert.deepEqual(read({ dpop: 'always', clientMetadataUrl: 'https://me.example/client.json' }), {
			kind: 'person',
			clientMetadataUrl: 'https://me.example/client.json',
			dpop: 'always',
		});
	});

	it('a redirect URI on the loopback interface, with a port', () => {
		const good = [
			'http://localhost:3118/callback',
			'http://127.0.0.1:80',
			'http://[::1]:65535/',
			'http://localhost:1/a-b/c_d.e~f',
		];
		for (const redirectUri of good) {
			assert.deepEqual(read({ redirectUri }), { kind: 'person', redirectUri });
		}
		for (const redirectUri of [
			'http://localhost/callback',
			'https://localhost:3118/callback',
			'http://0.0.0.0:3118/',
			'http://localhost.evil.example:3118/',
			'http://localhost:3118@evil.example/',
			'http://192.168.0.1:3118/',
			'http://localhost:3118/?a=b',
			'http://localhost:3118/#a',
			'evil://localhost:3118/',
			7,
		]) {
			assert.deepEqual(read({ redirectUri }), { kind: 'person' });
		}
	});

	describe('exceptions', () => {
		const [at, named] = ['https://as/', 'https://as'];
		const all = { issuers: new Map([[at, named]]), pkce: true, resource: true };

		it('are read from the entry of the server, each only if it is valid', () => {
			const written = { issuers: { [at]: named, 'https://b': 7 }, pkce: true, resource: true };
			assert.deepEqual(read({ exceptions: written }), { kind: 'person', exceptions: all });
			for (const exceptions of [
				{ issuers: { [at]: true }, pkce: 'true', resource: 1 },
				{ issuers: named },
				['pkce'],
				true,
			]) {
				assert.deepEqual(read({ exceptions }), { kind: 'person' });
			}
		});

		it('are not read from the file of a server, from the entry of another server, or for all servers', () => {
			const entry = {
				exceptions: { pkce: true, resource: true, issuers: { [at]: named } },
				redirectUri: 'http://localhost:1',
			};
			const configured = { clientId: 'file', ...entry };
			const config = { kind: 'person', client: { clientId: 'file' } };
			for (const key of ['*', 'https://mcp.example/', `${url}/`, url.toUpperCase(), 'tracker']) {
				assert.deepEqual(
					read(undefined, { configured, setting: { [key]: entry, exceptions: entry.exceptions } }),
					config,
				);
			}
		});

		it('are added to the setting, which keeps all other values', () => {
			const before = {
				other: 7,
				[url]: { clientId: 'me', exceptions: { odd: 1, issuers: { 'https://b': 'https://c' } } },
			};
			let after: unknown = before;
			for (const exception of [
				{ what: 'issuer', issuer: at, named },
				{ what: 'pkce', issuer: at },
				{ what: 'resource', issuer: at },
			] as const) {
				after = withException(after, url, exception);
			}
			const issuers = { 'https://b': 'https://c', [at]: named };
			const exceptions = { odd: 1, issuers, pkce: true, resource: true };
			assert.deepEqual(after, { other: 7, [url]: { clientId: 'me', exceptions } });
			const first = withException(undefined, url, { what: 'pkce', issuer: at });
			assert.deepEqual(first, { [url]: { exceptions: { pkce: true } } });
		});
	});

	it('a client on its own, with a secret or a key', () => {
		const entry = { grant: 'clientCredentials', clientId: 'me', algorithm: 'RS256', keyId: 'k' };
		const issuer = 'https://as';
		assert.deepEqual(read(entry, { typed: { clientId: 'me', clientSecret: 's', issuer } }), {
			kind: 'clientCredentials',
			client: { clientId: 'me', clientSecret: 's', issuer },
		});
		assert.deepEqual(read(entry, { typed: { clientId: 'me', privateKey: 'PEM', issuer } }), {
			kind: 'clientCredentials',
			client: { clientId: 'me', privateKey: 'PEM', issuer, algorithm: 'RS256', keyId: 'k' },
		});
	});

	it('a workload reads its token each time', async () => {
		let count = 0;
		const config = read(
			{ grant: 'workload', tokenFile: '/run/token' },
			{ readFile: path => Promise.resolve(` ${path} ${++count}\n`) },
		);
		assert.ok(config.kind === 'workload');
		assert.deepEqual([await config.assertion(), await config.assertion()], ['/run/token 1', '/run/token 2']);
	});

	it("an organization's identity provider", async () => {
		const identityProvider = { issuer: 'https://idp', tokenEndpoint: 'https://idp/token', clientId: 'there' };
		const config = read({ grant: 'enterprise', clientId: 'here', tokenFile: '/id', identityProvider });
		assert.ok(config.kind === 'enterprise');
		const { subjectToken, ...idp } = config.identityProvider;
		assert.deepEqual(idp, identityProvider);
		assert.equal(await subjectToken(), 'text of /id');
		assert.deepEqual(config.client, { clientId: 'here' });
	});
});

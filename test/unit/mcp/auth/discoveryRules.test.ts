// What discovery makes of metadata, document by document: over a fetch that has them all.
import * as assert from 'node:assert/strict';
import { AuthHttp } from '../../../../src/mcp/auth/authHttp.js';
import { withoutQuery } from '../../../../src/mcp/auth/addresses.js';
import { discover } from '../../../../src/mcp/auth/discovery.js';
import type { AuthStep, HttpFetch } from '../../../../src/mcp/index.js';
import { authFailureOf } from '../../../support/authFailure.js';

const server = new URL('https://mcp.example/mcp');
const resourceUrl = 'https://mcp.example/.well-known/oauth-protected-resource';
const metadataOf = (issuer: string): string => `${issuer}/.well-known/oauth-authorization-server`;
const as = 'https://as.example';
const metadata = { issuer: as, token_endpoint: `${as}/token` };

interface Document {
	readonly status?: number;
	readonly body?: unknown;
	readonly location?: string;
	/** In place of an answer. */
	readonly broken?: string;
}

function look(documents: Readonly<Record<string, Document>>) {
	const asked: string[] = [];
	const questions: string[] = [];
	const steps: AuthStep[] = [];
	const sent: unknown[] = [];
	const fetch: HttpFetch = ({ method, url, headers: sentHeaders }) => {
		asked.push(url);
		sent.push([method, sentHeaders]);
		const { status = 200, body, location, broken } = documents[url] ?? { status: 404 };
		if (broken !== undefined) {
			return Promise.reject(new Error(broken));
		}
		const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
		return Promise.resolve({
			status,
			headers: { ...(location !== undefined && { location }) },
			read: onBytes => {
				onBytes(new TextEncoder().encode(text));
				return Promise.resolve();
			},
			discard: () => undefined,
		});
	};
	const report = (step: AuthStep): void => void steps.push(step);
	const mayVisit = (url: string): Promise<boolean> => {
		questions.push(url);
		return Promise.resolve(false);
	};
	const secrecy = { hide: () => undefined, text: (text: string) => text };
	const http = new AuthHttp({ server, fetch, report, secrecy, mayVisit });
	return {
		asked,
		sent,
		questions,
		steps,
		discover: (named?: string, preferred?: string) =>
			discover({ server, http, report }, named, preferred, new AbortController().signal),
	};
}

const resource = (more: object = {}): Document => ({
	body: { resource: server.href, authorization_servers: [as], ...more },
});

describe('discovery, document by document', () => {
	it('keeps fields of the expected type, and drops all others', async () => {
		const { discover } = look({
			[`${resourceUrl}/mcp`]: resource({ scopes_supported: ['a', 7, 'b'], dpop_bound_access_tokens_required: true }),
			[metadataOf(as)]: {
				body: {
					...metadata,
					authorization_endpoint: 7,
					registration_endpoint: ['https://x'],
					revocation_endpoint: { toString: 'x' },
					code_challenge_methods_supported: ['S256', 7, null],
					token_endpoint_auth_methods_supported: 'none',
					grant_types_supported: ['authorization_code'],
					dpop_signing_alg_values_supported: ['ES256'],
					authorization_response_iss_parameter_supported: 'true',
					client_id_metadata_document_supported: true,
					userinfo_endpoint: 'https://x',
				},
			},
		});
		assert.deepEqual(await discover(), {
			resource: server.href,
			resourceMetadataUrl: undefined,
			scopes: ['a', 'b'],
			needsDpop: true,
			isGuess: false,
			as: {
				...metadata,
				code_challenge_methods_supported: ['S256'],
				grant_types_supported: ['authorization_code'],
				dpop_signing_alg_values_supported: ['ES256'],
				client_id_metadata_document_supported: true,
			},
		});
	});

	it('a key is required only if the metadata say so', async () => {
		for (const said of [undefined, false, 'true', 1]) {
			const { discover } = look({
				[`${resourceUrl}/mcp`]: resource({ dpop_bound_access_tokens_required: said }),
				[metadataOf(as)]: { body: metadata },
			});
			assert.equal((await discover()).needsDpop, false);
		}
	});

	it('JSON that is not an object, or has no issuer, counts as no metadata', async () => {
		for (const body of ['<html>', '', [], null, 'null', 7, {}, { resource: 7, issuer: 7 }]) {
			const { discover, steps } = look({
				[`${resourceUrl}/mcp`]: { body },
				[metadataOf('https://mcp.example')]: { body },
			});
			const { as: found, ...rest } = await discover();
			assert.deepEqual(rest, {
				resource: undefined,
				resourceMetadataUrl: undefined,
				scopes: undefined,
				needsDpop: false,
				isGuess: true,
			});
			const issuer = 'https://mcp.example';
			assert.deepEqual(
				steps.filter(it => it.kind !== 'requested'),
				[
					{ kind: 'resource', from: 'none', resource: undefined, issuers: [issuer], scopes: undefined },
					{ kind: 'authorizationServer', issuer, from: 'defaults' },
				],
			);
			assert.deepEqual(found, {
				issuer: 'https://mcp.example',
				authorization_endpoint: 'https://mcp.example/authorize',
				token_endpoint: 'https://mcp.example/token',
				registration_endpoint: 'https://mcp.example/register',
			});
		}
	});

	it('a server of 2025-03-26 may serve its own metadata', async () => {
		const own = { ...metadata, issuer: 'https://mcp.example' };
		const { discover, steps } = look({ [metadataOf('https://mcp.example')]: { body: own } });
		const found = await discover();
		assert.deepEqual([found.as, found.isGuess], [own, false]);
		assert.deepEqual(steps.at(-1), { kind: 'authorizationServer', issuer: own.issuer, from: 'metadata' });
	});

	it('asks the well-known places if the named place has no metadata, and fails if these have none', async () => {
		const named = 'https://mcp.example/custom';
		const first = look({
			[named]: { broken: 'away' },
			[`${resourceUrl}/mcp`]: resource(),
			[metadataOf(as)]: { body: metadata },
		});
		assert.equal((await first.discover(named)).as.issuer, as);
		assert.deepEqual(
			first.steps.flatMap(it => (it.kind === 'resource' ? [it.from] : [])),
			['wellKnown'],
		);
		const second = look({ [`${resourceUrl}/mcp`]: { broken: 'away' }, [resourceUrl]: resource() });
		assert.deepEqual(await authFailureOf(second.discover()), {
			code: 'noAnswer',
			request: 'resourceMetadata',
			url: `${resourceUrl}/mcp`,
			why: 'away',
		});
		const unsafe = look({ [`${resourceUrl}/mcp`]: resource(), [metadataOf(as)]: { body: metadata } });
		assert.deepEqual(await authFailureOf(unsafe.discover('http://mcp.example/')), {
			code: 'unsafeUrl',
			request: 'resourceMetadata',
			url: 'http://mcp.example/',
			why: 'insecure',
		});
	});

	it('a challenge may name a path on the server', async () => {
		const { discover, asked } = look({
			'https://mcp.example/custom': resource(),
			[metadataOf(as)]: { body: metadata },
		});
		assert.equal((await discover('/custom')).resourceMetadataUrl, 'https://mcp.example/custom');
		assert.deepEqual(asked, ['https://mcp.example/custom', metadataOf(as)]);
		for (const [named, url, why] of [
			['//other.example/custom', '//other.example/custom', 'notAUrl'],
			['/custom\n', 'https://mcp.example/custom', 'characters'],
		] as const) {
			const request = 'resourceMetadata';
			assert.deepEqual(await authFailureOf(look({}).discover(named)), { code: 'unsafeUrl', request, url, why });
		}
	});

	it('fails if one issuer is not allowed, even if another is', async () => {
		for (const [issuer, why] of [
			['http://as.example', 'insecure'],
			['https://me@as.example', 'credentials'],
			['ftp://as.example', 'scheme'],
			['no url', 'characters'],
		] as const) {
			const { discover } = look({
				[`${resourceUrl}/mcp`]: resource({ authorization_servers: [issuer, as] }),
				[metadataOf(as)]: { body: metadata },
			});
			const request = 'serverMetadata';
			const url = withoutQuery(issuer);
			assert.deepEqual(await authFailureOf(discover()), { code: 'unsafeUrl', request, url, why });
		}
	});

	it('asks about an issuer nearer than the server, and fails if the answer is no', async () => {
		const { discover, asked, questions } = look({
			[`${resourceUrl}/mcp`]: resource({ authorization_servers: ['https://intranet.', as] }),
			[metadataOf(as)]: { body: metadata },
		});
		assert.deepEqual(await authFailureOf(discover()), {
			code: 'privateAddress',
			request: 'serverMetadata',
			url: 'https://intranet./',
		});
		assert.deepEqual([questions, asked.length], [['https://intranet.'], 1]);
	});

	it('fails if the metadata of an issuer name another issuer', async () => {
		const { discover } = look({
			[`${resourceUrl}/mcp`]: resource({ authorization_servers: [as, 'https://b.example'] }),
			[metadataOf(as)]: { body: { ...metadata, issuer: `${as}/` } },
			[metadataOf('https://b.example')]: { body: { ...metadata, issuer: 'https://b.example' } },
		});
		assert.deepEqual(await authFailureOf(discover()), { code: 'issuerMismatch', issuer: as, named: `${as}/` });
	});

	it('fails if the metadata are of another resource', async () => {
		const { discover } = look({ [`${resourceUrl}/mcp`]: resource({ resource: 'https://other.example/mcp' }) });
		assert.deepEqual(await authFailureOf(discover()), {
			code: 'resourceMismatch',
			server: server.href,
			resource: 'https://other.example/mcp',
		});
	});

	it('takes metadata from their own origin only, whatever redirects say', async () => {
		const { discover, asked } = look({
			[`${resourceUrl}/mcp`]: { status: 302, location: 'https://evil.example/resource' },
			[resourceUrl]: { status: 302, location: '/moved' },
			'https://mcp.example/moved': resource(),
			'https://evil.example/resource': resource({ authorization_servers: ['https://evil.example'] }),
			[metadataOf(as)]: { body: metadata },
		});
		assert.equal((await discover()).as.issuer, as);
		assert.deepEqual(asked, [`${resourceUrl}/mcp`, resourceUrl, 'https://mcp.example/moved', metadataOf(as)]);
	});
});

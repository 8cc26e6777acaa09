/** Everything that signing in takes. See `engine.ts` for what this promises. */
import { type DPoPHandle, refreshTokenGrantRequest, revocationRequest, type TokenEndpointResponse } from 'oauth4webapi';
import { onAbort } from '../../base/async.js';
import { isAbort, toMessage } from '../../base/errors.js';
import type { Disposable } from '../../base/lifecycle.js';
import type { JsonObject } from '../jsonrpc/messages.js';
import { assertPkce, signInByCode } from './authorizationCode.js';
import { AuthHttp } from './authHttp.js';
import { parseScopes } from './challenges.js';
import { chooseMethod, clientAuth } from './clientAuth.js';
import type { AuthConfig, PersonConfig } from './config.js';
import { type Discovered, discover } from './discovery.js';
import { createKey, createProver, dpopAlgorithm, dpopHandle, importKey } from './dpop.js';
import type { AuthEngine, AuthEngineOptions, Outcome, Prover, Task } from './engine.js';
import { AuthError, type AuthFailure, type SignInNeed } from './failure.js';
import { type ClientRecord, expiryOf, type Grant, union } from './grant.js';
import { grantToMachine, knownClientOf } from './machineGrants.js';
import { chooseClient, configuredClient } from './registration.js';
import { chooseScopes, type ScopeChoice } from './scopes.js';
import { Secrets } from './secrets.js';
import type { AuthStep } from './steps.js';
import { optionsOf, requestTokens, type TokenEndpoint } from './tokenRequest.js';

/** A key, as it is kept and as it is used. */
interface Binding {
	readonly key: JsonObject;
	readonly handle: DPoPHandle;
}

/** One sign-in from the moment on at which it is known where it leads. */
interface Attempt {
	readonly task: Task;
	readonly config: AuthConfig;
	readonly found: Discovered;
	readonly http: AuthHttp;
	readonly signal: AbortSignal;
}

/** What an authorization server says of itself and not of a refresh token. Anything else is its last word on that. */
const passing: ReadonlySet<string> = new Set([
	'temporarily_unavailable',
	'server_error',
	'slow_down',
	'use_dpop_nonce',
]);

/** Milliseconds for a person to sign in: whoever has left the page open is not waited for for ever. */
const personMs = 15 * 60_000;
/** What a header can carry. RFC 6750, 2.1, is stricter. */
const headerText = /^[\x21-\x7e]+$/;

export class OAuthEngine implements AuthEngine {
	private readonly secrets: Secrets;

	constructor(private readonly options: AuthEngineOptions) {
		this.secrets = new Secrets(options.store, options.server.href);
	}

	async obtain(task: Task, signal: AbortSignal): Promise<Outcome> {
		let isForgotten = false;
		try {
			const attempt = await this.begin(task, signal);
			let { grant } = task;
			if (grant && grant.issuer !== attempt.found.as.issuer) {
				// Spec 2026-07-28, authorization server binding: nothing of one server is shown to another.
				await this.forget(grant, 'otherIssuer');
				grant = undefined;
				isForgotten = true;
			}
			const refreshToken = grant?.refreshToken;
			if (grant && refreshToken !== undefined && task.mayRefresh && task.demand?.error !== 'insufficient_scope') {
				const refreshed = await this.refresh(attempt, grant, refreshToken);
				// A person who waits for it is not sent away because of what may pass.
				if (refreshed.kind === 'granted' || !(refreshed.isForgotten || task.person === 'waiting')) {
					return refreshed;
				}
				({ isForgotten } = refreshed);
			}
			return { kind: 'granted', grant: await this.signIn(attempt, grant), isSamePerson: false };
		} catch (error) {
			signal.throwIfAborted();
			const failure = failureOf(error);
			this.options.report({ kind: 'failed', failure });
			return { kind: 'failed', failure, isForgotten };
		}
	}

	async prover(grant: Grant): Promise<Prover | undefined> {
		try {
			return grant.key && (await createProver({ ...grant, key: grant.key }));
		} catch {
			return undefined;
		}
	}

	async revoke(grant: Grant, signal: AbortSignal): Promise<void> {
		try {
			const attempt = await this.begin(
				{ grant, wasSignedIn: true, demand: undefined, person: 'absent', mayRefresh: false },
				signal,
			);
			const { as } = attempt.found;
			if (as.issuer === grant.issuer) {
				const endpoint = await this.endpoint(attempt, grant.client, 'revocation', undefined);
				const { client, clientAuth } = endpoint;
				const token = grant.refreshToken ?? grant.accessToken;
				await revocationRequest(as, client, clientAuth, token, optionsOf(endpoint));
			}
		} catch {
			// The report says how far it came; what was forgotten here is forgotten all the same.
		}
	}

	private async begin(task: Task, signal: AbortSignal): Promise<Attempt> {
		const { server, fetch, report, limits, prompt, config, secrecy } = this.options;
		const isThere = task.person !== 'absent';
		const mayVisit = (url: string): Promise<boolean> =>
			isThere ? prompt.mayVisit({ url, server: server.href }, signal) : Promise.resolve(false);
		const http = new AuthHttp({ server, fetch, report, secrecy, limits, mayVisit });
		const { demand, grant } = task;
		const named = demand?.resourceMetadata ?? grant?.resourceMetadataUrl;
		const settings = await orFailure(config(), () => ({ code: 'badConfiguration', what: 'settings' }));
		const preferred = knownClientOf(settings)?.issuer ?? grant?.issuer;
		const found = await discover({ server, http, report }, named, preferred, signal);
		return { task, config: settings, found, http, signal };
	}

	private async refresh(attempt: Attempt, grant: Grant, refreshToken: string): Promise<Outcome> {
		const { found, config } = attempt;
		const { resource } = found;
		try {
			const known = knownClientOf(config);
			const isConfigured = grant.client.way === 'configured' && known;
			const client = isConfigured ? configuredClient(known, found.as.issuer) : grant.client;
			const key = grant.key && { key: grant.key, handle: dpopHandle(await importKey(grant.key)) };
			// Never given up half-way: the authorization server may have replaced the refresh token already.
			const { signal } = new AbortController();
			const endpoint = await this.endpoint({ ...attempt, signal }, client, 'token', key?.handle);
			const answer = await requestTokens(endpoint, options =>
				refreshTokenGrantRequest(found.as, endpoint.client, endpoint.clientAuth, refreshToken, {
					...options,
					...(resource === undefined ? {} : { additionalParameters: { resource } }),
				}),
			);
			const asked = grant.asked;
			const fresh = this.toGrant(attempt, client, answer, asked, key?.key);
			const renewed: Grant = {
				...fresh,
				by: grant.by,
				refreshToken: fresh.refreshToken ?? refreshToken,
				scopes: fresh.scopes ?? grant.scopes,
			};
			return { kind: 'granted', grant: await this.keep(renewed, 'refresh'), isSamePerson: true };
		} catch (error) {
			const failure = failureOf(error);
			const isFinal = failure.code === 'refused' && !passing.has(failure.refusal.error);
			this.options.report({ kind: 'notRefreshed', failure, isKept: !isFinal });
			if (isFinal) {
				const other = await this.secrets.grant();
				if (other && other.refreshToken !== refreshToken && other.issuer === grant.issuer) {
					// Another window was faster, and its refresh made ours worthless. Who signed in there is not known.
					return { kind: 'granted', grant: other, isSamePerson: false };
				}
				await this.forget(grant, 'refused');
				if (failure.refusal.error === 'invalid_client') {
					await this.secrets.forgetClient(grant.issuer);
				}
			}
			return { kind: 'failed', failure, isForgotten: isFinal };
		}
	}

	private async signIn(attempt: Attempt, grant: Grant | undefined): Promise<Grant> {
		const { task, config, found, signal } = attempt;
		const { report, server } = this.options;
		const { scopes, from } = scopesFor(attempt, grant);
		if (config.kind !== 'person') {
			report({ kind: 'scopes', scopes, from });
			return this.signInMachine(attempt, config, scopes);
		}
		const { as, isGuess } = found;
		if (!isGuess) {
			assertPkce(as);
		}
		const need: SignInNeed = { server: server.href, issuer: as.issuer, isGuess, scopes, why: whyOf(task) };
		const { person } = task;
		if (person === 'absent' || !(await this.options.prompt.mayInteract(need, signal, person === 'waiting'))) {
			throw new AuthError({ code: 'signInNeeded', need });
		}
		signal.throwIfAborted();
		report({ kind: 'scopes', scopes, from });
		// Given up on purpose, or left alone for long: who asks next is asked again.
		const limited = limitedSignal(signal, personMs);
		try {
			return await this.signInPerson({ ...attempt, signal: limited.signal }, config, scopes);
		} catch (error) {
			throw isAbort(error) && !signal.aborted ? new AuthError({ code: 'signInNeeded', need }) : error;
		} finally {
			limited.dispose();
		}
	}

	private async signInPerson(attempt: Attempt, config: PersonConfig, scopes: readonly string[]): Promise<Grant> {
		const { found, http, signal } = attempt;
		const { redirect, report, server, client: facts, prompt, now } = this.options;
		const { as, resource } = found;
		const kept = await this.secrets.client(as.issuer);
		const target = await orFailure(redirect.open(kept?.redirectUri, signal), why => ({ code: 'noBrowser', why }));
		try {
			signal.throwIfAborted();
			report({ kind: 'redirect', way: target.kind, uri: target.uri });
			const { secrets } = this;
			const { client, why } = await chooseClient(
				{ server, facts, http, secrets, prompt, now },
				{ as, config, redirectUri: target.uri },
				signal,
			);
			const method = chooseMethod(client, config.client, as);
			report({ kind: 'client', way: client.way, why, clientId: client.clientId, method });
			const binding = await this.bind(attempt);
			const thumbprint = await binding?.handle.calculateThumbprint();
			const endpoint = await this.endpoint(attempt, client, 'token', binding?.handle);
			const flow = { http, report, target, scopes, resource, thumbprint };
			const answer = await this.forgetRefusedClient(client, as.issuer, signInByCode(flow, endpoint));
			return await this.keep(this.toGrant(attempt, client, answer, scopes, binding?.key), 'code');
		} finally {
			target.dispose();
		}
	}

	private async signInMachine(
		attempt: Attempt,
		config: Exclude<AuthConfig, { kind: 'person' }>,
		scopes: readonly string[],
	): Promise<Grant> {
		const { found } = attempt;
		const client: ClientRecord =
			config.kind === 'workload'
				? { way: config.clientId === undefined ? 'none' : 'configured', clientId: config.clientId ?? '' }
				: configuredClient(config.client, found.as.issuer);
		const method = chooseMethod(client, knownClientOf(config), found.as);
		this.options.report({ kind: 'client', way: client.way, why: [], clientId: client.clientId || undefined, method });
		const binding = await this.bind(attempt);
		const endpoint = await this.endpoint(attempt, client, 'token', binding?.handle);
		const task = { resource: found.resource, server: this.options.server.href, scopes };
		const answer = await grantToMachine(config, task, endpoint);
		return this.keep(this.toGrant(attempt, client, answer, scopes, binding?.key), config.kind);
	}

	/** @returns undefined where tokens are not bound */
	private async bind({ task, config, found }: Attempt): Promise<Binding | undefined> {
		const { dpop = 'auto' } = config;
		const isWanted = found.needsDpop || task.demand?.isDpop === true;
		if (dpop === 'never' || (dpop === 'auto' && !isWanted)) {
			return undefined;
		}
		const algorithm = dpopAlgorithm(found.as.dpop_signing_alg_values_supported);
		if (algorithm === undefined) {
			throw new AuthError({ code: 'badAnswer', request: 'serverMetadata', why: 'no algorithm for DPoP in common' });
		}
		const key = await createKey(algorithm);
		return { key, handle: dpopHandle(await importKey(key)) };
	}

	private async endpoint(
		{ found, config, http, signal }: Attempt,
		record: ClientRecord,
		request: 'token' | 'revocation',
		dpop: DPoPHandle | undefined,
	): Promise<TokenEndpoint> {
		const known = record.way === 'configured' ? knownClientOf(config) : undefined;
		const { as } = found;
		const auth =
			record.way === 'none' ? () => undefined : await clientAuth(chooseMethod(record, known, as), record, known);
		// The library wants an id, whether it is sent or not.
		return { as, client: { client_id: record.clientId || 'none' }, clientAuth: auth, http, request, dpop, signal };
	}

	private toGrant(
		{ found, config }: Attempt,
		client: ClientRecord,
		answer: TokenEndpointResponse,
		asked: readonly string[],
		key: JsonObject | undefined,
	): Grant {
		if (!headerText.test(answer.access_token)) {
			throw new AuthError({ code: 'badAnswer', request: 'token', why: 'no header can carry the token' });
		}
		const isBound = answer.token_type === 'dpop';
		if (isBound && !key) {
			throw new AuthError({ code: 'badAnswer', request: 'token', why: 'the token is bound to a key that is not ours' });
		}
		if (!isBound && config.dpop === 'always') {
			throw new AuthError({ code: 'badAnswer', request: 'token', why: 'the token is not bound to the key' });
		}
		const scopes = parseScopes(answer.scope);
		const { clientSecret: _, ...withoutSecret } = client;
		return {
			issuer: found.as.issuer,
			resource: found.resource,
			resourceMetadataUrl: found.resourceMetadataUrl,
			accessToken: answer.access_token,
			tokenType: isBound ? 'dpop' : 'bearer',
			...expiryOf(answer.expires_in, this.options.now()),
			refreshToken: answer.refresh_token,
			asked: union(asked, scopes),
			scopes,
			client: client.way === 'configured' ? withoutSecret : client,
			by: config.kind === 'person' ? 'code' : config.kind,
			key: isBound ? key : undefined,
		};
	}

	private async keep(grant: Grant, by: Extract<AuthStep, { kind: 'granted' }>['by']): Promise<Grant> {
		await this.secrets.keepGrant(grant);
		const { scopes, expiresAt, refreshToken, tokenType } = grant;
		const refreshable = refreshToken !== undefined;
		this.options.report({ kind: 'granted', by, scopes, expiresAt, refreshable, isBound: tokenType === 'dpop' });
		return grant;
	}

	private async forget(grant: Grant, why: 'refused' | 'otherIssuer'): Promise<void> {
		const kept = await this.secrets.grant();
		if (!kept || kept.accessToken === grant.accessToken) {
			await this.secrets.forgetGrant();
		}
		this.options.report({ kind: 'forgotten', why });
	}

	/** A registration that the authorization server no longer knows is not shown to it again. */
	private async forgetRefusedClient<T>({ way }: ClientRecord, issuer: string, signingIn: Promise<T>): Promise<T> {
		try {
			return await signingIn;
		} catch (error) {
			const failure = error instanceof AuthError ? error.failure : undefined;
			if (failure?.code === 'refused' && failure.refusal.error === 'invalid_client' && way !== 'configured') {
				await this.secrets.forgetClient(issuer);
			}
			throw error;
		}
	}
}

function scopesFor({ task: { demand }, config, found }: Attempt, grant: Grant | undefined): ScopeChoice {
	return chooseScopes({
		before: grant?.asked,
		configured: config.scopes,
		demanded: demand?.scopes,
		suggested: found.scopes,
		offered: found.as.scopes_supported,
		isStepUp: demand?.error === 'insufficient_scope',
		isPerson: config.kind === 'person',
	});
}

function whyOf({ grant, wasSignedIn, demand }: Task): SignInNeed['why'] {
	if (!grant) {
		return wasSignedIn ? 'expired' : 'first';
	}
	return demand?.error === 'insufficient_scope' ? 'moreScopes' : 'expired';
}

/** What a port throws is the failure that it stands for, unless it was told to stop. */
async function orFailure<T>(promise: Promise<T>, failureFor: (why: string) => AuthFailure): Promise<T> {
	try {
		return await promise;
	} catch (error) {
		throw isAbort(error) ? error : new AuthError(failureFor(toMessage(error)));
	}
}

/** Aborts as `signal` does, or after so many milliseconds. */
function limitedSignal(signal: AbortSignal, ms: number): { readonly signal: AbortSignal } & Disposable {
	const controller = new AbortController();
	const timer = setTimeout(() => controller.abort(), ms);
	const stopped = onAbort(signal, () => controller.abort());
	return {
		signal: controller.signal,
		dispose() {
			clearTimeout(timer);
			stopped.dispose();
		},
	};
}

/** @throws what is no failure of authorization */
function failureOf(error: unknown): AuthFailure {
	if (error instanceof AuthError) {
		return error.failure;
	}
	if (isAbort(error)) {
		throw error;
	}
	// The library's own complaints about what it was given are of what a server said.
	return { code: 'badAnswer', request: 'token', why: toMessage(error) };
}

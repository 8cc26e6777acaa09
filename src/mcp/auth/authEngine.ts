/**
 * The engine that gets tokens: discovery, client registration, sign-in, refresh and revocation. `AuthEngine` in `ports.ts`
 * is its contract.
 */
import { type DPoPHandle, refreshTokenGrantRequest, revocationRequest, type TokenEndpointResponse } from 'oauth4webapi';
import { clock } from '../../base/clock.js';
import { isAbort, toMessage } from '../../base/errors.js';
import { sha256 } from '../../base/hash.js';
import type { JsonObject } from '../jsonrpc/messages.js';
import { endpointOf, signInByCode } from './authorizationCode.js';
import { AuthHttp } from './authHttp.js';
import { type Demand, parseScopes } from './challenges.js';
import { chooseMethod, clientAuth } from './clientAuth.js';
import type { AuthConfig, KnownClient, PersonConfig } from './config.js';
import { type Discovered, discover } from './discovery.js';
import { createKey, createProver, dpopAlgorithm, dpopHandle } from './dpop.js';
import type { AuthEngine, AuthEngineOptions, Outcome, Prover, TokenTask } from './ports.js';
import { AuthError, type AuthException, type AuthFailure, type SignInNeed, withGuess } from './failure.js';
import { type ClientRecord, expiryOf, type TokenGrant, mergeScopes } from './grant.js';
import { requestMachineTokens } from './machineGrants.js';
import { chooseClient, type ClientReasons, configuredClient, register, registersClient } from './registration.js';
import { Secrets } from './secrets.js';
import type { AuthStep } from './signInSteps.js';
import { optionsOf, requestTokens, type TokenEndpoint } from './tokenRequest.js';

/** A DPoP key: as it is stored, and for the library. */
interface Binding {
	readonly key: JsonObject;
	readonly handle: DPoPHandle;
}

/** One attempt to get tokens, after discovery has found the authorization server. */
interface Attempt {
	readonly task: TokenTask;
	readonly config: AuthConfig;
	readonly found: Discovered;
	/** Whether the token endpoint is on the host that the person has confirmed or, without one, on the issuer's host. */
	readonly isKnownHost: boolean;
	readonly http: AuthHttp;
	/** The exceptions of `config` that apply to this authorization server. */
	readonly exceptions: readonly AuthException[];
	readonly signal: AbortSignal;
}

/** Temporary OAuth errors, which say nothing about the refresh token. */
const temporaryErrors: ReadonlySet<string> = new Set([
	'temporarily_unavailable',
	'server_error',
	'slow_down',
	'use_dpop_nonce',
]);

/**
 * OAuth errors after which the person is asked to sign in, although the refresh token may still be valid. Every other error
 * means that it is invalid. A status 401 with a challenge and without an error counts as `unauthorized`.
 */
const doubtfulErrors: ReadonlySet<string> = new Set(['invalid_request', 'unauthorized']);

/** The scope for a refresh token. */
const offline = 'offline_access';
/** Milliseconds until a sign-in page that was left open counts as cancelled. */
const personMs = 15 * 60_000;
/** A token that an HTTP header can carry. RFC 6750, 2.1, allows fewer characters. */
const headerText = /^[\x21-\x7e]+$/;

export class OAuthEngine implements AuthEngine {
	private readonly secrets: Secrets;

	constructor(private readonly options: AuthEngineOptions) {
		this.secrets = new Secrets(options.store, options.server.href);
	}

	async obtain(task: TokenTask, signal: AbortSignal): Promise<Outcome> {
		let isForgotten = false;
		try {
			const attempt = await this.begin(task, signal);
			let { grant } = task;
			if (grant && !(grant.issuer === attempt.found.as.issuer && attempt.isKnownHost)) {
				// Spec 2026-07-28, authorization server binding: tokens go only to their issuer, and we also require the confirmed host.
				await this.forget(grant, 'otherIssuer');
				grant = undefined;
				isForgotten = true;
			}
			const refreshToken = grant?.refreshToken;
			const mayRefresh =
				task.mayRefresh && !clientOf(attempt.config)?.bindSecret && task.demand?.error !== 'insufficient_scope';
			if (grant && refreshToken !== undefined && mayRefresh) {
				const refreshed = await this.refresh(attempt, grant, refreshToken);
				if (refreshed.kind === 'granted') {
					return refreshed;
				}
				({ isForgotten } = refreshed);
				// If the person has chosen to sign in, a temporary error of the refresh must not prevent it.
				if (isTemporary(refreshed.failure) && task.person !== 'waiting') {
					return refreshed;
				}
			}
			return { kind: 'granted', grant: await this.signIn(attempt, grant), isSamePerson: false };
		} catch (error) {
			signal.throwIfAborted();
			const failure = failureOf(error);
			this.options.report({ kind: 'failed', failure });
			return { kind: 'failed', failure, isForgotten };
		}
	}

	async prover(grant: TokenGrant): Promise<Prover | undefined> {
		try {
			return grant.key && (await createProver({ ...grant, key: grant.key }));
		} catch {
			return undefined;
		}
	}

	async revoke(grant: TokenGrant, signal: AbortSignal): Promise<void> {
		try {
			const attempt = await this.begin(
				{ grant, wasSignedIn: true, demand: undefined, person: 'absent', mayRefresh: false },
				signal,
			);
			const { as } = attempt.found;
			const isOnTokenHost = new URL(as.revocation_endpoint ?? '').host === endpointOf(as, 'token').host;
			if (as.issuer === grant.issuer && attempt.isKnownHost && isOnTokenHost) {
				const endpoint = await this.endpoint(attempt, currentClient(attempt, grant), 'revocation', undefined);
				const { client, clientAuth } = endpoint;
				const token = grant.refreshToken ?? grant.accessToken;
				await revocationRequest(as, client, clientAuth, token, optionsOf(endpoint));
			}
		} catch {
			// The report has the failed request, and signing out doesn't depend on the revocation.
		}
	}

	private async begin(task: TokenTask, signal: AbortSignal): Promise<Attempt> {
		const { server, fetch, report, requestMs, prompt, config, secrecy } = this.options;
		const isOnTokenHost = task.person !== 'absent';
		const mayVisit = (url: string): Promise<boolean> =>
			isOnTokenHost ? prompt.mayVisit({ url, server: server.href }, signal) : Promise.resolve(false);
		const http = new AuthHttp({ server, fetch, report, secrecy, requestMs, mayVisit });
		const { demand, grant } = task;
		const named = demand?.resourceMetadata ?? grant?.resourceMetadataUrl;
		const settings = await orFailure(config(), () => ({ code: 'badConfiguration', what: 'settings' }));
		const issuer = settings.kind === 'workload' ? settings.issuer : settings.client?.issuer;
		// Without a browser, the person must have named the authorization server, or confirm it.
		if (settings.kind !== 'person' && !issuer && !clientOf(settings)?.bindSecret) {
			throw new AuthError({ code: 'badConfiguration', what: 'issuer' });
		}
		const { exceptions: allowed } = settings;
		const options = { server, http, report, acceptedIssuers: allowed?.issuers };
		const discovered = await discover(options, named, issuer ?? grant?.issuer, signal);
		const found = allowed?.resource ? { ...discovered, resource: undefined } : discovered;
		// These two checks decide where a secret, key or token goes: no sign-in, refresh or revocation begins without them.
		if (issuer !== undefined && issuer !== found.as.issuer) {
			throw new AuthError({ code: 'otherIssuer', issuer: found.as.issuer, configured: issuer });
		}
		const { as } = found;
		const known = (await this.secrets.hosts(as.issuer))?.split(' ')[1] ?? new URL(as.issuer).host;
		const isKnownHost = endpointOf(as, 'token').host === known;
		const exceptions = exceptionsAt(discovered, settings);
		exceptions.forEach(it => report({ kind: 'exception', ...it }));
		return { task, config: settings, found, isKnownHost, http, exceptions, signal };
	}

	private async refresh(attempt: Attempt, grant: TokenGrant, refreshToken: string): Promise<Outcome> {
		const { found } = attempt;
		const { resource } = found;
		try {
			const client = currentClient(attempt, grant);
			const key = grant.key && { key: grant.key, handle: await dpopHandle(grant.key) };
			// Not cancellable: the authorization server may have replaced the refresh token already.
			const { signal } = new AbortController();
			const endpoint = await this.endpoint({ ...attempt, signal }, client, 'token', key?.handle);
			// Optional by RFC 6749, 6, but Entra requires it.
			const { scopes = grant.asked } = grant;
			const scope = scopes.length > 0 && { scope: scopes.join(' ') };
			const additionalParameters = { ...(resource !== undefined && { resource }), ...scope };
			const answer = await requestTokens(endpoint, options =>
				refreshTokenGrantRequest(found.as, endpoint.client, endpoint.clientAuth, refreshToken, {
					...options,
					additionalParameters,
				}),
			);
			const fresh = this.toGrant(attempt, client, answer, grant.asked, key?.key);
			const renewed: TokenGrant = {
				...fresh,
				by: grant.by,
				refreshToken: fresh.refreshToken ?? refreshToken,
				scopes: fresh.scopes ?? grant.scopes,
			};
			return { kind: 'granted', grant: await this.keep(renewed, 'refresh'), isSamePerson: true };
		} catch (error) {
			const failure = failureOf(error);
			const isKept = isTemporary(failure) || isDoubtful(failure);
			this.options.report({ kind: 'notRefreshed', failure, isKept });
			const other = isTemporary(failure) ? undefined : await this.secrets.grant();
			if (other && other.refreshToken !== refreshToken && other.issuer === grant.issuer) {
				// Another window has refreshed first, which invalidated this token, or another account was signed in there.
				return { kind: 'granted', grant: other, isSamePerson: false };
			}
			if (!isKept) {
				await this.forget(grant, 'refused');
				if (failure.code === 'refused' && failure.refusal.error === 'invalid_client') {
					await this.secrets.forget(this.secrets.clientKey(grant.issuer));
				}
			}
			return { kind: 'failed', failure, isForgotten: !isKept };
		}
	}

	private async signIn(attempt: Attempt, grant: TokenGrant | undefined): Promise<TokenGrant> {
		const { task, config, found, signal } = attempt;
		const { report } = this.options;
		const { scopes, from } = chooseScopes({ ...attempt, demand: task.demand }, grant?.asked);
		if (config.kind !== 'person' && !clientOf(config)?.bindSecret && attempt.isKnownHost) {
			report({ kind: 'scopes', scopes, from });
			return this.signInMachine(attempt, config, scopes);
		}
		const { need, confirmed } = await this.confirm(attempt, scopes);
		if (confirmed.kind !== 'person') {
			return this.signIn({ ...attempt, config: confirmed, isKnownHost: true }, grant);
		}
		report({ kind: 'scopes', scopes, from });
		const expired = new AbortController();
		const timer = clock.setTimeout(() => expired.abort(), personMs);
		try {
			const limited = { ...attempt, config: confirmed, signal: AbortSignal.any([signal, expired.signal]) };
			return await this.signInPerson(limited, confirmed, scopes);
		} catch (error) {
			// Cancelled by the person, or left open for too long: the next request asks again.
			const isLeft = isAbort(error) && !signal.aborted;
			throw isLeft ? new AuthError({ code: 'signInNeeded', need }) : found.isGuess ? withGuess(error) : error;
		} finally {
			clock.clearTimeout(timer);
		}
	}

	/**
	 * Asks the person whether to sign in, and keeps what they confirm for the next time.
	 * @returns what they were asked, and the configuration with a secret for this issuer only
	 * @throws AuthError `signInNeeded`, `noPkce`, `noEndpoint`, `unsafeUrl`; `badConfiguration` if the secret can't be kept
	 */
	private async confirm(
		{ task, config, found, isKnownHost, exceptions, signal }: Attempt,
		scopes: readonly string[],
	): Promise<{ readonly need: SignInNeed; readonly confirmed: AuthConfig }> {
		const { prompt, server } = this.options;
		const { as, isGuess } = found;
		const { issuer } = as;
		const isPerson = config.kind === 'person';
		// Spec 2025-11-25: a client MUST NOT proceed unless the metadata lists S256.
		if (lacksPkce(found, config) && config.exceptions?.pkce !== true) {
			throw new AuthError({ code: 'noPkce', issuer });
		}
		const page = isPerson ? endpointOf(as, 'authorization') : undefined;
		const token = endpointOf(as, 'token');
		const hosts = `${page?.host} ${token.host}`;
		const isKept = (await this.secrets.hosts(issuer)) === hosts;
		const isMixed =
			page !== undefined &&
			page.host !== token.host &&
			// With an accepted issuer, the issuer in a response doesn't prove which authorization server sent it.
			(as.authorization_response_iss_parameter_supported !== true || as.namedIssuer !== undefined) &&
			!isKept;
		const known = clientOf(config) ?? (await this.secrets.client(issuer));
		const { bindSecret } = clientOf(config) ?? {};
		const hasSecret = config.kind === 'workload' || (known?.clientSecret ?? known?.privateKey) !== undefined;
		const bindsSecret = bindSecret !== undefined || (!isKnownHost && hasSecret);
		const where = { page: page?.href, tokenEndpoint: token.href, bindsSecret, isMixed };
		const also = exceptions.length > 0 && { exceptions };
		const need = { server: server.href, issuer, isGuess, scopes, why: whyOf(task), ...where, ...also };
		if (task.person === 'absent' || !(await prompt.mayInteract(need, signal, task.person === 'waiting'))) {
			throw new AuthError({ code: 'signInNeeded', need });
		}
		signal.throwIfAborted();
		if (!isKept) {
			await this.secrets.keep(this.secrets.hostsKey(issuer), hosts);
		}
		const settings = { code: 'badConfiguration', what: 'settings' } as const;
		const client = bindSecret && (await orFailure(bindSecret(issuer), why => ({ ...settings, why })));
		return { need, confirmed: client ? ({ ...config, client } as AuthConfig) : config };
	}

	private async signInPerson(attempt: Attempt, config: PersonConfig, scopes: readonly string[]): Promise<TokenGrant> {
		const { found, http, signal } = attempt;
		const { redirect, report, client: facts, prompt, now } = this.options;
		const { as, resource } = found;
		const { namedIssuer: issuer = as.issuer } = as;
		const kept = await this.secrets.client(as.issuer);
		// RFC 9700, 4.4.2.2: a redirect URI for each issuer, so that the answer of another authorization server isn't accepted.
		const tail = registersClient(config, as, kept) ? `/${(await sha256(as.issuer)).slice(0, 12)}` : '';
		const fixed = tail === '' ? config.redirectUri : undefined;
		const opened = redirect.open(kept?.redirectUri, tail, signal, fixed);
		const target = await orFailure(opened, why =>
			fixed === undefined ? { code: 'noBrowser', why } : { code: 'noRedirect', uri: fixed, why },
		);
		try {
			signal.throwIfAborted();
			report({ kind: 'redirect', way: target.kind, uri: target.uri });
			const { secrets } = this;
			const listed = found.scopes ?? as.scopes_supported;
			const choice = { facts, http, secrets, prompt, now, as, config, redirectUri: target.uri };
			const options = { ...choice, scopes: mergeScopes(scopes, listed) };
			const signInAs = async (client: ClientRecord, why: ClientReasons): Promise<TokenGrant> => {
				const method = chooseMethod(client, as);
				report({ kind: 'client', way: client.way, why, clientId: client.clientId, method });
				const binding = await this.bind(attempt);
				const endpoint = await this.endpoint(attempt, client, 'token', binding?.handle);
				const signingIn = signInByCode({ http, report, target, scopes, resource, issuer }, endpoint);
				const answer = await this.forgetRefusedClient(client, as.issuer, signingIn);
				return this.keep(this.toGrant(attempt, client, answer, scopes, binding?.key), 'code');
			};
			const { client, why } = await chooseClient(options, signal);
			try {
				return await signInAs(client, why);
			} catch (error) {
				// Some authorization servers grant a client only the scopes that it was registered with.
				const lacksScopes = tail !== '' && !scopes.every(it => client.scopes?.includes(it));
				if (!lacksScopes || as.registration_endpoint === undefined || !isScopeRefused(error)) {
					throw error;
				}
				return await signInAs(await register(options, signal, options.scopes), ['scopeRefused']);
			}
		} finally {
			target.dispose();
		}
	}

	private async signInMachine(
		attempt: Attempt,
		config: Exclude<AuthConfig, { kind: 'person' }>,
		scopes: readonly string[],
	): Promise<TokenGrant> {
		const { found } = attempt;
		const client: ClientRecord =
			config.kind === 'workload'
				? { way: config.clientId === undefined ? 'none' : 'configured', clientId: config.clientId ?? '' }
				: configuredClient(config.client);
		const method = chooseMethod(client, found.as);
		this.options.report({ kind: 'client', way: client.way, why: [], clientId: client.clientId || undefined, method });
		const binding = await this.bind(attempt);
		const endpoint = await this.endpoint(attempt, client, 'token', binding?.handle);
		const task = { resource: found.resource, server: this.options.server.href, scopes };
		const answer = await requestMachineTokens(config, task, endpoint);
		return this.keep(this.toGrant(attempt, client, answer, scopes, binding?.key), config.kind);
	}

	/** Creates a key for the new tokens; undefined if they are not to be bound to one. */
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
		return { key, handle: await dpopHandle(key) };
	}

	private async endpoint(
		{ found: { as }, http, signal }: Attempt,
		record: ClientRecord,
		request: 'token' | 'revocation',
		dpop: DPoPHandle | undefined,
	): Promise<TokenEndpoint> {
		const auth = record.way === 'none' ? () => undefined : await clientAuth(chooseMethod(record, as), record);
		// The library requires an id even where none is sent.
		return { as, client: { client_id: record.clientId || 'none' }, clientAuth: auth, http, request, dpop, signal };
	}

	private toGrant(
		{ found, config }: Attempt,
		client: ClientRecord,
		answer: TokenEndpointResponse,
		asked: readonly string[],
		key: JsonObject | undefined,
	): TokenGrant {
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
		const { way, clientId } = client;
		return {
			issuer: found.as.issuer,
			resource: found.resource,
			resourceMetadataUrl: found.resourceMetadataUrl,
			accessToken: answer.access_token,
			tokenType: isBound ? 'dpop' : 'bearer',
			...expiryOf(answer.expires_in, this.options.now()),
			refreshToken: answer.refresh_token,
			asked: mergeScopes(asked, scopes),
			scopes,
			client: way === 'configured' ? { way, clientId } : client,
			by: config.kind === 'person' ? 'code' : config.kind,
			key: isBound ? key : undefined,
		};
	}

	private async keep(grant: TokenGrant, by: Extract<AuthStep, { kind: 'granted' }>['by']): Promise<TokenGrant> {
		await this.secrets.keep(this.secrets.grantKey, grant);
		const { scopes, expiresAt, refreshToken, tokenType } = grant;
		const refreshable = refreshToken !== undefined;
		this.options.report({ kind: 'granted', by, scopes, expiresAt, refreshable, isBound: tokenType === 'dpop' });
		return grant;
	}

	private async forget(grant: TokenGrant, why: 'refused' | 'otherIssuer'): Promise<void> {
		const kept = await this.secrets.grant();
		if (!kept || kept.accessToken === grant.accessToken) {
			await this.secrets.forget(this.secrets.grantKey);
		}
		this.options.report({ kind: 'forgotten', why });
	}

	/** Forgets the client if the authorization server no longer knows it, so that the next sign-in registers another. */
	private async forgetRefusedClient<T>({ way }: ClientRecord, issuer: string, signingIn: Promise<T>): Promise<T> {
		try {
			return await signingIn;
		} catch (error) {
			const failure = error instanceof AuthError ? error.failure : undefined;
			if (failure?.code === 'refused' && failure.refusal.error === 'invalid_client' && way !== 'configured') {
				await this.secrets.forget(this.secrets.clientKey(issuer));
			}
			throw error;
		}
	}
}

/** The configured client; undefined for a workload, whose client has no credentials. */
function clientOf(config: AuthConfig): KnownClient | undefined {
	return config.kind === 'workload' ? undefined : config.client;
}

/** The client of a grant. A configured client has the secret that is configured now. */
function currentClient({ config }: Attempt, { client }: TokenGrant): ClientRecord {
	const known = client.way === 'configured' ? clientOf(config) : undefined;
	return known ? configuredClient(known) : client;
}

/** The sources from which scopes are chosen. */
interface ScopeSources {
	readonly demand: Pick<Demand, 'scopes' | 'error'> | undefined;
	readonly config: Pick<AuthConfig, 'kind' | 'scopes'>;
	readonly found: Pick<Discovered, 'scopes'> & { readonly as: Pick<Discovered['as'], 'scopes_supported'> };
}

/**
 * The scopes to request, and where they are from; if there are none, the authorization server chooses. Spec 2025-11-25, scope
 * selection strategy; 2026-07-28, step-up authorization flow.
 * @param before the scopes of earlier tokens, requested and granted
 */
export function chooseScopes(
	{ demand, config, found }: ScopeSources,
	before: readonly string[] | undefined,
): Pick<Extract<AuthStep, { kind: 'scopes' }>, 'scopes' | 'from'> {
	const isStepUp = demand?.error === 'insufficient_scope';
	const chosen = config.scopes ?? demand?.scopes ?? found.scopes;
	// Earlier scopes are requested again, so that nothing that works now stops working.
	const all = mergeScopes(before, chosen, isStepUp ? demand.scopes : undefined);
	// `offline_access` is requested only if the authorization server offers it, even if the server lists it; and never
	// alone, which would replace the default scopes.
	const scopes = all.filter(it => it !== offline);
	if (config.kind === 'person' && found.as.scopes_supported?.includes(offline) === true && scopes.length > 0) {
		scopes.push(offline);
	}
	const suggestedBy = demand?.scopes ? 'challenge' : found.scopes ? 'resource' : 'nothing';
	return { scopes, from: isStepUp ? 'stepUp' : config.scopes ? 'configuration' : suggestedBy };
}

function whyOf({ grant, wasSignedIn, demand }: TokenTask): SignInNeed['why'] {
	if (!grant) {
		return wasSignedIn ? 'expired' : 'first';
	}
	return demand?.error === 'insufficient_scope' ? 'moreScopes' : 'expired';
}

/** Whether a refresh failed with a temporary error, which says nothing about the refresh token. */
function isTemporary(failure: AuthFailure): boolean {
	return failure.code === 'refused' ? temporaryErrors.has(failure.refusal.error) : !isDoubtful(failure);
}

/** Whether a refresh failed without saying that the refresh token is invalid, for example with status 400 or 401 and no OAuth error. */
function isDoubtful(failure: AuthFailure): boolean {
	return failure.code === 'refused'
		? doubtfulErrors.has(failure.refusal.error)
		: failure.code === 'noAnswer' && (failure.why === '400' || failure.why === '401');
}

/** Whether the sign-in page has refused the scopes. */
function isScopeRefused(error: unknown): boolean {
	const failure = error instanceof AuthError ? error.failure : undefined;
	const isAtPage = failure?.code === 'refused' && failure.request === 'authorization';
	return isAtPage && failure.refusal.error === 'invalid_scope';
}

/** Whether a sign-in in the browser needs PKCE, which the metadata don't announce. */
function lacksPkce({ as, isGuess }: Discovered, { kind }: AuthConfig): boolean {
	return kind === 'person' && !isGuess && !as.code_challenge_methods_supported?.includes('S256');
}

/** The exceptions of the configuration that apply to a discovered authorization server. */
function exceptionsAt(found: Discovered, config: AuthConfig): readonly AuthException[] {
	const { issuer, namedIssuer: named } = found.as;
	const { pkce, resource } = config.exceptions ?? {};
	return [
		...(named === undefined ? [] : [{ what: 'issuer', issuer, named } as const]),
		...(pkce && lacksPkce(found, config) ? [{ what: 'pkce', issuer } as const] : []),
		...(resource && found.resource !== undefined ? [{ what: 'resource', issuer } as const] : []),
	];
}

/** Turns what a port throws into a failure; a cancellation stays one. */
async function orFailure<T>(promise: Promise<T>, failureFor: (why: string) => AuthFailure): Promise<T> {
	try {
		return await promise;
	} catch (error) {
		throw isAbort(error) ? error : new AuthError(failureFor(toMessage(error)));
	}
}

/** @throws AbortError */
function failureOf(error: unknown): AuthFailure {
	if (error instanceof AuthError) {
		return error.failure;
	}
	if (isAbort(error)) {
		throw error;
	}
	// The library throws other errors when the content of an answer is invalid.
	return { code: 'badAnswer', request: 'token', why: toMessage(error) };
}

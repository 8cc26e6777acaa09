/**
 * Reads the person's settings for signing in to a server. The setting has entries by URL, not by the name of the server: a
 * workspace chooses the names of its servers, and must not get the sign-in of another server. It holds no secrets.
 */
import {
	type AuthConfig,
	type AuthException,
	type BoundClient,
	type DpopMode,
	type Exceptions,
	isObject,
	type KnownClient,
} from '../../mcp/index.js';
import { settingEntry, withMember, withOption } from './serverOptions.js';

/** A client that the person has entered, which is kept in secret storage. */
export interface SecretClient {
	readonly clientId: string;
	/** The only authorization server that gets the secret; undefined until the person has confirmed one. */
	readonly issuer?: string | undefined;
	readonly clientSecret?: string | undefined;
	/** A private key: PKCS #8 in PEM. */
	readonly privateKey?: string | undefined;
}

export interface AuthSources {
	/** The whole setting, which may have any value. */
	readonly setting: unknown;
	/** URL of the server. */
	readonly url: string;
	/** `oauth` of the server's definition. */
	readonly configured: { readonly clientId?: string; readonly scopes?: readonly string[] } | undefined;
	readonly typed: SecretClient | undefined;
	/** Stores a client in place of `typed`, after the person has confirmed the issuer. */
	readonly keepTyped: (client: SecretClient) => Promise<void>;
	/**
	 * Reads a file of the person; called each time a token is needed.
	 * @throws any error if the file can't be read
	 */
	readonly readFile: (path: string) => Promise<string>;
}

type Entry = Readonly<Record<string, unknown>>;

/** A redirect URI at which only this machine listens. The pattern is also in package.json. */
const loopbackUri = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):\d{1,5}(?:\/[\w\-.~/]*)?$/;

const dpopModes: readonly DpopMode[] = ['auto', 'always', 'never'];

/** The configuration of a server's sign-in. Invalid values count as not set. */
export function readAuthConfig(sources: AuthSources): AuthConfig {
	const { url, configured, readFile } = sources;
	const entry = settingEntry(sources.setting, url);
	const scopes = textsIn(entry['scopes']) ?? configured?.scopes;
	const dpop = dpopModes.find(it => it === entry['dpop']);
	const exceptions = exceptionsOf(entry);
	const common = { ...(scopes && { scopes }), ...(dpop && { dpop }), ...(exceptions && { exceptions }) };
	const client = clientOf(entry, sources);
	const issuer = textIn(entry, 'issuer') ?? '';
	const file = textIn(entry, 'tokenFile') ?? '';
	const token = async (): Promise<string> => (await readFile(file)).trim();
	switch (entry['grant']) {
		case 'clientCredentials':
			return { kind: 'clientCredentials', client: client ?? { clientId: '' }, ...common };
		case 'workload':
			return { kind: 'workload', issuer, assertion: token, ...(client && { clientId: client.clientId }), ...common };
		case 'enterprise': {
			const idp = isObject(entry['identityProvider']) ? entry['identityProvider'] : {};
			const tokenEndpoint = textIn(idp, 'tokenEndpoint');
			return {
				kind: 'enterprise',
				client: client ?? { clientId: '' },
				identityProvider: {
					issuer: textIn(idp, 'issuer') ?? '',
					...(tokenEndpoint !== undefined && { tokenEndpoint }),
					clientId: textIn(idp, 'clientId') ?? '',
					subjectToken: token,
				},
				...common,
			};
		}
		default: {
			const clientMetadataUrl = textIn(entry, 'clientMetadataUrl');
			const redirectUri = textIn(entry, 'redirectUri');
			return {
				kind: 'person',
				...(client && { client }),
				...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
				...(redirectUri !== undefined && loopbackUri.test(redirectUri) && { redirectUri }),
				...common,
			};
		}
	}
}

/** The authorization server that the person's settings name for a server. */
export function configuredIssuer(setting: unknown, url: string): string | undefined {
	return textIn(settingEntry(setting, url), 'issuer');
}

function exceptionsOf(entry: Entry): Exceptions | undefined {
	const { issuers, pkce, resource } = settingEntry(entry, 'exceptions');
	const names = Object.entries(isObject(issuers) ? issuers : {}).filter(([, it]) => typeof it === 'string');
	const exceptions = {
		issuers: new Map(names as [string, string][]),
		pkce: pkce === true,
		resource: resource === true,
	};
	return names.length > 0 || exceptions.pkce || exceptions.resource ? exceptions : undefined;
}

/** The setting with an exception for the server at a URL. Keeps all other values, invalid ones too. */
export function withException(setting: unknown, url: string, exception: AuthException): unknown {
	const before = settingEntry(settingEntry(setting, url), 'exceptions');
	const { what, issuer } = exception;
	const after =
		what === 'issuer'
			? withMember(before, 'issuers', withMember(before['issuers'], issuer, exception.named))
			: withMember(before, what, true);
	return withOption(setting, url, 'exceptions', after);
}

/** The client, from the first of: the client that the person entered, their settings, the server's definition. */
function clientOf(entry: Entry, { configured, typed, keepTyped }: AuthSources): KnownClient | undefined {
	const { clientSecret, privateKey } = typed ?? {};
	const clientId = typed?.clientId ?? textIn(entry, 'clientId') ?? configured?.clientId;
	const issuer = typed?.issuer ?? textIn(entry, 'issuer');
	if (clientId === undefined) {
		return undefined;
	}
	const keyId = textIn(entry, 'keyId');
	const algorithm = textIn(entry, 'algorithm') ?? 'ES256';
	const bindTo = (issuer: string): BoundClient => ({
		clientId,
		issuer,
		...(clientSecret !== undefined && { clientSecret }),
		...(privateKey !== undefined && { privateKey, algorithm, ...(keyId !== undefined && { keyId }) }),
	});
	if (issuer !== undefined) {
		return bindTo(issuer);
	}
	const bindSecret = async (confirmed: string): Promise<BoundClient> => {
		await keepTyped({ clientId, clientSecret, privateKey, issuer: confirmed });
		return bindTo(confirmed);
	};
	return { clientId, ...((clientSecret ?? privateKey) !== undefined && { bindSecret }) };
}

function textIn(entry: Entry, key: string): string | undefined {
	const value = entry[key];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

function textsIn(value: unknown): readonly string[] | undefined {
	return Array.isArray(value) ? value.filter(it => typeof it === 'string') : undefined;
}

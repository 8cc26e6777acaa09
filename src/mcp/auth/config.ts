/** How to sign in to a server, as configured by the person. The editor fills these types from settings and `mcp.json`. */

/** A client of one authorization server. No other authorization server gets its secret, or a signature by its key. */
export interface BoundClient {
	readonly clientId: string;
	/** Compared exactly. */
	readonly issuer: string;
	readonly clientSecret?: string | undefined;
	/** PKCS #8 in PEM, for `private_key_jwt`; needs `algorithm`. */
	readonly privateKey?: string | undefined;
	/** The JWS algorithm of the private key: `ES256`, `RS256`, `PS256`, `EdDSA`, … */
	readonly algorithm?: string | undefined;
	/** The key id of the private key, for authorization servers that require one. */
	readonly keyId?: string | undefined;
	readonly bindSecret?: undefined;
}

/** A client that is registered at an authorization server, which may not be known yet. */
export type KnownClient =
	| BoundClient
	| {
			readonly clientId: string;
			readonly issuer?: undefined;
			readonly clientSecret?: undefined;
			readonly privateKey?: undefined;
			/** Binds the secret or key to an issuer that the person has confirmed. Missing if the client has neither. */
			readonly bindSecret?: ((issuer: string) => Promise<BoundClient>) | undefined;
	  };

/** Whether tokens are bound to a key: `auto` if the server asks; `always` refuses unbound tokens. RFC 9449. */
export type DpopMode = 'auto' | 'always' | 'never';

/** Deviations from the specification that the person allows for one server. Only User Settings can have exceptions. */
export interface Exceptions {
	/** The other issuer that metadata may name, by the issuer that the metadata were requested for. Both are compared exactly. */
	readonly issuers: ReadonlyMap<string, string>;
	/** Signs in although the metadata don't announce PKCE with S256. PKCE is used anyway. */
	readonly pkce: boolean;
	/** Leaves out the parameter `resource`. */
	readonly resource: boolean;
}

interface CommonConfig {
	readonly exceptions?: Exceptions | undefined;
	/** Requested instead of the scopes that the server suggests. Scopes of a step-up are added. */
	readonly scopes?: readonly string[] | undefined;
	readonly dpop?: DpopMode | undefined;
}

/** The person signs in with a browser. */
export interface PersonConfig extends CommonConfig {
	readonly kind: 'person';
	/** Registered by the person beforehand. */
	readonly client?: KnownClient | undefined;
	/** `https:` URL of a client metadata document. */
	readonly clientMetadataUrl?: string | undefined;
	/** The redirect URI that the client is registered with: a loopback address with a port. Not for clients that we register. */
	readonly redirectUri?: string | undefined;
}

/** The client authenticates as itself, with a secret or `private_key_jwt`. SEP-1046. */
export interface ClientCredentialsConfig extends CommonConfig {
	readonly kind: 'clientCredentials';
	readonly client: KnownClient;
}

/** The identity provider of an organization vouches for the person. SEP-990. */
export interface EnterpriseConfig extends CommonConfig {
	readonly kind: 'enterprise';
	/** The client at the authorization server of the MCP server. */
	readonly client: KnownClient;
	readonly identityProvider: {
		readonly issuer: string;
		/** Read from the metadata of the issuer by default. */
		readonly tokenEndpoint?: string | undefined;
		/** The client at the identity provider, which has no secret. */
		readonly clientId: string;
		/** Reads an ID token of the person. Called for each exchange. */
		readonly subjectToken: () => Promise<string>;
	};
}

/** A workload identifies itself with a JWT of its platform. SEP-1933, RFC 7523. */
export interface WorkloadConfig extends CommonConfig {
	readonly kind: 'workload';
	/** The only authorization server that gets the JWT. If empty, the sign-in fails. */
	readonly issuer: string;
	readonly clientId?: string | undefined;
	/** Reads the JWT. Called for each sign-in, because platforms rotate it. */
	readonly assertion: () => Promise<string>;
}

export type AuthConfig = PersonConfig | ClientCredentialsConfig | EnterpriseConfig | WorkloadConfig;

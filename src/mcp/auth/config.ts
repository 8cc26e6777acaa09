/** What a person may say about how to sign in at a server: what the editor fills from its settings. */

/** A client that the authorization server knows. Bound to `issuer`, where that is said, and used at no other. */
export interface KnownClient {
	readonly clientId: string;
	readonly clientSecret?: string | undefined;
	/** PKCS #8 in PEM, for `private_key_jwt`; needs `algorithm`. */
	readonly privateKey?: string | undefined;
	/** Of the private key: `ES256`, `RS256`, `PS256`, `EdDSA`, … */
	readonly algorithm?: string | undefined;
	/** Of the private key, where the authorization server wants it named. */
	readonly keyId?: string | undefined;
	readonly issuer?: string | undefined;
}

/** Whether tokens are bound to a key: `auto` where the server asks for it; `always` takes no others. RFC 9449. */
export type DpopMode = 'auto' | 'always' | 'never';

interface CommonConfig {
	/** Asked for instead of what the server suggests; what a server demands in the middle of use is added. */
	readonly scopes?: readonly string[] | undefined;
	readonly dpop?: DpopMode | undefined;
}

/** A person signs in with a browser. */
export interface PersonConfig extends CommonConfig {
	readonly kind: 'person';
	/** Registered by the person beforehand. */
	readonly client?: KnownClient | undefined;
	/** `https:` URL of our hosted client metadata document. */
	readonly clientMetadataUrl?: string | undefined;
}

/** The client is its own owner. SEP-1046: secret or `private_key_jwt`. */
export interface ClientCredentialsConfig extends CommonConfig {
	readonly kind: 'clientCredentials';
	readonly client: KnownClient;
}

/** An organization's identity provider vouches for the person. SEP-990. */
export interface EnterpriseConfig extends CommonConfig {
	readonly kind: 'enterprise';
	/** At the authorization server of the MCP server. */
	readonly client: KnownClient;
	readonly identityProvider: {
		/** Its token endpoint is looked up where it is not named. */
		readonly issuer: string;
		readonly tokenEndpoint?: string | undefined;
		/** At the identity provider. */
		readonly client: KnownClient;
		/** Proves who the person is. Asked for each exchange. */
		readonly subjectToken: () => Promise<string>;
		/** Default: an ID token. */
		readonly subjectTokenType?: string | undefined;
	};
}

/** A workload has a JWT of its platform. SEP-1933, RFC 7523. */
export interface WorkloadConfig extends CommonConfig {
	readonly kind: 'workload';
	readonly clientId?: string | undefined;
	/** Reads the JWT anew each time: platforms replace it. */
	readonly assertion: () => Promise<string>;
}

export type AuthConfig = PersonConfig | ClientCredentialsConfig | EnterpriseConfig | WorkloadConfig;

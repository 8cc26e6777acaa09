/** Typed access to the token store for one server. Failures of the store are logged, and invalid records ignored. */
import type { Disposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { parseJson } from '../../base/parseJson.js';
import { type ClientRecord, type TokenGrant, parseClient, parseGrant } from './grant.js';
import type { SecretKey, TokenStore } from './ports.js';

export class Secrets {
	readonly grantKey: SecretKey;

	constructor(
		private readonly store: TokenStore,
		private readonly server: string,
		private readonly log?: Logger,
	) {
		this.grantKey = { kind: 'grant', server };
	}

	async grant(): Promise<TokenGrant | undefined> {
		return parseGrant(await this.read(this.grantKey));
	}

	/** See `TokenStore.onDidChange`. */
	onDidChangeGrant(listener: () => void): Disposable {
		return this.store.onDidChange(this.grantKey, listener);
	}

	/** The grant after a change; undefined if the store can't be read or has an invalid text, which deletes nothing. */
	async changedGrant(): Promise<{ readonly grant: TokenGrant | undefined } | undefined> {
		try {
			const text = await this.store.get(this.grantKey);
			const grant = parseGrant(text);
			return grant || text === undefined ? { grant } : undefined;
		} catch {
			return undefined;
		}
	}

	async client(issuer: string): Promise<ClientRecord | undefined> {
		return parseClient(await this.read(this.clientKey(issuer)));
	}

	/** The hosts of the sign-in page and the token endpoint that the person has confirmed, with a space between them. */
	async hosts(issuer: string): Promise<string | undefined> {
		const hosts = parseJson((await this.read(this.hostsKey(issuer))) ?? '');
		return typeof hosts === 'string' ? hosts : undefined;
	}

	keep(key: SecretKey, value: TokenGrant | ClientRecord | string): Promise<void> {
		return this.attempt(this.store.set(key, JSON.stringify(value)));
	}

	forget(key: SecretKey): Promise<void> {
		return this.attempt(this.store.delete(key));
	}

	clientKey(issuer: string): SecretKey {
		return { kind: 'client', server: this.server, issuer };
	}

	hostsKey(issuer: string): SecretKey {
		return { kind: 'hosts', server: this.server, issuer };
	}

	private async read(key: SecretKey): Promise<string | undefined> {
		try {
			return await this.store.get(key);
		} catch (error) {
			this.log?.warn(`A secret could not be read: ${String(error)}`);
			return undefined;
		}
	}

	private async attempt(change: Promise<void>): Promise<void> {
		try {
			await change;
		} catch (error) {
			this.log?.warn(`A secret could not be kept: ${String(error)}`);
		}
	}
}

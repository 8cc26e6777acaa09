/** The token store, as authorization uses it: its failures are survived, and what is no record of ours is none. */
import type { Disposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { type ClientRecord, type Grant, parseClient, parseGrant } from './grant.js';
import type { SecretKey, TokenStore } from './ports.js';

export class Secrets {
	constructor(
		private readonly store: TokenStore,
		private readonly server: string,
		private readonly log?: Logger,
	) {}

	async grant(): Promise<Grant | undefined> {
		return parseGrant(await this.read({ kind: 'grant', server: this.server }));
	}

	/** @param listener as that of `TokenStore` */
	onDidChangeGrant(listener: () => void): Disposable {
		return this.store.onDidChange({ kind: 'grant', server: this.server }, listener);
	}

	/** After a change. What cannot be read, or understood, is not gone: then there is no answer. */
	async changedGrant(): Promise<{ readonly grant: Grant | undefined } | undefined> {
		try {
			const text = await this.store.get({ kind: 'grant', server: this.server });
			const grant = parseGrant(text);
			return grant || text === undefined ? { grant } : undefined;
		} catch {
			return undefined;
		}
	}

	async client(issuer: string): Promise<ClientRecord | undefined> {
		return parseClient(await this.read({ kind: 'client', server: this.server, issuer }));
	}

	keepGrant(grant: Grant): Promise<void> {
		return this.attempt(this.store.set({ kind: 'grant', server: this.server }, JSON.stringify(grant)));
	}

	keepClient(issuer: string, client: ClientRecord): Promise<void> {
		const key = { kind: 'client', server: this.server, issuer } as const;
		return this.attempt(this.store.set(key, JSON.stringify(client)));
	}

	forgetGrant(): Promise<void> {
		return this.attempt(this.store.delete({ kind: 'grant', server: this.server }));
	}

	forgetClient(issuer: string): Promise<void> {
		return this.attempt(this.store.delete({ kind: 'client', server: this.server, issuer }));
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

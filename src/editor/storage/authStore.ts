/**
 * Tokens, registrations and client secrets, in the system's secret storage and nowhere else. Their names there are
 * hashes: a URL may hold a secret of its own.
 */
import type * as vscode from 'vscode';
import { throwFirst } from '../../base/errors.js';
import { sha256 } from '../../base/hash.js';
import { isLoopback, isObject, type SecretKey, type TokenStore } from '../../mcp/index.js';
import type { SecretClient } from '../../core/config/authSettings.js';
import type { Redactor } from '../../core/text/redactor.js';
import type { KeptPrefix } from './keptKeys.js';
import type { KeptList, KeptState } from './keptState.js';
import { secretKeys } from './secretKeys.js';

type Key = SecretKey | { readonly kind: 'typed'; readonly server: string };

/** What there is, without any secret: the storage of secrets cannot list what it holds. */
interface Entry {
	readonly key: string;
	readonly server: string;
	readonly issuer: string;
}

const listKey = 'auth.registrations';
/** Names of everything that is kept as a secret: hashes. */
const namesKey = 'auth.secrets';
const prefix: KeptPrefix = 'auth:';
/** Of a record: what nobody is to read in a log. */
const secretFields = ['accessToken', 'refreshToken', 'clientSecret', 'privateKey'];

export class AuthStore {
	private readonly list: KeptList<Entry>;
	private readonly names: KeptList<string>;

	/** @param machine as `machineName` says: what is at a loopback address is another server on each */
	constructor(
		private readonly secrets: vscode.SecretStorage,
		private readonly state: KeptState,
		private readonly machine: string,
	) {
		this.list = state.list(listKey, isEntry);
		this.names = state.list(namesKey, isName);
	}

	/** As one server's authorization uses it; its redactor learns every secret that passes. */
	forServer(redactor: Redactor): TokenStore {
		const hide = (text: string | undefined): string | undefined => {
			redactor.hideGiven(secretsIn(text));
			return text;
		};
		return {
			get: async key => hide(await this.secrets.get(await this.nameOf(key))),
			set: async (key, text) => {
				hide(text);
				await this.keep(await this.nameOf(key), text);
				if (key.kind === 'client') {
					await this.enlist(key.server, key.issuer, await this.nameOf(key));
				}
			},
			delete: async key => this.remove(await this.nameOf(key)),
			onDidChange: (key, listener) => {
				const name = this.nameOf(key);
				return this.secrets.onDidChange(async it => void (it.key === (await name) && listener()));
			},
		};
	}

	/** Everything that registered us for a server. @returns the issuers */
	async registrations(server: string): Promise<string[]> {
		const hashed = await this.hash(server, server);
		return this.list.entries.filter(it => it.server === hashed).map(it => it.issuer);
	}

	/** Not on the list any more; what it stood for is deleted by who uses the store. */
	async didForget(server: string, issuer: string): Promise<void> {
		const name = await this.nameOf({ kind: 'client', server, issuer });
		await this.list.keep(this.list.entries.filter(it => it.key !== name));
	}

	/** What the person typed for a server. A storage that fails has nothing. */
	async typedClient(server: string): Promise<SecretClient | undefined> {
		try {
			const value: unknown = JSON.parse(
				(await this.secrets.get(await this.nameOf({ kind: 'typed', server }))) ?? 'null',
			);
			return isObject(value) && typeof value['clientId'] === 'string' ? (value as unknown as SecretClient) : undefined;
		} catch {
			return undefined;
		}
	}

	/** @param client undefined forgets it */
	async setTypedClient(server: string, client: SecretClient | undefined): Promise<void> {
		const name = await this.nameOf({ kind: 'typed', server });
		await (client ? this.keep(name, JSON.stringify(client)) : this.remove(name));
	}

	/** How many tokens, registrations and clients are kept, as far as is known without `urls`. */
	async count(): Promise<number> {
		return (await this.known([])).size;
	}

	/**
	 * Removes everything, of every server.
	 * @param urls of servers that are configured: what an older version has kept for them is on no list
	 * @throws what the first that fails fails with, when all others are gone
	 */
	async clear(urls: readonly string[]): Promise<void> {
		const names = await this.known(urls);
		throwFirst(await Promise.allSettled(Array.from(names, it => this.secrets.delete(it))));
		await this.state.clear(listKey);
		await this.state.clear(namesKey);
	}

	private async known(urls: readonly string[]): Promise<ReadonlySet<string>> {
		const ofServers = urls.flatMap(server => [
			this.nameOf({ kind: 'grant', server }),
			this.nameOf({ kind: 'typed', server }),
		]);
		return new Set([
			...this.names.entries,
			...this.list.entries.map(it => it.key),
			...(await secretKeys(this.secrets)).filter(isName),
			...(await Promise.all(ofServers)),
		]);
	}

	private async keep(name: string, text: string): Promise<void> {
		// On the list before it is there: what is not on it could not be removed with the rest.
		if (!this.names.entries.includes(name)) {
			await this.names.keep([...this.names.entries, name]);
		}
		await this.secrets.store(name, text);
	}

	private async remove(name: string): Promise<void> {
		await this.secrets.delete(name);
		await this.names.keep(this.names.entries.filter(it => it !== name));
	}

	private async enlist(server: string, issuer: string, key: string): Promise<void> {
		const others = this.list.entries.filter(it => it.key !== key);
		await this.list.keep([...others, { key, server: await this.hash(server, server), issuer }]);
	}

	private async nameOf(key: Key): Promise<string> {
		const issuer = key.kind === 'client' ? key.issuer : '';
		return prefix + (await this.hash(key.server, JSON.stringify([key.kind, key.server, issuer])));
	}

	private async hash(server: string, text: string): Promise<string> {
		const isOfMachine = URL.canParse(server) && isLoopback(new URL(server));
		return sha256(isOfMachine ? `${this.machine}\n${text}` : text);
	}
}

function isName(value: unknown): value is string {
	return typeof value === 'string' && value.startsWith(prefix);
}

function isEntry(value: unknown): value is Entry {
	return isObject(value) && ['key', 'server', 'issuer'].every(it => typeof value[it] === 'string');
}

/** The secrets of a record of ours. */
function secretsIn(text: string | undefined): string[] {
	try {
		const record: unknown = JSON.parse(text ?? 'null');
		const parts = isObject(record) ? [record, record['client'], record['key']].filter(isObject) : [];
		return parts.flatMap(part =>
			[...secretFields, 'd'].flatMap(it => (typeof part[it] === 'string' ? [part[it]] : [])),
		);
	} catch {
		return [];
	}
}

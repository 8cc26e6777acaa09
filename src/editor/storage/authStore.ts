/**
 * Keeps tokens, registrations and client secrets in secret storage only. Their keys are hashes, because a URL can contain a
 * secret.
 */
import type * as vscode from 'vscode';
import { throwFirst } from '../../base/errors.js';
import { sha256 } from '../../base/hash.js';
import { parseJson } from '../../base/parseJson.js';
import { isLoopback, isObject, type SecretKey, type TokenStore } from '../../mcp/index.js';
import type { SecretClient } from '../../core/config/authSettings.js';
import type { Redactor } from '../../core/text/redactor.js';
import { type EditorState, type StateKeyPrefix, StateList } from './editorState.js';

type Key = SecretKey | { readonly kind: 'typed'; readonly server: string };

/** The key of a stored secret, made of hashes. The list is needed because not every editor can list the keys of secret storage. */
interface Entry {
	readonly name: string;
	/** For a registered client: the hash of its server. */
	readonly clientOf?: string;
}

const listKey = 'auth.secrets';
const prefix: StateKeyPrefix = 'auth:';
/** Members of a record that the log must not show; `d` is the private part of a JSON Web Key. */
const secretFields = ['accessToken', 'refreshToken', 'clientSecret', 'privateKey', 'd'];

export class AuthStore {
	private readonly list: StateList<Entry>;

	/** @param machine `machineName()`: a loopback address leads to another server on each machine */
	constructor(
		private readonly secrets: vscode.SecretStorage,
		private readonly state: EditorState,
		private readonly machine: string,
	) {
		this.list = new StateList(state, listKey);
	}

	/** The store for one server's authorization. The redactor gets each secret that is read or written. */
	forServer(redactor: Redactor): TokenStore {
		const hide = (text: string | undefined): string | undefined => {
			redactor.hideGiven(secretsIn(text));
			return text;
		};
		return {
			get: async key => hide(await this.secrets.get(await this.nameOf(key))),
			set: async (key, text) => {
				hide(text);
				const name = await this.nameOf(key);
				const clientOf = key.kind === 'client' && { clientOf: await this.hash(key.server, key.server) };
				await this.keep({ name, ...clientOf }, text);
			},
			delete: async key => this.remove(await this.nameOf(key)),
			onDidChange: (key, listener) => {
				const name = this.nameOf(key);
				return this.secrets.onDidChange(async it => void (it.key === (await name) && listener()));
			},
		};
	}

	/** Removes the clients of a server: those that were registered, and the one that the person has entered. */
	async forgetClients(server: string): Promise<void> {
		const hashed = await this.hash(server, server);
		for (const { name } of this.list.entries.filter(it => it.clientOf === hashed)) {
			await this.remove(name);
		}
		await this.setTypedClient(server, undefined);
	}

	/** The client that the person has entered for a server; `undefined` also if the storage fails. */
	async typedClient(server: string): Promise<SecretClient | undefined> {
		const name = await this.nameOf({ kind: 'typed', server });
		const value = parseJson((await Promise.resolve(this.secrets.get(name)).catch(() => undefined)) ?? '');
		return isObject(value) && typeof value['clientId'] === 'string' ? (value as unknown as SecretClient) : undefined;
	}

	/** @param client `undefined` removes it */
	async setTypedClient(server: string, client: SecretClient | undefined): Promise<void> {
		const name = await this.nameOf({ kind: 'typed', server });
		await (client ? this.keep({ name }, JSON.stringify(client)) : this.remove(name));
	}

	/** Removes everything, for all servers. @throws the first error, after the removal of everything else */
	async clear(): Promise<void> {
		throwFirst(await Promise.allSettled(this.list.entries.map(it => this.secrets.delete(it.name))));
		await this.state.clear(listKey);
	}

	private async keep(entry: Entry, text: string): Promise<void> {
		// Listed first: `clear` can't find a secret that isn't on the list.
		if (!this.list.entries.some(it => it.name === entry.name)) {
			await this.list.keep([...this.list.entries, entry]);
		}
		await this.secrets.store(entry.name, text);
	}

	private async remove(name: string): Promise<void> {
		await this.secrets.delete(name);
		await this.list.keep(this.list.entries.filter(it => it.name !== name));
	}

	private async nameOf(key: Key): Promise<string> {
		const { server, issuer } = { issuer: '', ...key };
		return prefix + (await this.hash(server, JSON.stringify([key.kind, server, issuer])));
	}

	private async hash(server: string, text: string): Promise<string> {
		const isOfMachine = URL.canParse(server) && isLoopback(new URL(server));
		return sha256(isOfMachine ? `${this.machine}\n${text}` : text);
	}
}

/** The secrets in a stored record. */
function secretsIn(text: string | undefined): string[] {
	const record = parseJson(text ?? '');
	const parts = isObject(record) ? [record, record['client'], record['key']].filter(isObject) : [];
	return parts.flatMap(part => secretFields.map(it => part[it])).filter(it => typeof it === 'string');
}

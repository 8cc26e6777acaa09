/**
 * Values of inputs that are kept from start to start: passwords in the system's secret storage and nowhere else,
 * others in the state of the workspace, and those of the person's own settings in the state that all windows share. An
 * entry without a value says that there is a secret: the storage of secrets
 * cannot list what it holds.
 */
import * as vscode from 'vscode';
import { isObject } from '../../mcp/index.js';
import type { Environment } from '../../core/launch/environment.js';
import type { InputDefinition } from '../../core/config/inputs.js';
import { throwFirst } from '../../base/errors.js';
import { Settings } from '../contributions.js';
import type { KeptPrefix } from './keptKeys.js';

export interface StoredInput {
	/** URI of the file that defines it. */
	readonly source: string;
	readonly id: string;
	/** `undefined` for a secret. */
	readonly value: string | undefined;
}

const prefix: KeptPrefix = 'input:';

/** What inputs of the person's own settings have for the URI of a file. */
const userSource: string = Settings.servers;

/** Where values are kept that are no secrets. */
export interface InputStates {
	readonly workspace: vscode.Memento;
	/** One for all windows, whichever machine they work on. */
	readonly user: vscode.Memento;
	/** As `machineName` says. Each has settings of its own, and gets no secret of another. */
	readonly machine: string;
}

export class InputStore {
	constructor(
		private readonly secrets: vscode.SecretStorage,
		private readonly states: InputStates,
	) {}

	/** The value of an input, if one is kept in the way that the input asks for now. */
	async get(source: string, input: InputDefinition): Promise<string | undefined> {
		const { state, key } = this.placeOf(source, input.id);
		const stored = toStored(state.get<unknown>(key));
		if (!stored) {
			return undefined;
		}
		if ((stored.value === undefined) !== isSecret(input)) {
			// It became a password, and must not stay readable; or it is none any more, and was given as one.
			await this.forget(source, input.id);
			return undefined;
		}
		return stored.value ?? (await this.secrets.get(key));
	}

	async set(source: string, input: InputDefinition, value: string): Promise<void> {
		const { state, key } = this.placeOf(source, input.id);
		if (isSecret(input)) {
			await this.secrets.store(key, value);
			await state.update(key, { source, id: input.id });
		} else {
			await state.update(key, { source, id: input.id, value });
		}
	}

	/** Also removes what cannot be listed any more. */
	async forget(source: string, id: string): Promise<void> {
		const { state, key } = this.placeOf(source, id);
		await this.secrets.delete(key);
		await state.update(key, undefined);
	}

	/** All that this window could use. */
	list(): StoredInput[] {
		const { workspace, user } = this.states;
		return [workspace, user].flatMap(state =>
			state.keys().flatMap(key => {
				const stored = key.startsWith(prefix) ? toStored(state.get<unknown>(key)) : undefined;
				// What another machine's settings ask for is not this one's.
				return stored && this.placeOf(stored.source, stored.id).key === key ? stored : [];
			}),
		);
	}

	/** How many values are kept, of this workspace and of the person's settings on any machine. */
	count(): number {
		return this.keys().length;
	}

	/** Removes all of them. @throws what the first that fails fails with, when all others are gone */
	async clear(): Promise<void> {
		const results = await Promise.allSettled(
			this.keys().map(async ({ state, key }) => {
				await this.secrets.delete(key);
				await state.update(key, undefined);
			}),
		);
		throwFirst(results);
	}

	private keys(): readonly { readonly state: vscode.Memento; readonly key: string }[] {
		const { workspace, user } = this.states;
		return [workspace, user].flatMap(state =>
			state.keys().flatMap(key => (key.startsWith(prefix) ? [{ state, key }] : [])),
		);
	}

	private placeOf(source: string, id: string): { readonly state: vscode.Memento; readonly key: string } {
		const { workspace, user, machine } = this.states;
		return source === userSource
			? { state: user, key: `${prefix}${machine}#${source}#${id}` }
			: { state: workspace, key: `${prefix}${source}#${id}` };
	}
}

/** Tells the machines that a person works on apart; empty for their own. */
export function machineName({ hostName }: Environment): string {
	const { remoteName } = vscode.env;
	return remoteName === undefined ? '' : `${remoteName}+${hostName}`;
}

function toStored(stored: unknown): StoredInput | undefined {
	if (!isObject(stored) || typeof stored['source'] !== 'string' || typeof stored['id'] !== 'string') {
		return undefined;
	}
	const { source, id, value } = stored;
	// What another version has put in the place of a text is no sign of a secret.
	return value === undefined || typeof value === 'string' ? { source, id, value } : undefined;
}

/** Whether a value is kept as a secret, and shown to nobody. */
export function isSecret(input: InputDefinition): boolean {
	return input.kind === 'promptString' && input.password;
}

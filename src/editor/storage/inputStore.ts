/**
 * Keeps values of inputs from start to start: passwords in secret storage only, others in the state of the workspace, or in
 * that of all windows for inputs of the person's settings. A state entry without a value stands for a secret.
 */
import * as vscode from 'vscode';
import type { Environment } from '../../core/launch/environment.js';
import type { InputDefinition } from '../../core/config/serverDefinition.js';
import { throwFirst } from '../../base/errors.js';
import { Settings } from '../contributions.js';
import type { StateKeyPrefix } from './editorState.js';

export interface StoredInput {
	/** URI of the file that defines it. */
	readonly source: string;
	readonly id: string;
	/** `undefined` for a secret. */
	readonly value: string | undefined;
	/** The random key of a secret: workspaces of several machines can have the same URIs and share the secret storage. */
	readonly secret?: string | undefined;
}

const prefix: StateKeyPrefix = 'input:';

/** The `source` of inputs of the person's settings. */
const userSource: string = Settings.servers;

export interface InputStates {
	readonly workspace: vscode.Memento;
	/** Shared by all windows, on all machines. */
	readonly user: vscode.Memento;
	/** `machineName()`. Each machine has its own settings, and gets no secret of another. */
	readonly machine: string;
}

interface InputPlace {
	readonly state: vscode.Memento;
	readonly key: string;
}

export class InputStore {
	constructor(
		private readonly secrets: vscode.SecretStorage,
		private readonly states: InputStates,
	) {}

	/** The value of an input. A value that was stored before the input became, or ceased to be, a password is removed. */
	async get(source: string, input: InputDefinition): Promise<string | undefined> {
		const { state, key } = this.placeOf(source, input.id);
		const stored = state.get<StoredInput>(key);
		if (!stored) {
			return undefined;
		}
		if ((stored.value === undefined) !== isSecret(input)) {
			await this.forget(source, input.id);
			return undefined;
		}
		return stored.value ?? (await this.secrets.get(stored.secret ?? key));
	}

	async set(source: string, input: InputDefinition, value: string): Promise<void> {
		const { state, key } = this.placeOf(source, input.id);
		if (isSecret(input)) {
			const secret = `${prefix}${crypto.randomUUID()}`;
			await this.forget(source, input.id);
			await this.secrets.store(secret, value);
			await state.update(key, { source, id: input.id, secret });
		} else {
			await state.update(key, { source, id: input.id, value });
		}
	}

	/** Removes the value of an input, which may no longer be configured. */
	async forget(source: string, id: string): Promise<void> {
		await this.remove(this.placeOf(source, id));
	}

	/** The values that this window can use. */
	list(): StoredInput[] {
		return this.keys().flatMap(({ state, key }) => {
			const stored = state.get<StoredInput>(key);
			// Synchronized state also has values for the settings of other machines, under other keys.
			return stored && this.placeOf(stored.source, stored.id).key === key ? stored : [];
		});
	}

	/** Removes all values for this workspace, and for the person's settings on all machines. @throws the first error, after the removal of all others */
	async clear(): Promise<void> {
		const results = await Promise.allSettled(this.keys().map(it => this.remove(it)));
		throwFirst(results);
	}

	private async remove({ state, key }: InputPlace): Promise<void> {
		await this.secrets.delete(state.get<StoredInput>(key)?.secret ?? key);
		await state.update(key, undefined);
	}

	private keys(): readonly InputPlace[] {
		const { workspace, user } = this.states;
		return [workspace, user].flatMap(state =>
			state.keys().flatMap(key => (key.startsWith(prefix) ? [{ state, key }] : [])),
		);
	}

	private placeOf(source: string, id: string): InputPlace {
		const { workspace, user, machine } = this.states;
		return source === userSource
			? { state: user, key: `${prefix}${machine}#${source}#${id}` }
			: { state: workspace, key: `${prefix}${source}#${id}` };
	}
}

/** Identifies a remote machine; empty for the local one. */
export function machineName({ hostName }: Environment): string {
	const { remoteName } = vscode.env;
	return remoteName === undefined ? '' : `${remoteName}+${hostName}`;
}

/** Whether the value of an input is kept as a secret and never shown. */
export function isSecret(input: InputDefinition): boolean {
	return input.kind === 'promptString' && input.password;
}

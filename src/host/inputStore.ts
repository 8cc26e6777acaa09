/**
 * Values of inputs that are kept from start to start: passwords in the system's secret storage and nowhere else,
 * others in the state of the workspace. An entry without a value says that there is a secret: the storage of secrets
 * cannot list what it holds.
 */
import type { Memento, SecretStorage } from 'vscode';
import { isObject } from '../mcp/index.js';
import type { InputDefinition } from '../model/inputs.js';

export interface StoredInput {
	/** URI of the file that defines it. */
	readonly source: string;
	readonly id: string;
	/** `undefined` for a secret. */
	readonly value: string | undefined;
}

const prefix = 'input:';

export class InputStore {
	constructor(
		private readonly secrets: SecretStorage,
		private readonly state: Memento,
	) {}

	/** The value of an input, if one is kept in the way that the input asks for now. */
	async get(source: string, input: InputDefinition): Promise<string | undefined> {
		const stored = this.entry(keyOf(source, input.id));
		if (!stored) {
			return undefined;
		}
		if ((stored.value === undefined) !== isSecret(input)) {
			// It became a password, and must not stay readable; or it is none any more, and was given as one.
			await this.forget(source, input.id);
			return undefined;
		}
		return stored.value ?? (await this.secrets.get(keyOf(source, input.id)));
	}

	async set(source: string, input: InputDefinition, value: string): Promise<void> {
		const key = keyOf(source, input.id);
		if (isSecret(input)) {
			await this.secrets.store(key, value);
			await this.state.update(key, { source, id: input.id });
		} else {
			await this.state.update(key, { source, id: input.id, value });
		}
	}

	/** Also removes what cannot be listed any more. */
	async forget(source: string, id: string): Promise<void> {
		const key = keyOf(source, id);
		await this.secrets.delete(key);
		await this.state.update(key, undefined);
	}

	list(): StoredInput[] {
		return this.state.keys().flatMap(key => (key.startsWith(prefix) ? (this.entry(key) ?? []) : []));
	}

	private entry(key: string): StoredInput | undefined {
		const stored = this.state.get<unknown>(key);
		if (!isObject(stored) || typeof stored['source'] !== 'string' || typeof stored['id'] !== 'string') {
			return undefined;
		}
		const { source, id, value } = stored;
		return { source, id, value: typeof value === 'string' ? value : undefined };
	}
}

/** Whether a value is kept as a secret, and shown to nobody. */
export function isSecret(input: InputDefinition): boolean {
	return input.kind === 'promptString' && input.password;
}

function keyOf(source: string, id: string): string {
	return `${prefix}${source}#${id}`;
}

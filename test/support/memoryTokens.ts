/** What is kept of sign-ins, for as long as a test lasts. */
import type { SecretKey, TokenStore } from '../../src/mcp/index.js';

export class MemoryTokens implements TokenStore {
	readonly texts = new Map<string, string>();

	get(key: SecretKey): Promise<string | undefined> {
		return Promise.resolve(this.texts.get(JSON.stringify(key)));
	}

	set(key: SecretKey, text: string): Promise<void> {
		this.texts.set(JSON.stringify(key), text);
		return Promise.resolve();
	}

	delete(key: SecretKey): Promise<void> {
		this.texts.delete(JSON.stringify(key));
		return Promise.resolve();
	}
}

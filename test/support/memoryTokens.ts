/** What is kept of sign-ins, for as long as a test lasts. */
import { type Disposable, toDisposable } from '../../src/base/lifecycle.js';
import type { SecretKey, TokenStore } from '../../src/mcp/index.js';

export class MemoryTokens implements TokenStore {
	readonly texts = new Map<string, string>();
	private readonly listeners = new Set<{ readonly key: string; readonly tell: () => void }>();

	get(key: SecretKey): Promise<string | undefined> {
		return Promise.resolve(this.texts.get(JSON.stringify(key)));
	}

	set(key: SecretKey, text: string): Promise<void> {
		this.texts.set(JSON.stringify(key), text);
		this.tell(key);
		return Promise.resolve();
	}

	delete(key: SecretKey): Promise<void> {
		this.texts.delete(JSON.stringify(key));
		this.tell(key);
		return Promise.resolve();
	}

	onDidChange(key: SecretKey, tell: () => void): Disposable {
		const listener = { key: JSON.stringify(key), tell };
		this.listeners.add(listener);
		return toDisposable(() => this.listeners.delete(listener));
	}

	private tell(key: SecretKey): void {
		for (const it of this.listeners) {
			if (it.key === JSON.stringify(key)) {
				it.tell();
			}
		}
	}
}

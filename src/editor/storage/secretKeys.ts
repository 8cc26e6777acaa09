/** The names in the secret storage, where the editor can list them as newer ones can. */
import type { SecretStorage } from 'vscode';

interface ListsKeys {
	keys?(): PromiseLike<readonly string[]>;
}

export async function secretKeys(secrets: SecretStorage): Promise<readonly string[]> {
	const keys = await (secrets as SecretStorage & ListsKeys).keys?.();
	return keys ?? [];
}

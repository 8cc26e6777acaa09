/** The sign-in configuration of a server from all its places. It is read again for each sign-in. */
import * as vscode from 'vscode';
import { type AuthConfig, textLimits } from '../../mcp/index.js';
import { readAuthConfig } from '../../core/config/authSettings.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { AuthStore } from '../../editor/storage/authStore.js';
import { readBoundedText } from '../../editor/documents/boundedFile.js';
import { authSettings } from '../../editor/workspace/config.js';

/** @param url the server's URL with all variables filled in */
export async function authConfigFor({ launch }: ServerDefinition, url: string, store: AuthStore): Promise<AuthConfig> {
	return readAuthConfig({
		url,
		setting: authSettings(),
		configured: launch.kind === 'stdio' ? undefined : launch.oauth,
		typed: await store.typedClient(url),
		readFile: path => readBoundedText(vscode.Uri.file(path), textLimits.secretFile),
	});
}

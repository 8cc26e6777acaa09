/** How to sign in at a server, of all the places that say something; read anew for each sign-in. */
import * as vscode from 'vscode';
import { type AuthConfig, textLimits } from '../../mcp/index.js';
import { readAuthConfig } from '../../core/config/authSettings.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { AuthStore } from '../storage/authStore.js';
import { readBoundedText } from '../documents/boundedFile.js';
import { authSettings } from '../workspace/config.js';

/** @param url of the server, every variable filled in */
export async function authConfigFor({ launch }: ServerDefinition, url: string, store: AuthStore): Promise<AuthConfig> {
	const settings = authSettings();
	return readAuthConfig({
		url,
		setting: settings.servers,
		clientMetadataUrl: settings.clientMetadataUrl,
		configured: launch.kind === 'stdio' ? undefined : launch.oauth,
		typed: await store.typedClient(url),
		readFile: path => readBoundedText(vscode.Uri.file(path), textLimits.secretFile),
	});
}

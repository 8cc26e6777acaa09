/** The prompts of running servers as slash commands. */
import type { Prompt } from '../../mcp/index.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { oneLine } from '../../editor/ui/plainText.js';

export interface PromptCommand {
	readonly server: Server;
	readonly prompt: Prompt;
	/** `server.prompt`, cleaned, so that the shown name is the one to type. */
	readonly name: string;
}

/** In the order of the servers and their lists. Several commands can have the same name. */
export function promptCommands(registry: ServerRegistry): PromptCommand[] {
	return registry.servers.flatMap(server => {
		const serverLabel = registry.label(server);
		const prompts = itemsOf(server.catalog?.prompts);
		return prompts.map(prompt => ({ server, prompt, name: oneLine(`${serverLabel}.${prompt.name}`) }));
	});
}

export function argumentNames({ arguments: list = [] }: Prompt): string[] {
	return list.map(it => it.name);
}

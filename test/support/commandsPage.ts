/** `docs/commands-and-keys.md`: every command and key of package.json in the words of package.nls.json. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';

/** Where `npm run docs` writes the page. */
export const commandsPage = path.join(projectRoot, 'docs', 'commands-and-keys.md');

export interface CommandsManifest {
	readonly contributes: {
		readonly commands: readonly { readonly command: string; readonly title: string }[];
		readonly keybindings: readonly { readonly command: string; readonly key: string; readonly when: string }[];
	};
}

const head = `# Commands and keys

After reading this page you can use every feature by keyboard, and assign your own keys.

<!-- Written by \`npm run docs\` from package.json and package.nls.json. Change those, or test/support/commandsPage.ts. -->

- [Keys](#keys)
- [Keys in views, forms and results](#keys-in-views-forms-and-results)
- [Keys of your own](#keys-of-your-own)
- [Commands](#commands)

The focus stays where it is: new results and requests are announced and open beside your editor. If motion is reduced, by the system or
by \`workbench.reduceMotion\`, animations stop.

## Keys

On a Mac, press Cmd instead of Ctrl. The keys don't apply while a terminal has the focus.
`;

const middle = `
## Keys in views, forms and results

- **Anywhere**: F1, then _MCP Workbench_, lists the commands that apply now, such as _Focus on Servers View_.
- **Views**: arrows move, expand and collapse. Enter opens an entry without running it. Shift+F10 or the menu key opens all actions of
  an entry.
- **Page of a tool**: Ctrl+Enter (⌘⏎ on macOS) runs the tool from anywhere on its page.
- **Forms and sheets**: arrows and Enter. ↑ from the first entry leads to the last one. Escape closes them and keeps what you typed.
- **Results**: Ctrl+1, Ctrl+2 and so on focus an editor group, then Tab moves through its parts. ← and → move between buttons, arrows
  in a tree. To search, use _Open in Editor_.

## Keys of your own

Commands accept a server, and what else they need, as \`args\` in \`keybindings.json\`:

\`\`\`jsonc
[
	{
		"key": "ctrl+alt+1",
		"command": "mcpWorkbench.resource.open",
		"args": { "server": "everything", "uri": "demo://resource/static/document/features.md" },
	},
	{ "key": "ctrl+alt+2", "command": "mcpWorkbench.server.stop", "args": { "server": "everything" } },
	{ "key": "ctrl+alt+3", "command": "mcpWorkbench.server.start", "args": { "server": "everything" } },
]
\`\`\`

\`mcpWorkbench.tool.run\` with \`args\` is a call by a program and needs approval like one. Without \`args\` it asks you which tool to run.

## Commands

In the Command Palette, each title begins with _MCP Workbench:_.
`;

/** By the condition of a key: when it's available. */
const conditions: Readonly<Record<string, string>> = {
	'mcpWorkbench.hasServers': 'servers are configured',
	'mcpWorkbench.hasHistory': 'the history has a call',
	'mcpWorkbench.hasRunningServers': 'a server runs',
};

/**
 * The text of the page.
 * @param words texts of package.nls.json by key
 * @throws Error if a key has a condition that the page has no words for
 */
export function renderCommands(
	{ contributes: { commands, keybindings } }: CommandsManifest,
	words: Readonly<Record<string, string>>,
): string {
	const titleOf = (command: string): string => {
		const title = commands.find(it => it.command === command)?.title ?? '';
		return title.replace(/^%(.+)%$/, (_, key: string) => words[key] ?? '');
	};
	const keys = keybindings.map(({ command, key, when }) => {
		const condition = conditions[when.replace(' && !terminalFocus', '')];
		if (condition === undefined) {
			throw new Error(`The key of ${command} has the condition ${when}`);
		}
		const shown = key.replaceAll(/\b[a-z]/g, letter => letter.toUpperCase());
		return `- ${shown}: **${titleOf(command)}**, if ${condition}`;
	});
	const list = commands.map(({ command }) => `- **${titleOf(command)}**: \`${command}\``);
	return [head, ...keys, middle, ...list, ''].join('\n');
}

/** The page from the files of this project. */
export function createCommandsPage(): string {
	const read = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(projectRoot, name), 'utf8'));
	return renderCommands(read('package.json') as CommandsManifest, read('package.nls.json') as Record<string, string>);
}

/** The feature `prompts`: their group in the tree, and running them from the tree, from a list, or in an editor. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { isObject, type Prompt } from '../../mcp/index.js';
import type { Interactions } from '../../core/calls/interactions.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import { plainObject } from '../../core/text/callArguments.js';
import type { ArgumentInputs } from '../../editor/forms/argumentInputs.js';
import { CallerError, registerCommand } from '../../editor/commands.js';
import { Commands, InternalCommands, TreeContexts } from '../../editor/contributions.js';
import { describeNumber } from '../../editor/l10n/messages.js';
import type { RunPageDeps } from '../../editor/pages/runPage.js';
import { oneLine } from '../../editor/ui/plainText.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import { LeafNode } from '../../editor/tree/treeNodes.js';
import { createPromptPages } from './promptPages.js';
import { PromptRunner } from './runPrompt.js';
import { SlashCompletion, toSlashLine } from './slashCompletion.js';

export interface PromptsDeps extends RunPageDeps {
	readonly tree: ServersTree;
	readonly pending: PendingRequests;
	readonly argumentInputs: ArgumentInputs;
	readonly interactions: Pick<Interactions, 'assertAllowed'>;
}

export function registerPrompts(deps: PromptsDeps): Disposable {
	const { registry, tree } = deps;
	const owned = new DisposableStore();
	let lastEditor = vscode.window.activeTextEditor;
	owned.add(vscode.window.onDidChangeActiveTextEditor(editor => (lastEditor = editor ?? lastEditor)));
	const runner = new PromptRunner({
		...deps,
		editor: () => lastEditor,
		showOutcome: (...outcome) => pages.showOutcome(...outcome),
	});
	const pages = owned.add(createPromptPages(deps, (...run) => runner.runInPage(...run)));
	owned.add(registerPromptsGroup(tree));
	owned.add(new SlashCompletion(registry));
	owned.add(
		registerCommand(Commands.runPrompt, async argument => {
			if (argument instanceof LeafNode) {
				pages.show(argument.server, promptOf(argument), true, argument);
			} else if (argument === undefined) {
				await runner.choose();
			} else {
				await runGiven(deps, runner, argument);
			}
		}),
	);
	owned.add(
		registerCommand(InternalCommands.showPrompt, argument => {
			if (argument instanceof LeafNode) {
				pages.show(argument.server, promptOf(argument), false, argument);
			}
		}),
	);
	return owned;
}

/** The prompt of a row in the group of prompts. */
function promptOf({ entry }: LeafNode): Prompt {
	return entry as Prompt;
}

export function registerPromptsGroup(tree: ServersTree): Disposable {
	return tree.registerGroup<Prompt>({
		id: 'prompts',
		order: 40,
		label: vscode.l10n.t('Prompts'),
		icon: 'comment-discussion',
		list: catalog => catalog.prompts,
		open: InternalCommands.showPrompt,
		search: ({ name, title, description }) => ({ names: [title, name], description }),
		describe: prompt => ({
			key: prompt.name,
			label: `/${prompt.name}`,
			description: prompt.title,
			tooltip: tooltipOf(prompt),
			icon: new vscode.ThemeIcon('comment'),
			context: TreeContexts.prompt,
		}),
	});
}

/** Arguments that the tooltip lists; further ones are counted. */
const maxArguments = 12;

/** The description, then each argument on a line: `city (required)`. */
function tooltipOf({ name, description, arguments: all = [] }: Prompt): string {
	const { t } = vscode.l10n;
	const lines = all
		.slice(0, maxArguments)
		.map(it => `    ${oneLine(it.name, 60)}${it.required === true ? ` (${t('required')})` : ''}`);
	const left = all.length - lines.length;
	return [
		(description ?? name).slice(0, 1000),
		'',
		...(lines.length > 0 ? [t('Arguments:'), ...lines] : [t('No arguments')]),
		...(left > 0 ? [`    ${t('{0} more', describeNumber(left))}`] : []),
	].join('\n');
}

/**
 * Runs the prompt that a keybinding, another extension, or a completion names: `{ server, name, arguments? }`. A completion
 * adds the `line` that the result replaces. The person sees the arguments in the form and sends them.
 */
async function runGiven(deps: PromptsDeps, runner: PromptRunner, argument: unknown): Promise<void> {
	const { registry, interactions } = deps;
	const { server: serverLabel, name, arguments: args = {}, line } = isObject(argument) ? argument : {};
	const given = copyTexts(args);
	if (typeof serverLabel !== 'string' || typeof name !== 'string' || !given) {
		throw new CallerError('Expected { server: string, name: string, arguments?: { [name: string]: string } }.');
	}
	await registry.configured;
	const server = registry.find(serverLabel);
	if (!server) {
		throw new CallerError(vscode.l10n.t('Server "{0}" not found.', serverLabel));
	}
	await interactions.assertAllowed(server, 'contents');
	const prompt = await runner.find(server, name);
	if (prompt) {
		// The person may have written a rule while the server started.
		await interactions.assertAllowed(server, 'contents');
		await runner.askAndRun(server, prompt, given, toSlashLine(line));
	}
}

/** A copy, because the caller may change its object; `undefined` unless all values are strings. */
function copyTexts(args: unknown): Record<string, string> | undefined {
	try {
		const copy = plainObject(args);
		return Object.values(copy).every(it => typeof it === 'string') ? (copy as Record<string, string>) : undefined;
	} catch {
		return undefined;
	}
}

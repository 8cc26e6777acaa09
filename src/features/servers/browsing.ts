/** The commands of the tree: filter, and show more of a long list. */
import * as vscode from 'vscode';
import { debounce } from '../../base/async.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { isObject } from '../../mcp/index.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands, InternalCommands } from '../../editor/contributions.js';
import { closeInput, openInput } from '../../editor/ui/quickInput.js';
import type { ServersView } from '../../editor/tree/serversView.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import { MoreNode } from '../../editor/tree/treeNodes.js';

/** Milliseconds without a key before the tree is filtered, so that a list of 100,000 is searched only once. */
const typingMs = 150;

export function registerBrowsing(tree: ServersTree, view: ServersView): Disposable {
	const owned = new DisposableStore();
	owned.add(
		registerCommand(Commands.filter, argument =>
			isObject(argument) && typeof argument['text'] === 'string'
				? void (tree.filter = argument['text'])
				: askForFilter(tree),
		),
	);
	owned.add(
		registerCommand(InternalCommands.showMore, async argument => {
			const first = argument instanceof MoreNode ? tree.showMore(argument.parent) : undefined;
			await (first && view.reveal(first));
		}),
	);
	return owned;
}

/** Filters the tree while the person types. Escape restores the filter from before. */
function askForFilter(tree: ServersTree): Promise<void> {
	const { t } = vscode.l10n;
	const input = vscode.window.createInputBox();
	input.title = t('Filter Servers');
	input.prompt = t(
		'Searches tools, resources, templates, and prompts of running servers. Leave the field empty to show all.',
	);
	input.placeholder = t('Enter part of a name, title, or description');
	let accepted = tree.filter;
	input.value = accepted;
	// Otherwise a click into the tree would hide the input, which looks like Escape.
	input.ignoreFocusOut = true;
	const typing = debounce(typingMs, () => {
		tree.filter = input.value;
	});
	return new Promise<void>(resolve => {
		input.onDidChangeValue(() => typing.schedule());
		input.onDidAccept(() => {
			accepted = input.value;
			input.hide();
		});
		input.onDidHide(() => {
			tree.filter = accepted;
			resolve();
		});
		openInput(input);
	}).finally(() => {
		typing.dispose();
		closeInput(input);
	});
}

/** Runs each command that the palette can offer, as the palette does: without an argument. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate, eventually, extensionId } from './support.js';

interface PackageJson {
	readonly contributes: {
		readonly commands: readonly { readonly command: string }[];
		readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
	};
}

/** Those that the palette offers at some time. */
export function paletteCommands(): string[] {
	const extension = vscode.extensions.getExtension(extensionId) ?? assert.fail();
	const { contributes } = extension.packageJSON as PackageJson;
	const never = new Set(contributes.menus.commandPalette.filter(it => it.when === 'false').map(it => it.command));
	return contributes.commands.map(it => it.command).filter(it => !never.has(it));
}

const asking = ['showOpenDialog', 'showSaveDialog', 'showTextDocument', 'showWorkspaceFolderPick'] as const;
const telling = ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const;

/** Sees what the extension shows, and turns away from every question at once. */
export class Onlooker {
	/** `message: …`, `question: …`, or `command: …` for what is left to the editor. */
	readonly seen: string[] = [];
	private readonly window = { ...vscode.window };
	private readonly commands = { ...vscode.commands };

	constructor() {
		const window = vscode.window as unknown as Record<string, unknown>;
		for (const name of telling) {
			window[name] = async (message: string) => void this.seen.push(`message: ${message}`);
		}
		for (const name of asking) {
			window[name] = async () => void this.seen.push(`question: ${name}`);
		}
		for (const name of ['createQuickPick', 'createInputBox'] as const) {
			window[name] = () => {
				const input = this.window[name]();
				const show = input.show.bind(input);
				input.show = () => {
					this.seen.push(`question: ${input.title ?? ''}`);
					show();
					input.hide();
				};
				return input;
			};
		}
		(vscode.commands as { executeCommand: unknown }).executeCommand = async (id: string, ...rest: unknown[]) => {
			if (id === 'setContext' || (id.startsWith('mcpWorkbench.') && !id.endsWith('.focus'))) {
				return this.commands.executeCommand(id, ...rest);
			}
			this.seen.push(`command: ${id}`);
			return undefined;
		};
	}

	dispose(): void {
		(vscode.commands as { executeCommand: unknown }).executeCommand = this.commands.executeCommand;
		for (const name of [...asking, ...telling, 'createQuickPick', 'createInputBox'] as const) {
			(vscode.window as unknown as Record<string, unknown>)[name] = this.window[name];
		}
	}
}

/** The tabs with our pages. */
function pages(): vscode.Tab[] {
	const tabs = vscode.window.tabGroups.all.flatMap(it => it.tabs);
	return tabs.filter(it => it.input instanceof vscode.TabInputWebview && it.input.viewType.includes('mcpWorkbench'));
}

/** Tests, one for each command: where there is nothing to work with, it says so, or asks. */
export function describePalette(): void {
	let onlooker: Onlooker;

	before(() => activate());
	beforeEach(() => (onlooker = new Onlooker()));
	afterEach(async () => {
		onlooker.dispose();
		await vscode.window.tabGroups.close(pages());
	});

	it('has commands', () => {
		assert.ok(paletteCommands().length > 20);
	});

	// What it adds, the others would find.
	const last = 'mcpWorkbench.demo.try';
	for (const command of [...paletteCommands().filter(it => it !== last), last]) {
		it(command, async () => {
			await vscode.commands.executeCommand(command);
			await eventually('a message, a question or a page', () => onlooker.seen[0] ?? pages()[0]?.label, 2000);
			for (const it of onlooker.seen) {
				assert.doesNotMatch(it, /undefined|null\b|is not a function|Cannot read|\bError:/, it);
			}
		});
	}
}

/** The end of a prompt: the preview, and what the person does with it, once or each time. */
import * as vscode from 'vscode';
import type { Prompt, PromptResult } from '../../mcp/index.js';
import type { CallAgain, CallEnd, CallOutcome, OutcomeUse, ShowOutcome } from '../../core/calls/callOutcome.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ArgumentValues } from '../../editor/forms/argumentInputs.js';
import { titleText } from '../../editor/ui/plainText.js';
import { closeInput, openInput } from '../../editor/ui/quickInput.js';
import type { KeptUses } from './keptUses.js';
import { type PromptUse, type UseContext, usesFor } from './promptUses.js';

export interface PromptOutcomesDeps {
	readonly registry: ServerRegistry;
	readonly showOutcome: ShowOutcome;
	readonly kept: KeptUses;
}

/** A prompt that was asked for. */
export interface MadePrompt {
	readonly server: Server;
	readonly prompt: Prompt;
	readonly values: ArgumentValues;
	readonly durationMs: number;
	/** Where the person was. */
	readonly editor: vscode.TextEditor | undefined;
	readonly again: Pick<CallAgain, 'run' | 'edit'>;
}

interface UseItem extends vscode.QuickPickItem {
	readonly use: PromptUse;
}

export class PromptOutcomes {
	constructor(private readonly deps: PromptOutcomesDeps) {}

	/**
	 * Does what is done each time; otherwise shows it and asks.
	 * @param isOfOthers another extension wanted it: nothing is done unasked
	 */
	async take(made: MadePrompt, result: PromptResult, isOfOthers = false): Promise<void> {
		const { registry, kept } = this.deps;
		const { server, prompt, editor } = made;
		const context = { result, forModel: registry.redact(result, server), editor };
		const uses = await usesFor(context);
		const known = isOfOthers ? undefined : kept.get(server, prompt);
		const use = uses.find(it => it.id === known);
		const choice = use ? undefined : this.chooseUse(made, uses);
		if (!use || use.id === 'preview') {
			const buttons = this.buttons(made, uses, context);
			// The list offers the same: the buttons come when it is gone.
			this.showResult(
				made,
				result,
				choice
					? choice.then(
							() => buttons,
							() => buttons,
						)
					: buttons,
			);
		}
		await (use ?? (await choice))?.run();
	}

	showFailure(made: MadePrompt, error: unknown): void {
		this.show(made, { kind: 'failed', error }, { roles: [], description: undefined }, []);
	}

	private showResult(made: MadePrompt, result: PromptResult, uses: CallAgain['uses'] & {}): void {
		const content = result.messages.map(it => it.content);
		const end = { kind: 'result', result: { content, isError: false }, schemaCheck: undefined } as const;
		const roles = result.messages.map(it => it.role);
		this.show(made, end, { roles, description: result.description }, uses);
	}

	private show(
		{ server, prompt, values, durationMs, again }: MadePrompt,
		end: CallEnd,
		said: NonNullable<CallOutcome['prompt']>,
		uses: CallAgain['uses'] & {},
	): void {
		const tool = { name: `/${prompt.name}`, inputSchema: {} };
		this.deps.showOutcome({ server, tool, arguments: values, durationMs, end, prompt: said }, { ...again, uses });
	}

	/** Of the preview. */
	private buttons(made: MadePrompt, uses: readonly PromptUse[], context: UseContext): OutcomeUse[] {
		const always = {
			label: vscode.l10n.t('Each Time…'),
			// What there is to choose from may be more by now.
			run: async () => void (await this.chooseUse(made, await usesFor(context), 'always')),
		};
		return [...uses.filter(it => it.id !== 'preview'), always];
	}

	/** @param how often: once, where the pin makes it each time; or only what to do from now on */
	private async chooseUse(
		{ server, prompt }: MadePrompt,
		uses: readonly PromptUse[],
		how: 'once' | 'always' = 'once',
	): Promise<PromptUse | undefined> {
		const { t } = vscode.l10n;
		const { kept, registry } = this.deps;
		const pin = { iconPath: new vscode.ThemeIcon('pin'), tooltip: t('Do This Each Time') };
		const known = kept.get(server, prompt);
		const pick = vscode.window.createQuickPick<UseItem>();
		pick.title = titleText(`/${prompt.name}`, registry.label(server));
		// The preview comes to the front at the same time.
		pick.ignoreFocusOut = true;
		pick.placeholder =
			how === 'once' ? t('What to do with it (the pin: each time)') : t('What to do with it from now on, each time');
		pick.items = uses.map(use => ({
			label: use.label,
			iconPath: new vscode.ThemeIcon(use.icon),
			...(use.id === known ? { description: t('each time') } : {}),
			...(how === 'once' ? { buttons: [pin] } : {}),
			use,
		}));
		return new Promise<PromptUse | undefined>((resolve, reject) => {
			const keep = ({ use }: UseItem): void => {
				void kept.keep(server, prompt, use.id).then(() => resolve(use), reject);
			};
			pick.onDidTriggerItemButton(({ item }) => keep(item));
			pick.onDidAccept(() => {
				const [item] = pick.selectedItems;
				if (item && how === 'always') {
					keep(item);
				} else if (item) {
					resolve(item.use);
				}
			});
			pick.onDidHide(() => resolve(undefined));
			openInput(pick);
		}).finally(() => closeInput(pick));
	}
}

/** The end of a prompt: the preview, and what the person does with it. */
import * as vscode from 'vscode';
import type { Prompt, PromptResult } from '../../mcp/index.js';
import type { CallAgain, CallEnd, CallOutcome, ShowOutcome } from '../../core/calls/callOutcome.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ArgumentValues } from '../../editor/forms/argumentInputs.js';
import { titleText } from '../../editor/ui/plainText.js';
import { accepted, closeInput } from '../../editor/ui/quickInput.js';
import { type PromptUse, usesFor } from './promptUses.js';

export interface PromptOutcomesDeps {
	readonly registry: ServerRegistry;
	readonly showOutcome: ShowOutcome;
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

	/** Shows the result, and asks what to do with it. */
	async take(made: MadePrompt, result: PromptResult): Promise<void> {
		const { registry } = this.deps;
		const { server, editor } = made;
		const uses = await usesFor({ result, forModel: registry.redact(result, server), editor });
		const choice = this.chooseUse(made, uses);
		const buttons = uses.filter(it => it.id !== 'preview');
		// The list offers the same: the buttons come when it is gone.
		this.showResult(
			made,
			result,
			choice.then(
				() => buttons,
				() => buttons,
			),
		);
		await (await choice)?.run();
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

	private async chooseUse({ server, prompt }: MadePrompt, uses: readonly PromptUse[]): Promise<PromptUse | undefined> {
		const pick = vscode.window.createQuickPick<UseItem>();
		pick.title = titleText(`/${prompt.name}`, this.deps.registry.label(server));
		// The preview comes to the front at the same time.
		pick.ignoreFocusOut = true;
		pick.placeholder = vscode.l10n.t('Select what to do with the result');
		pick.items = uses.map(use => ({ label: use.label, iconPath: new vscode.ThemeIcon(use.icon), use }));
		try {
			return (await accepted(pick))?.use;
		} finally {
			closeInput(pick);
		}
	}
}

/** Shows the result of a prompt, and asks what to do with it. */
import * as vscode from 'vscode';
import type { Prompt, PromptResult } from '../../mcp/index.js';
import type { CallAgain, CallEnd, CallOutcome, ShowOutcome } from '../../core/calls/callOutcome.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ArgumentValues } from '../../editor/forms/argumentInputs.js';
import { titleText } from '../../editor/ui/plainText.js';
import { accepted, closeInput } from '../../editor/ui/quickInput.js';
import { type PromptUse, usesFor } from './promptUses.js';

/** A prompt that was requested from its server. */
export interface MadePrompt {
	readonly server: Server;
	readonly prompt: Prompt;
	readonly values: ArgumentValues;
	readonly durationMs: number;
	/** The editor that the person came from. */
	readonly editor: vscode.TextEditor | undefined;
	readonly again: CallAgain;
}

interface UseItem extends vscode.QuickPickItem {
	readonly use: PromptUse;
}

export class PromptOutcomes {
	constructor(
		private readonly registry: ServerRegistry,
		private readonly showOutcome: ShowOutcome,
	) {}

	/** Shows a result in the results view, and asks what to do with it. */
	async take(made: MadePrompt, result: PromptResult): Promise<void> {
		const { server, editor } = made;
		const { messages, description } = result;
		const uses = await usesFor({ result, forModel: this.registry.redact(result, server), editor });
		const content = messages.map(it => it.content);
		const end = { kind: 'result', result: { content, isError: false }, schemaCheck: undefined } as const;
		this.show(made, end, { roles: messages.map(it => it.role), description });
		await (await this.chooseUse(made, uses))?.run();
	}

	showFailure(made: MadePrompt, error: unknown): void {
		this.show(made, { kind: 'failed', error }, { roles: [], description: undefined });
	}

	private show(
		{ server, prompt, values, durationMs, again }: MadePrompt,
		end: CallEnd,
		answer: NonNullable<CallOutcome['prompt']>,
	): void {
		const tool = { name: `/${prompt.name}`, inputSchema: {} };
		this.showOutcome({ server, tool, arguments: values, durationMs, end, prompt: answer }, again);
	}

	private async chooseUse({ server, prompt }: MadePrompt, uses: readonly PromptUse[]): Promise<PromptUse | undefined> {
		const pick = vscode.window.createQuickPick<UseItem>();
		pick.title = titleText(`/${prompt.name}`, this.registry.label(server));
		// The results view opens at the same time, which must not close the list.
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

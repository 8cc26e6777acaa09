/** Talks to `@mcp` as the editor would, through the handler that the extension gave it, and writes down what it shows. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { heardAtActivation } from '../activation.js';
import { activate, inState } from '../support.js';

export async function begin(): Promise<void> {
	const api = await activate();
	for (const server of ['chatty', 'mcpWorkbench']) {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server });
		await inState(api, server, 'running');
	}
}

export interface Message {
	readonly command?: string;
	readonly model?: vscode.LanguageModelChat | undefined;
	readonly history?: readonly object[];
	readonly references?: readonly Partial<vscode.ChatPromptReference>[];
	readonly toolReferences?: readonly { readonly name: string }[];
	readonly toolInvocationToken?: object;
	/** Called with each part as it is shown. */
	readonly onPart?: (part: string, cancel: () => void) => void;
}

export interface Shown {
	/** All Markdown, one after the other. */
	readonly text: string;
	/** Progress, references and buttons, each with what it is; Markdown is left out. */
	readonly parts: readonly string[];
	/** As a button would run them. */
	readonly commands: readonly vscode.Command[];
	readonly result: vscode.ChatResult;
	readonly followUps: readonly vscode.ChatFollowup[];
	/** What the editor would give to the next message. */
	readonly turns: readonly object[];
}

export async function say(prompt: string, message: Message = {}): Promise<Shown> {
	const { command, model, history = [], references = [], toolReferences = [], toolInvocationToken, onPart } = message;
	const { handler, participant } = heardAtActivation('participant');
	const source = new vscode.CancellationTokenSource();
	let text = '';
	const parts: string[] = [];
	const commands: vscode.Command[] = [];
	const show = (part: string): void => {
		parts.push(part);
		onPart?.(part, () => source.cancel());
	};
	const stream = {
		markdown(value: string | vscode.MarkdownString): void {
			const it = typeof value === 'string' ? new vscode.MarkdownString(value) : value;
			assert.ok(!it.isTrusted && !it.supportHtml && !it.supportThemeIcons);
			text += it.value;
			onPart?.(it.value, () => source.cancel());
		},
		progress: (value: string) => show(`progress ${value}`),
		reference: (value: vscode.Uri) => show(`reference ${value.path}`),
		button: (value: vscode.Command) => {
			commands.push(value);
			show(`button ${value.title}`);
		},
	};
	const request = { prompt, command, references, toolReferences, model, toolInvocationToken };
	const context = { history };
	const result = (await handler(request as never, context as never, stream as never, source.token)) ?? {};
	source.dispose();
	// What the editor keeps is JSON.
	const kept = JSON.parse(JSON.stringify(result)) as vscode.ChatResult;
	const followUps = await participant.followupProvider?.provideFollowups(kept, context as never, source.token);
	const turns = [
		{ prompt, command, references, toolReferences, participant: 'mcpWorkbench.chat' },
		{ response: [new vscode.ChatResponseMarkdownPart(text)], result: kept, command, participant: 'mcpWorkbench.chat' },
	];
	return { text, parts, commands, result, followUps: followUps ?? [], turns };
}

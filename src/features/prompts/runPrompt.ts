/** Runs prompts: asks for arguments, requests the prompt with progress and Cancel, and asks what to do with the result. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { raceAbort } from '../../base/async.js';
import { isAbort } from '../../base/errors.js';
import type { Prompt, PromptResult } from '../../mcp/index.js';
import type { CallEnd, ShowOutcome } from '../../core/calls/calls.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ArgumentInputs, ArgumentsOutcome, ArgumentValues } from '../../editor/forms/argumentInputs.js';
import { Commands } from '../../editor/contributions.js';
import { notificationText, titleText } from '../../editor/ui/plainText.js';
import { withProgress } from '../../editor/ui/progress.js';
import { askForOne, back } from '../../editor/ui/quickInput.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import { promptText, usesFor } from './promptUses.js';
import { replaceLine, type SlashLine } from './slashCompletion.js';
import { pickPrompt } from './slashPick.js';

export interface PromptRunnerDeps {
	readonly registry: ServerRegistry;
	readonly pending: Pick<PendingRequests, 'mayHoldUp'>;
	readonly argumentInputs: ArgumentInputs;
	readonly showOutcome: ShowOutcome;
}

export class PromptRunner {
	constructor(private readonly deps: PromptRunnerDeps) {}

	/** Asks for a prompt and runs it. Back returns from the first argument to the list of prompts. */
	async choose(): Promise<void> {
		let chosen = await pickPrompt(this.deps.registry);
		while (chosen) {
			const asked = await this.ask(chosen.server, chosen.prompt, chosen.given, true);
			if (asked.kind === 'given') {
				await this.run(chosen.server, chosen.prompt, asked.values);
				return;
			}
			chosen = asked.kind === 'back' ? await pickPrompt(this.deps.registry, chosen.typed) : undefined;
		}
	}

	/**
	 * Asks for the arguments, beginning with the values of `first`, and runs the prompt.
	 * @param line the slash command in a document that the result replaces; the result is shown if the command is gone
	 */
	async askAndRun(server: Server, prompt: Prompt, first: ArgumentValues = {}, line?: SlashLine): Promise<void> {
		const asked = await this.ask(server, prompt, {}, false, first);
		if (asked.kind !== 'given') {
			return;
		}
		if (!line) {
			await this.run(server, prompt, asked.values);
			return;
		}
		const startedAt = clock.now();
		const result = await this.get(server, prompt, asked.values);
		if (!(await replaceLine(line, promptText(result)))) {
			await this.take(server, prompt, asked.values, startedAt, { result });
		}
	}

	/**
	 * The prompt of that name. Starts the server unless it runs.
	 * @returns `undefined` if the server didn't start, which the person has been told
	 * @throws Error in the person's language if the server has no such prompt
	 */
	async find(server: Server, name: string): Promise<Prompt | undefined> {
		if (!server.client) {
			await vscode.commands.executeCommand(Commands.startServer, new ServerNode(server));
			if (!server.client) {
				return undefined;
			}
		}
		const prompt = await server.catalog?.findPrompt(it => it.name === name);
		if (!prompt) {
			const serverLabel = this.deps.registry.label(server);
			throw new Error(vscode.l10n.t('{0} has no prompt "{1}".', serverLabel, notificationText(name)));
		}
		return prompt;
	}

	/** Asks for the arguments that aren't given. */
	private ask(
		server: Server,
		prompt: Prompt,
		given: ArgumentValues,
		canGoBack: boolean,
		first: ArgumentValues = {},
	): Promise<ArgumentsOutcome> {
		const serverLabel = this.deps.registry.label(server);
		return this.deps.argumentInputs.ask({
			server,
			ref: { type: 'ref/prompt', name: prompt.name },
			title: titleText(`/${prompt.name}`, serverLabel),
			serverLabel,
			arguments: prompt.arguments ?? [],
			given,
			first,
			canGoBack,
		});
	}

	/** Requests the prompt, with progress and Cancel. @throws RpcError, McpError, AbortError, NotRunningError */
	private async get(server: Server, prompt: Prompt, values: ArgumentValues): Promise<PromptResult> {
		const { registry, pending } = this.deps;
		const startedAt = clock.now();
		const title = `${registry.label(server)}: /${notificationText(prompt.name)}`;
		return withProgress(
			title,
			async signal => {
				const client = await raceAbort(server.use(true), signal);
				return client.getPrompt(prompt.name, values, signal);
			},
			() => pending.mayHoldUp(server.definition, startedAt),
		);
	}

	/**
	 * Requests the prompt, and shows its result or failure.
	 * @param before the editor that the person came from, if the results view is active now
	 */
	private async run(server: Server, prompt: Prompt, values: ArgumentValues, before?: vscode.TextEditor): Promise<void> {
		const startedAt = clock.now();
		const answer = await this.get(server, prompt, values).then(
			result => ({ result }),
			(error: unknown) => {
				if (isAbort(error)) {
					throw error;
				}
				return { error };
			},
		);
		await this.take(server, prompt, values, startedAt, answer, before);
	}

	/** Shows a result or failure in the results view. Asks what to do with a result. */
	private async take(
		server: Server,
		prompt: Prompt,
		values: ArgumentValues,
		startedAt: number,
		answer: { readonly result: PromptResult } | { readonly error: unknown },
		before?: vscode.TextEditor,
	): Promise<void> {
		const { registry, showOutcome } = this.deps;
		const editor = vscode.window.activeTextEditor ?? before;
		const { messages, description }: PromptResult =
			'result' in answer ? answer.result : { messages: [], description: undefined };
		const result = { content: messages.map(it => it.content), isError: false };
		const end: CallEnd =
			'result' in answer
				? { kind: 'result', result, schemaCheck: undefined, warnings: [] }
				: { kind: 'failed', error: answer.error };
		showOutcome(
			{
				server,
				tool: { name: `/${prompt.name}`, inputSchema: {} },
				arguments: values,
				durationMs: clock.now() - startedAt,
				end,
				prompt: { roles: messages.map(it => it.role), description },
			},
			{
				run: () => this.run(this.current(server), prompt, values, editor),
				edit: () => this.askAndRun(this.current(server), prompt, values),
			},
		);
		if ('result' in answer) {
			const uses = await usesFor({ ...answer, forModel: registry.redact(answer.result, server), editor });
			const title = titleText(`/${prompt.name}`, registry.label(server));
			// The results view opens at the same time, which doesn't close this list.
			const chosen = await askForOne(
				{ title, placeholder: vscode.l10n.t('Select what to do with the result') },
				uses.map(use => ({ label: use.label, iconPath: new vscode.ThemeIcon(use.icon), use })),
			);
			await (chosen !== back && chosen?.use.run());
		}
	}

	private current(server: Server): Server {
		return this.deps.registry.current(server) ?? server;
	}
}

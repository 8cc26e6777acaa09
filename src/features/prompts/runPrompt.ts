/** Runs prompts: asks for arguments, requests the prompt with progress and Cancel, and hands the result on. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { raceAbort } from '../../base/async.js';
import { isAbort } from '../../base/errors.js';
import type { Prompt, PromptResult } from '../../mcp/index.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ArgumentInputs, ArgumentsOutcome, ArgumentValues } from '../../editor/forms/argumentInputs.js';
import { Commands } from '../../editor/contributions.js';
import { notificationText, titleText } from '../../editor/ui/plainText.js';
import { withProgress } from '../../editor/ui/progress.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import type { MadePrompt, PromptOutcomes } from './promptOutcome.js';
import { promptText } from './promptUses.js';
import { type AcceptedPrompt, replaceLine } from './slashCompletion.js';
import { pickPrompt } from './slashPick.js';

export interface PromptRunnerDeps {
	readonly registry: ServerRegistry;
	readonly pending: Pick<PendingRequests, 'mayHoldUp'>;
	readonly argumentInputs: ArgumentInputs;
	readonly outcomes: PromptOutcomes;
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
	 * Asks for the missing arguments and runs the prompt.
	 * @param first initial values of arguments that are asked for
	 */
	async askAndRun(
		server: Server,
		prompt: Prompt,
		given: ArgumentValues = {},
		first: ArgumentValues = {},
	): Promise<void> {
		const asked = await this.ask(server, prompt, given, false, first);
		if (asked.kind === 'given') {
			await this.run(server, prompt, asked.values);
		}
	}

	/** Replaces the slash command in a document by the result. If the command is gone by then, shows the result. */
	async runInEditor({ server, name, given, line }: AcceptedPrompt): Promise<void> {
		const current = this.current(server);
		const prompt = await this.find(current, name);
		const asked = prompt ? await this.ask(current, prompt, given, false) : undefined;
		if (!prompt || asked?.kind !== 'given') {
			return;
		}
		const startedAt = clock.now();
		const result = await this.get(current, prompt, asked.values);
		if (!(await replaceLine(line, promptText(result)))) {
			await this.deps.outcomes.take(this.made(current, prompt, asked.values, startedAt), result);
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
			const serverLabel = notificationText(this.deps.registry.label(server));
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
		const title = `${notificationText(registry.label(server))}: /${notificationText(prompt.name)}`;
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
		const { outcomes } = this.deps;
		const startedAt = clock.now();
		let result: PromptResult;
		try {
			result = await this.get(server, prompt, values);
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			outcomes.showFailure(this.made(server, prompt, values, startedAt, before), error);
			return;
		}
		await outcomes.take(this.made(server, prompt, values, startedAt, before), result);
	}

	private made(
		server: Server,
		prompt: Prompt,
		values: ArgumentValues,
		startedAt: number,
		before?: vscode.TextEditor,
	): MadePrompt {
		const editor = vscode.window.activeTextEditor ?? before;
		return {
			server,
			prompt,
			values,
			durationMs: clock.now() - startedAt,
			editor,
			again: {
				run: () => this.run(this.current(server), prompt, values, editor),
				edit: () => this.askAndRun(this.current(server), prompt, {}, values),
			},
		};
	}

	private current(server: Server): Server {
		return this.deps.registry.current(server) ?? server;
	}
}

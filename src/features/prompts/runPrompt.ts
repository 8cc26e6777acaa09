/** Running a prompt: its arguments, the request with Cancel, the preview, and what is done with it. */
import * as vscode from 'vscode';
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
import { promptText } from './promptText.js';
import { type AcceptedPrompt, replaceLine } from './slashCompletion.js';
import type { ChosenPrompt } from './slashPick.js';

export interface PromptRunnerDeps {
	readonly registry: ServerRegistry;
	readonly pending: Pick<PendingRequests, 'mayHoldUp'>;
	readonly inputs: ArgumentInputs;
	readonly outcomes: PromptOutcomes;
	/** The list of prompts, to be gone back to. */
	readonly pick: (typed?: string) => Promise<ChosenPrompt | undefined>;
}

export class PromptRunner {
	constructor(private readonly deps: PromptRunnerDeps) {}

	/** From the list to the result; Back leads from the first argument to the list. */
	async choose(): Promise<void> {
		let chosen: ChosenPrompt | undefined = await this.deps.pick();
		while (chosen) {
			const asked = await this.ask(chosen.server, chosen.prompt, chosen.given, true);
			if (asked.kind === 'given') {
				await this.run(chosen.server, chosen.prompt, asked.values);
				return;
			}
			chosen = asked.kind === 'back' ? await this.deps.pick(chosen.typed) : undefined;
		}
	}

	/**
	 * Asks for what is not given, and runs it.
	 * @param first values to begin with, which are asked for all the same
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

	/** Puts the result where the command stands in a document; if it is gone by then, it is shown as any other. */
	async runInEditor({ server, name, given, line }: AcceptedPrompt): Promise<void> {
		const current = this.current(server);
		const prompt = await this.find(current, name);
		const asked = prompt ? await this.ask(current, prompt, given, false) : undefined;
		if (!prompt || asked?.kind !== 'given') {
			return;
		}
		const startedAt = Date.now();
		const result = await this.get(current, prompt, asked.values);
		if (!(await replaceLine(line, promptText(result)))) {
			await this.deps.outcomes.take(this.made(current, prompt, asked.values, startedAt), result);
		}
	}

	/**
	 * The prompt of that name; the server is started if it does not run.
	 * @returns `undefined` if it does not start, which is said already
	 * @throws Error in the person's language if it has no such prompt
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
			const whose = notificationText(this.deps.registry.label(server));
			throw new Error(vscode.l10n.t('{0} has no prompt "{1}".', whose, notificationText(name)));
		}
		return prompt;
	}

	/** What is missing of the arguments. */
	private ask(
		server: Server,
		prompt: Prompt,
		given: ArgumentValues,
		canGoBack: boolean,
		first: ArgumentValues = {},
	): Promise<ArgumentsOutcome> {
		const whose = this.deps.registry.label(server);
		return this.deps.inputs.ask({
			server,
			ref: { type: 'ref/prompt', name: prompt.name },
			title: titleText(`/${prompt.name}`, whose),
			whose,
			arguments: prompt.arguments ?? [],
			given,
			first,
			canGoBack,
		});
	}

	/** The request, where the person can see and cancel it. @throws RpcError, McpError, AbortError, NotRunningError */
	private async get(server: Server, prompt: Prompt, values: ArgumentValues): Promise<PromptResult> {
		const { registry, pending } = this.deps;
		const startedAt = Date.now();
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
	 * Its end is shown, whatever it is; then it is used as the person wants.
	 * @param before the editor that they came from, where they look at the preview now
	 */
	private async run(server: Server, prompt: Prompt, values: ArgumentValues, before?: vscode.TextEditor): Promise<void> {
		const { outcomes } = this.deps;
		const startedAt = Date.now();
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
			durationMs: Date.now() - startedAt,
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

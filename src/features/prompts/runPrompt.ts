/** Runs prompts: gets arguments from steps or a page, requests the prompt with progress and Cancel, and shows the result. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { raceAbort } from '../../base/async.js';
import type { ContentBlock, Prompt, PromptResult } from '../../mcp/index.js';
import { type CallOutcome, endOf, type ResultUse } from '../../core/calls/calls.js';
import type { CallOrigin } from '../../core/messages/wireRecord.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ArgumentInputs, ArgumentsOutcome, ArgumentValues } from '../../editor/forms/argumentInputs.js';
import { Commands } from '../../editor/contributions.js';
import type { PageRun } from '../../editor/pages/runPage.js';
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
	/** The last active text editor, for Insert at Cursor. */
	readonly editor: () => vscode.TextEditor | undefined;
	/** Shows the outcome of a prompt that wasn't run from its page. @param id of the request, as in the origin of its messages */
	readonly showOutcome: (prompt: Prompt, call: CallOutcome, id: string) => void;
}

/** One request for a prompt. */
interface PromptRequest {
	/** The id in the origin of the request's messages. */
	readonly id: string;
	/** Milliseconds since 1970. */
	readonly startedAt: number;
	/** Set if the request is made from a page. */
	readonly pageRun?: PageRun;
}

type PromptOutcome = CallOutcome & { readonly uses: readonly ResultUse[] };

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
		const request = newRequest();
		const result = line && (await this.get(server, prompt, asked.values, request));
		const isReplaced = line && result && (await replaceLine(line, promptText(result)));
		if (isReplaced !== true) {
			await this.run(server, prompt, asked.values, request, result);
		}
	}

	/** Runs a prompt with the arguments of its page. */
	async runInPage(server: Server, prompt: Prompt, values: ArgumentValues, pageRun: PageRun): Promise<void> {
		const request = { ...newRequest(), id: pageRun.id, pageRun };
		pageRun.onOutcome(await this.outcomeOf(server, prompt, values, request));
	}

	/**
	 * Finds a prompt by its name. Starts the server if it isn't running.
	 * @returns `undefined` if the server didn't start; the person has been notified
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
	private async get(
		server: Server,
		prompt: Prompt,
		values: ArgumentValues,
		{ id, startedAt, pageRun }: PromptRequest,
	): Promise<PromptResult> {
		const { registry, pending } = this.deps;
		const title = `${registry.label(server)}: /${notificationText(prompt.name)}`;
		return withProgress(
			title,
			async (progressSignal, report) => {
				const signal = pageRun ? AbortSignal.any([progressSignal, pageRun.signal]) : progressSignal;
				const client = await raceAbort(server.use(true), signal);
				const origin: CallOrigin = { callId: id, caller: { kind: 'person' } };
				return client.getPrompt(prompt.name, values, { signal, origin, onProgress: report });
			},
			() => pending.mayHoldUp(server.definition, startedAt),
			undefined,
			pageRun?.onProgress,
		);
	}

	/**
	 * Requests the prompt, shows its result or failure on its page, and asks what to do with a result.
	 * @param result the result, if it was requested already
	 */
	private async run(
		server: Server,
		prompt: Prompt,
		values: ArgumentValues,
		request = newRequest(),
		result?: PromptResult,
	): Promise<void> {
		const outcome = await this.outcomeOf(server, prompt, values, request, result);
		if (outcome.end.kind !== 'cancelled') {
			this.deps.showOutcome(prompt, outcome, request.id);
		}
		if (outcome.end.kind === 'answered') {
			const title = titleText(`/${prompt.name}`, this.deps.registry.label(server));
			const preview = { label: vscode.l10n.t('Preview'), icon: 'open-preview', run: () => undefined };
			// The page opens at the same time, which doesn't close this list.
			const chosen = await askForOne(
				{ title, placeholder: vscode.l10n.t('Select what to do with the result') },
				[...outcome.uses, preview].map(use => ({ label: use.label, iconPath: new vscode.ThemeIcon(use.icon), use })),
			);
			await (chosen !== back && chosen?.use.run());
		}
	}

	/** Requests the prompt unless its result is known. */
	private async outcomeOf(
		server: Server,
		prompt: Prompt,
		values: ArgumentValues,
		request: PromptRequest,
		known?: PromptResult,
	): Promise<PromptOutcome> {
		const { registry, editor } = this.deps;
		let result = known;
		const get = async (): Promise<ContentBlock[]> => {
			result ??= await this.get(server, prompt, values, request);
			return result.messages.map(it => it.content);
		};
		const end = await endOf(get());
		const durationMs = clock.now() - request.startedAt;
		const forModel = result && registry.redact(result, server);
		return {
			server,
			tool: { name: `/${prompt.name}`, inputSchema: {} },
			arguments: values,
			durationMs,
			end,
			prompt: { roles: result?.messages.map(it => it.role) ?? [], description: result?.description },
			uses: result && forModel ? await usesFor({ result, forModel, editor: editor() }) : [],
		};
	}
}

function newRequest(): PromptRequest {
	return { id: crypto.randomUUID(), startedAt: clock.now() };
}

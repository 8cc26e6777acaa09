/** Running a prompt: its arguments, the request with Cancel, the preview, and what is done with it. */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import type { Prompt, PromptResult } from '../../mcp/index.js';
import type { CallOutcome, OutcomeUse, ShowOutcome } from '../../model/callOutcome.js';
import type { Server } from '../../model/server.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
import type { ArgumentInputs, ArgumentValues } from '../../host/argumentInputs.js';
import { Commands } from '../../host/contributions.js';
import { notificationText, titleText } from '../../host/plainText.js';
import { withProgress } from '../../host/progress.js';
import { ServerNode } from '../../host/treeNodes.js';
import type { KeptUses } from './keptUses.js';
import { rolesOf } from './promptText.js';
import { type PromptUse, type UseContext, usesFor } from './promptUses.js';
import type { ChosenPrompt } from './slashPick.js';

export interface PromptRunnerDeps {
	readonly registry: ServerRegistry;
	readonly inputs: ArgumentInputs;
	readonly showOutcome: ShowOutcome;
	readonly kept: KeptUses;
	/** The list of prompts, to be gone back to. */
	readonly pick: (typed?: string) => Promise<ChosenPrompt | undefined>;
}

type Asked = { readonly kind: 'given'; readonly values: ArgumentValues } | { readonly kind: 'back' | 'left' };

interface UseItem extends vscode.QuickPickItem {
	readonly use: PromptUse;
}

export class PromptRunner {
	constructor(private readonly deps: PromptRunnerDeps) {}

	/** From the list to the result; Back leads from the first argument to the list. */
	async choose(typed?: string): Promise<void> {
		let chosen: ChosenPrompt | undefined = await this.deps.pick(typed);
		while (chosen) {
			const asked = await this.ask(chosen.server, chosen.prompt, chosen.given, true);
			if (asked.kind === 'given') {
				await this.run(chosen.server, chosen.prompt, asked.values);
				return;
			}
			chosen = asked.kind === 'back' ? await this.deps.pick(chosen.typed) : undefined;
		}
	}

	/** Asks for what is not given, and runs it. */
	async runByPerson(server: Server, prompt: Prompt, given: ArgumentValues = {}): Promise<void> {
		const asked = await this.ask(server, prompt, given, false);
		if (asked.kind === 'given') {
			await this.run(server, prompt, asked.values);
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
		await server.catalog?.whenLoaded('prompts');
		const list = server.catalog?.prompts;
		const prompt = list?.kind === 'loaded' ? list.items.find(it => it.name === name) : undefined;
		if (!prompt) {
			const whose = notificationText(this.deps.registry.label(server));
			throw new Error(vscode.l10n.t('{0} has no prompt "{1}".', whose, notificationText(name)));
		}
		return prompt;
	}

	/** What is missing of the arguments. */
	ask(server: Server, prompt: Prompt, given: ArgumentValues, canGoBack: boolean): Promise<Asked> {
		const whose = this.deps.registry.label(server);
		return this.deps.inputs.ask({
			server,
			ref: { type: 'ref/prompt', name: prompt.name },
			title: titleText(`/${prompt.name}`, whose),
			whose,
			arguments: prompt.arguments ?? [],
			given,
			canGoBack,
		});
	}

	/** The request, where the person can see and cancel it. @throws RpcError, McpError, AbortError, NotRunningError */
	async get(server: Server, prompt: Prompt, values: ArgumentValues): Promise<PromptResult> {
		const title = `${notificationText(this.deps.registry.label(server))}: /${notificationText(prompt.name)}`;
		return withProgress(title, async signal => (await server.use()).getPrompt(prompt.name, values, signal));
	}

	/**
	 * Its end is shown, whatever it is; then it is used as the person wants.
	 * @param before the editor that they came from, where they look at the preview now
	 */
	private async run(server: Server, prompt: Prompt, values: ArgumentValues, before?: vscode.TextEditor): Promise<void> {
		const editor = vscode.window.activeTextEditor ?? before;
		const startedAt = Date.now();
		const show = (
			end: CallOutcome['end'],
			roles: PromptResult['messages'][number]['role'][],
			uses: OutcomeUse[],
		): void =>
			this.deps.showOutcome(
				{
					server,
					tool: { name: `/${prompt.name}`, inputSchema: {} },
					arguments: values,
					durationMs: Date.now() - startedAt,
					end,
					prompt: { roles },
				},
				{
					run: () => this.run(this.current(server), prompt, values, editor),
					edit: () => this.runByPerson(this.current(server), prompt),
					uses,
				},
			);
		let result: PromptResult;
		try {
			result = await this.get(server, prompt, values);
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			show({ kind: 'failed', error }, [], []);
			return;
		}
		const context = { result, title: titleText(`/${prompt.name}`, this.deps.registry.label(server)), editor };
		const uses = await usesFor(context);
		const known = this.deps.kept.get(server, prompt);
		const use = uses.find(it => it.id === known);
		const content = result.messages.map(it => it.content);
		const end = { kind: 'result', result: { content, isError: false }, schemaCheck: undefined } as const;
		if (!use || use.id === 'preview') {
			show(end, rolesOf(result), this.buttons(server, prompt, uses, context));
		}
		await (use ?? (await this.chooseUse(server, prompt, uses)))?.run();
	}

	/** Of the preview. */
	private buttons(server: Server, prompt: Prompt, uses: readonly PromptUse[], context: UseContext): OutcomeUse[] {
		return [
			...uses.filter(it => it.id !== 'preview'),
			{
				label: vscode.l10n.t('Each Time…'),
				// What there is to choose from may be more by now.
				run: async () => void (await this.chooseUse(server, prompt, await usesFor(context), 'always')),
			},
		];
	}

	/** @param how often: once, where the pin makes it each time; or only what to do from now on */
	private async chooseUse(
		server: Server,
		prompt: Prompt,
		uses: readonly PromptUse[],
		how: 'once' | 'always' = 'once',
	): Promise<PromptUse | undefined> {
		const { t } = vscode.l10n;
		const { kept, registry } = this.deps;
		const pin = { iconPath: new vscode.ThemeIcon('pin'), tooltip: t('Do This Each Time') };
		const known = kept.get(server, prompt);
		const pick = vscode.window.createQuickPick<UseItem>();
		pick.title = titleText(`/${prompt.name}`, registry.label(server));
		pick.placeholder =
			how === 'once' ? t('What to do with it (the pin: each time)') : t('What to do with it from now on, each time');
		pick.items = uses.map(use => ({
			label: use.label,
			iconPath: new vscode.ThemeIcon(use.icon),
			...(use.id === known ? { description: t('each time') } : {}),
			...(how === 'once' ? { buttons: [pin] } : {}),
			use,
		}));
		return new Promise<PromptUse | undefined>(resolve => {
			const keep = ({ use }: UseItem): void => {
				void kept.keep(server, prompt, use.id).then(() => resolve(use));
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
			pick.show();
		}).finally(() => pick.dispose());
	}

	private current(server: Server): Server {
		return this.deps.registry.current(server) ?? server;
	}
}

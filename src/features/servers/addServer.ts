/** "Add Server…": from what a README says to a line in a file and a server that runs. */
import * as vscode from 'vscode';
import { Commands } from '../../editor/contributions.js';
import { quickInputText, quickPickText } from '../../editor/ui/plainText.js';
import { askForMany, askForText, back } from '../../editor/ui/quickInput.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import type { Addition } from '../../core/config/configEdit.js';
import { type FoundServer, type FoundServers, parsePasted, type Pasted } from '../../core/addServer/pastedServer.js';
import type { Wish } from '../../core/config/serverInputs.js';
import { checkServerName, nameOf, uniqueName } from '../../core/addServer/serverName.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { canStart } from '../../core/servers/serverState.js';
import { type Accept, askPlace, askWishes, grantAll, type Step, type StepOutcome, walk } from './addSteps.js';
import { describeFound, describeNameProblem, describePasteProblem } from './pasteText.js';
import type { ServerTarget, Written } from './targets.js';
import { untilThere } from './untilThere.js';

/** One walk from the pasted text to the running server. */
export class AddServer {
	/** What was pasted when the question disappeared: kept in memory, for the next time. */
	private draft = '';
	private found: FoundServers = { servers: [], inputs: [] };
	private chosen: readonly FoundServer[] = [];
	private servers: readonly Addition[] = [];
	private target: ServerTarget | undefined;
	private wishes: ReadonlyMap<Addition, readonly Wish[]> = new Map();

	constructor(
		private readonly registry: ServerRegistry,
		private readonly accept: Accept,
	) {}

	async run(): Promise<void> {
		const steps: Step[] = [
			() => this.paste(),
			canGoBack => this.choose(canGoBack),
			canGoBack => this.name(canGoBack),
			canGoBack => this.place(canGoBack),
			canGoBack => this.secrets(canGoBack),
		];
		if (!(await walk(steps)) || !this.target) {
			return;
		}
		const { additions, inputs, answers } = grantAll(this.servers, this.wishes, this.found.inputs);
		const written = await this.target.write(additions, inputs);
		if (written) {
			this.draft = '';
			await this.accept(written, answers);
			await written.reveal();
			await Promise.all(additions.map(it => this.start(written, it.name)));
		}
	}

	private async paste(): Promise<StepOutcome> {
		const { t } = vscode.l10n;
		const lines = new ClipboardLines();
		const text = await askForText({
			title: t('Add Server'),
			prompt: t('Paste a command line, a URL, or JSON from a README'),
			placeholder: 'npx -y @scope/package',
			value: this.draft,
			check: (it, again) => {
				const pasted = lines.parse(it, again);
				return pasted.kind === 'problem'
					? quickInputText(describePasteProblem(pasted.problem))
					: { message: understood(pasted), severity: vscode.InputBoxValidationSeverity.Info };
			},
			onLeave: it => (this.draft = it),
		});
		if (text === undefined || text === back) {
			return 'left';
		}
		this.draft = text;
		const pasted = lines.parse(text);
		this.found = pasted.kind === 'servers' ? pasted : { servers: [], inputs: [] };
		return 'next';
	}

	/** Which servers of a snippet, if it has several. */
	private async choose(canGoBack: boolean): Promise<StepOutcome> {
		const { servers } = this.found;
		this.chosen = servers;
		if (servers.length < 2) {
			return servers.length === 0 ? 'left' : 'skipped';
		}
		const { t } = vscode.l10n;
		const items = servers.map(server => ({
			label: quickPickText(server.name ?? nameOf(server.entry)),
			description: quickPickText(describeFound(server)),
			server,
		}));
		const question = { title: t('Add Server'), placeholder: t('Choose the servers to add'), canGoBack };
		const chosen = await askForMany(question, items, () => true);
		if (chosen === undefined || chosen === back) {
			return chosen === back ? 'back' : 'left';
		}
		this.chosen = chosen.map(it => it.server);
		return this.chosen.length === 0 ? 'left' : 'next';
	}

	private async name(canGoBack: boolean): Promise<StepOutcome> {
		const taken = new Set(this.registry.servers.map(it => it.name));
		this.servers = nameAll(this.chosen, taken);
		const [only, ...others] = this.chosen;
		if (!only || others.length > 0) {
			return 'skipped';
		}
		const { t } = vscode.l10n;
		const name = await askForText({
			title: t('Add Server'),
			prompt: t('Name of the server — {0}', quickInputText(describeFound(only))),
			value: this.servers[0]?.name ?? '',
			canGoBack,
			check: it => {
				const problem = checkServerName(it, taken);
				return problem && describeNameProblem(problem);
			},
		});
		if (name === undefined || name === back) {
			return name === back ? 'back' : 'left';
		}
		this.servers = [{ name, entry: only.entry }];
		return 'next';
	}

	private place(canGoBack: boolean): Promise<StepOutcome> {
		return askPlace(vscode.l10n.t('Add Server'), canGoBack, it => (this.target = it));
	}

	private secrets(canGoBack: boolean): Promise<StepOutcome> {
		return askWishes(vscode.l10n.t('Add Server'), canGoBack, this.servers, it => (this.wishes = it));
	}

	/** Starts a server as soon as its file has been read. */
	private async start(written: Written, name: string): Promise<void> {
		const server = await untilThere(this.registry, it => it.name === name && written.holds(it));
		if (server && vscode.workspace.isTrusted && canStart(server.state)) {
			await vscode.commands.executeCommand(Commands.startServer, new ServerNode(server));
		}
	}
}

/** Names for all: their own where they have one, and none twice. */
export function nameAll(found: readonly FoundServer[], taken: ReadonlySet<string>): Addition[] {
	const names = new Set(taken);
	return found.map(({ name, entry }) => {
		const free = uniqueName(name ?? nameOf(entry), names);
		names.add(free);
		return { name: free, entry };
	});
}

/**
 * An input box makes one line of what is pasted, and a comment in JSON then swallows the rest. Only for such a text the
 * clipboard is looked at: if it still holds the same with its lines, that is read instead.
 */
class ClipboardLines {
	private clipboard: string | undefined;

	/** @param onKnown called if the clipboard has changed what the text means */
	parse(text: string, onKnown?: () => void): Pasted {
		const pasted = parsePasted(text);
		if (pasted.kind === 'servers' || pasted.problem.code !== 'json' || !text.includes('//')) {
			return pasted;
		}
		if (this.clipboard === undefined) {
			this.clipboard = '';
			void vscode.env.clipboard.readText().then(it => {
				this.clipboard = it;
				onKnown?.();
			});
		}
		return bare(this.clipboard) === bare(text) ? parsePasted(this.clipboard) : pasted;
	}
}

function bare(text: string): string {
	return text.replace(/\s+/g, '');
}

function understood({ servers }: FoundServers): string {
	const { t } = vscode.l10n;
	const [only, ...others] = servers;
	if (!only || others.length > 0) {
		const names = servers.map(it => it.name ?? nameOf(it.entry)).join(', ');
		return t('{0} servers: {1}', servers.length, quickInputText(names));
	}
	return quickInputText(describeFound(only));
}

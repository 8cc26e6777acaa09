/** The command Add Server: a wizard from a pasted text to a configured server that runs. */
import * as vscode from 'vscode';
import { quickInputText, quickPickText } from '../../editor/ui/plainText.js';
import { labelOfName } from '../../core/servers/serverLabels.js';
import { askForMany, askForOne, askForText, back } from '../../editor/ui/quickInput.js';
import type { ServersView } from '../../editor/tree/serversView.js';
import type { Addition } from '../../core/config/configEdit.js';
import type { FoundServer, FoundServers, Pasted, ServerReader } from '../../core/addServer/foundServer.js';
import { checkServerName, nameOf, uniqueName } from '../../core/addServer/serverName.js';
import { type AddingDeps, NewServers, type StepOutcome, runWizard } from './addSteps.js';
import { waitForServer } from './configPlaces.js';
import { startAdded } from './demo.js';
import { describeFound, describeNameProblem, describePasteProblem } from './pasteText.js';
import type { Written } from './targets.js';

export class AddServer {
	/** The text of a wizard that the person has left, for the next one. */
	private draft = '';
	private found: FoundServers = { servers: [], inputs: [] };
	private chosen: readonly FoundServer[] = [];
	private added = new NewServers('');

	constructor(
		private readonly deps: AddingDeps & { readonly view: Pick<ServersView, 'selectFirstTool'> },
		private readonly loadReader: () => Promise<ServerReader>,
	) {}

	async run(): Promise<void> {
		const reader = await this.loadReader();
		const added = new NewServers(vscode.l10n.t('Add Server'));
		this.added = added;
		const isDone = await runWizard([
			() => this.paste(reader),
			canGoBack => this.choose(canGoBack),
			canGoBack => this.askOptional(canGoBack),
			canGoBack => this.name(canGoBack),
			canGoBack => added.askPlace(canGoBack),
			canGoBack => added.askInputs(canGoBack),
		]);
		const written = isDone ? await added.save(this.found.inputs, this.deps) : undefined;
		if (written) {
			this.draft = '';
			await written.reveal();
			await Promise.all(added.servers.map(it => this.start(written, it.name)));
		}
	}

	private async paste(reader: ServerReader): Promise<StepOutcome> {
		const { t } = vscode.l10n;
		const lines = new ClipboardLines(reader);
		const text = await askForText({
			title: t('Add Server'),
			prompt: t('Paste a command line, a URL, an install link, a configuration, or server.json'),
			placeholder: 'npx -y @scope/package',
			value: this.draft,
			check: (it, again) => {
				const pasted = lines.parse(it, again);
				return pasted.kind === 'problem'
					? quickInputText(describePasteProblem(pasted.problem))
					: { message: describePasted(pasted), severity: vscode.InputBoxValidationSeverity.Info };
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

	/** Asks which servers of the text to add, if it has several. */
	private async choose(canGoBack: boolean): Promise<StepOutcome> {
		const { servers } = this.found;
		this.chosen = servers;
		if (servers.length < 2) {
			return servers.length === 0 ? 'left' : 'skipped';
		}
		const { t } = vscode.l10n;
		if (this.found.areAlternatives) {
			const ways = servers.map(server => ({ label: quickPickText(describeFound(server)), server }));
			const placeholder = t('Select how to run the server');
			const way = await askForOne({ title: t('Add Server'), placeholder, canGoBack }, ways);
			if (way === undefined || way === back) {
				return way === back ? 'back' : 'left';
			}
			this.chosen = [way.server];
			return 'next';
		}
		const items = servers.map(server => ({
			label: labelOfName(server.name ?? nameOf(server.entry)),
			description: quickPickText(describeFound(server)),
			server,
		}));
		const question = { title: t('Add Server'), placeholder: t('Select the servers to add'), canGoBack };
		const chosen = await askForMany(question, items, () => true);
		if (chosen === undefined || chosen === back) {
			return chosen === back ? 'back' : 'left';
		}
		this.chosen = chosen.map(it => it.server);
		return this.chosen.length === 0 ? 'left' : 'next';
	}

	/** Asks which optional values of a published server the person wants to give. */
	private async askOptional(canGoBack: boolean): Promise<StepOutcome> {
		const [server, ...others] = this.chosen;
		if (!server?.optional || others.length > 0) {
			return 'skipped';
		}
		const { t } = vscode.l10n;
		const items = server.optional.map(({ name, description, isSecret }) => ({
			label: quickPickText(name),
			description: quickPickText(description === name ? '' : description),
			isSecret,
			name,
		}));
		const placeholder = t('Select the optional values that you want to enter');
		const question = { title: t('Add Server'), placeholder, canGoBack };
		const wanted = await askForMany(question, items, it => it.isSecret);
		if (wanted === undefined || wanted === back) {
			return wanted === back ? 'back' : 'left';
		}
		this.chosen = [server.withOptional?.(new Set(wanted.map(it => it.name))) ?? server];
		return 'next';
	}

	private async name(canGoBack: boolean): Promise<StepOutcome> {
		const taken = new Set(this.deps.registry.servers.map(it => it.name));
		this.added.servers = nameServers(this.chosen, taken);
		const [only, ...others] = this.chosen;
		if (!only || others.length > 0) {
			return 'skipped';
		}
		const { t } = vscode.l10n;
		const name = await askForText({
			title: t('Add Server'),
			prompt: t('Enter a name for the server ({0})', quickInputText(describeFound(only))),
			value: this.added.servers[0]?.name ?? '',
			canGoBack,
			check: it => {
				const problem = checkServerName(it, taken);
				return problem && describeNameProblem(problem);
			},
		});
		if (name === undefined || name === back) {
			return name === back ? 'back' : 'left';
		}
		this.added.servers = [{ name, entry: only.entry }];
		return 'next';
	}

	/** Starts a server once its configuration has been read. */
	private async start(written: Written, name: string): Promise<void> {
		const server = await waitForServer(this.deps.registry, it => it.name === name && written.holds(it));
		await (server && vscode.workspace.isTrusted && startAdded(server, this.deps.view));
	}
}

/** Names servers uniquely, after the names that they have in the text. */
export function nameServers(found: readonly FoundServer[], taken: ReadonlySet<string>): Addition[] {
	const names = new Set(taken);
	return found.map(({ name, entry }) => {
		const free = uniqueName(name ?? nameOf(entry), names);
		names.add(free);
		return { name: free, entry };
	});
}

/**
 * Parses pasted text. An input box joins pasted lines, so a line comment in JSON hides everything after it, and TOML and YAML
 * can't be read. For such a text, the clipboard is read: if it has the same text with line breaks, that is parsed instead.
 */
class ClipboardLines {
	private clipboard: string | undefined;

	constructor(private readonly reader: ServerReader) {}

	/** @param onKnown called when the clipboard has been read, because the text may then mean something else */
	parse(text: string, onKnown?: () => void): Pasted {
		const pasted = this.reader.parsePasted(text);
		const needsLines =
			pasted.kind === 'problem' &&
			(pasted.problem.code === 'format' || (pasted.problem.code === 'json' && text.includes('//')));
		if (!needsLines) {
			return pasted;
		}
		if (this.clipboard === undefined) {
			this.clipboard = '';
			void vscode.env.clipboard.readText().then(it => {
				this.clipboard = it;
				onKnown?.();
			});
		}
		return withoutSpace(this.clipboard) === withoutSpace(text) ? this.reader.parsePasted(this.clipboard) : pasted;
	}
}

function withoutSpace(text: string): string {
	return text.replace(/\s+/g, '');
}

function describePasted({ servers, areAlternatives }: FoundServers): string {
	const { t } = vscode.l10n;
	const [only, ...others] = servers;
	if (only && areAlternatives) {
		const name = labelOfName(only.name ?? nameOf(only.entry));
		return t('{0} can run in {1} ways. Select one in the next step', name, servers.length);
	}
	if (!only || others.length > 0) {
		const names = servers.map(it => labelOfName(it.name ?? nameOf(it.entry))).join(', ');
		return t('{0} servers found: {1}', servers.length, quickInputText(names));
	}
	return quickInputText(describeFound(only));
}

/**
 * Elicitation: a server asks a person. What it asks is told by one notification at a time for each server, and stays in
 * the tree, the status bar and the badge until it is answered. Nothing here takes the focus by itself.
 */
import * as vscode from 'vscode';
import type { Sequencer } from '../../base/async.js';
import { type Disposable, DisposableStore, Owner } from '../../base/lifecycle.js';
import type { SchemaValidator } from '../../mcp/index.js';
import type { ListState } from '../../model/catalog.js';
import type { Elicitation, ElicitationAnswer, Elicitations, EndedQuestion } from '../../model/elicitations.js';
import type { Exchanges } from '../../model/exchanges.js';
import type { Server } from '../../model/server.js';
import type { ServerDefinition } from '../../model/serverConfig.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
import { guarded, ManagedContextKey, registerCommand } from '../../host/commands.js';
import { Commands, ContextKeys, TreeContexts } from '../../host/contributions.js';
import type { Documents } from '../../host/documents.js';
import { notificationText, oneLine, quickPickText } from '../../host/plainText.js';
import type { ServersTree } from '../../host/tree.js';
import { LeafNode, ServerNode } from '../../host/treeNodes.js';
import { AnswerForm } from './answerForm.js';
import { askPage } from './answerPage.js';

export interface ElicitationDeps {
	readonly registry: ServerRegistry;
	readonly tree: ServersTree;
	readonly documents: Documents;
	readonly validator: SchemaValidator;
	/** One question at a time, whatever it is about. */
	readonly questions: Sequencer;
	readonly elicitations: Elicitations;
	readonly exchanges: Exchanges;
}

export function registerElicitation(deps: ElicitationDeps): Disposable {
	const owned = new DisposableStore();
	const feature = owned.add(new ElicitationFeature(deps));
	const { elicitations, tree } = deps;
	const hasQuestions = new ManagedContextKey(ContextKeys.hasQuestions);
	const hasMuted = new ManagedContextKey(ContextKeys.hasMutedServers);
	owned.add(
		elicitations.onDidChange(() => {
			hasQuestions.value = elicitations.waiting.length > 0;
			hasMuted.value = elicitations.hasMuted;
		}),
	);
	owned.add(elicitations.onDidEnd(it => feature.remember(it)));
	owned.add(elicitations.onDidAsk(it => void guarded(() => feature.tell(it.definition))));
	owned.add(elicitations.onDidRefuse(it => void guarded(() => feature.tellOfFlood(it))));
	owned.add(
		tree.registerGroup<Elicitation>({
			id: 'elicitations',
			order: 5,
			label: vscode.l10n.t('Waits for You'),
			list: (_, server) => feature.list(server.definition),
			onDidChange: elicitations.onDidChange,
			open: Commands.answerElicitation,
			describe: elicitation => ({
				key: String(elicitation.id),
				label: oneLine(elicitation.request.message, 80) || vscode.l10n.t('a question without words'),
				description: describeKind(elicitation),
				tooltip: vscode.l10n.t('The server asks: "{0}"', elicitation.request.message),
				icon: new vscode.ThemeIcon(elicitation.request.mode === 'url' ? 'link-external' : 'comment-unresolved'),
				context: TreeContexts.elicitation,
			}),
		}),
	);
	owned.add(registerCommand(Commands.answerElicitation, argument => feature.answer(argument)));
	owned.add(registerCommand(Commands.submitAnswer, argument => feature.submit(argument)));
	owned.add(registerCommand(Commands.answerToForm, argument => feature.backToForm(argument)));
	owned.add(registerCommand(Commands.muteServer, argument => feature.mute(argument, true)));
	owned.add(registerCommand(Commands.unmuteServer, argument => feature.mute(argument, false)));
	return owned;
}

class ElicitationFeature extends Owner {
	private readonly form: AnswerForm;
	/** Servers whose notification stands on the screen. */
	private readonly told = new Set<string>();
	private readonly lists = new Map<string, ListState<Elicitation>>();

	constructor(private readonly deps: ElicitationDeps) {
		super();
		this.form = this.own(
			new AnswerForm({
				...deps,
				waiting: () => deps.elicitations.waiting,
				label: ({ definition }) => this.label(definition),
			}),
		);
	}

	/** One message for all that a server asks; it names the first. */
	async tell(definition: ServerDefinition): Promise<void> {
		const { elicitations } = this.deps;
		if (this.told.has(definition.id)) {
			return;
		}
		const [first, ...others] = elicitations.of(definition).filter(it => !it.isOpened);
		if (!first) {
			return;
		}
		const { t } = vscode.l10n;
		const whose = notificationText(this.label(definition));
		const words = notificationText(first.request.message);
		const message =
			others.length === 0
				? t('{0} asks you: "{1}"', whose, words)
				: t('{0} asks you: "{1}" ({2} more wait)', whose, words, others.length);
		const [answer, mute] = [t('Answer'), t('Mute This Server')];
		this.told.add(definition.id);
		const choice = await Promise.resolve(
			others.length === 0
				? vscode.window.showInformationMessage(message, answer)
				: vscode.window.showInformationMessage(message, answer, mute),
		).finally(() => this.told.delete(definition.id));
		if (choice === mute) {
			this.setMuted(definition, true);
		} else if (choice === answer) {
			const isThere = elicitations.waiting.includes(first);
			if (isThere) {
				await this.ask(first);
			} else if (elicitations.of(definition).length === 0) {
				void vscode.window.showInformationMessage(t('{0} does not wait for an answer any more.', whose));
			}
			// The next of them; one that was put aside is not told of again.
			if (!elicitations.waiting.includes(first)) {
				await this.tell(definition);
			}
		}
	}

	async tellOfFlood(definition: ServerDefinition): Promise<void> {
		const { t } = vscode.l10n;
		const whose = notificationText(this.label(definition));
		const mute = t('Mute This Server');
		const message = t('{0} asks too much: what comes on top is cancelled without you.', whose);
		if ((await vscode.window.showWarningMessage(message, mute)) === mute) {
			this.setMuted(definition, true);
		}
	}

	/** From the tree, or whatever waits. */
	async answer(argument: unknown): Promise<void> {
		const chosen = argument instanceof LeafNode ? (argument.entry as Elicitation) : await this.choose();
		if (chosen) {
			await this.ask(chosen);
		}
	}

	/** What a document says. */
	async submit(argument: unknown): Promise<void> {
		const { elicitation, content } = await this.form.read(argument);
		const { request } = elicitation;
		this.form.remember(elicitation, content);
		if (request.mode === 'form' && (await this.form.isFine(request.requestedSchema, content))) {
			this.send(elicitation, { action: 'accept', content });
			await vscode.commands.executeCommand('workbench.action.files.save');
		}
	}

	async backToForm(argument: unknown): Promise<void> {
		const { elicitation, content } = await this.form.read(argument);
		this.form.remember(elicitation, content);
		await this.ask(elicitation);
	}

	async mute(argument: unknown, isMuted: boolean): Promise<void> {
		const server = argument instanceof ServerNode || argument instanceof LeafNode ? argument.server : undefined;
		if (server) {
			this.setMuted(server.definition, isMuted);
			return;
		}
		const { registry, elicitations } = this.deps;
		const servers = registry.servers.filter(it => elicitations.isMuted(it.definition) !== isMuted);
		const items = servers.map(it => ({ label: quickPickText(registry.label(it)), server: it }));
		const placeHolder = isMuted
			? vscode.l10n.t('Whose questions are declined without you until the window closes?')
			: vscode.l10n.t('Who may ask again?');
		const chosen = await vscode.window.showQuickPick(items, { placeHolder });
		if (chosen) {
			this.setMuted(chosen.server.definition, isMuted);
		}
	}

	/** The same object as long as it is the same. */
	list({ id }: ServerDefinition): ListState<Elicitation> {
		const items = this.deps.elicitations.waiting.filter(it => it.definition.id === id);
		const known = this.lists.get(id);
		const isSame =
			known?.kind === 'loaded' && known.items.length === items.length && known.items.every((it, i) => it === items[i]);
		const list: ListState<Elicitation> =
			known && isSame ? known : items.length === 0 ? { kind: 'absent' } : { kind: 'loaded', items };
		this.lists.set(id, list);
		return list;
	}

	remember({ elicitation, answer }: EndedQuestion): void {
		const { definition, params, since } = elicitation;
		const server = this.find(definition);
		if (server) {
			this.deps.exchanges.tell({
				kind: 'elicitation',
				server,
				params,
				time: since,
				durationMs: Date.now() - since,
				end: answer ? { kind: 'answered', result: answer } : { kind: 'cancelled' },
			});
		}
	}

	private async ask(elicitation: Elicitation): Promise<void> {
		const { elicitations, questions } = this.deps;
		const answer = await questions.run(async () => {
			if (!elicitations.waiting.includes(elicitation)) {
				return undefined;
			}
			const { request, definition } = elicitation;
			return request.mode === 'form'
				? this.form.ask(elicitation, request.requestedSchema)
				: askPage(elicitation, this.label(definition), elicitations);
		});
		if (answer) {
			this.send(elicitation, answer);
		}
	}

	private send(elicitation: Elicitation, answer: ElicitationAnswer): void {
		const { elicitations } = this.deps;
		if (elicitations.waiting.includes(elicitation)) {
			elicitations.answer(elicitation, answer);
		} else {
			const whose = notificationText(this.label(elicitation.definition));
			void vscode.window.showInformationMessage(
				vscode.l10n.t('{0} did not wait for your answer: it was not sent.', whose),
			);
		}
	}

	private async choose(): Promise<Elicitation | undefined> {
		const { waiting } = this.deps.elicitations;
		const { t } = vscode.l10n;
		if (waiting.length === 0) {
			void vscode.window.showInformationMessage(t('No server waits for an answer.'));
			return undefined;
		}
		const items = waiting.map(elicitation => ({
			label: quickPickText(this.label(elicitation.definition)),
			description: quickPickText(elicitation.request.message),
			elicitation,
		}));
		const placeHolder = t('What to answer?');
		return items.length === 1
			? waiting[0]
			: (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.elicitation;
	}

	private setMuted(definition: ServerDefinition, isMuted: boolean): void {
		const { elicitations } = this.deps;
		elicitations.mute(definition, isMuted);
		if (isMuted) {
			for (const waiting of elicitations.of(definition)) {
				elicitations.answer(waiting, { action: 'decline' });
			}
		}
	}

	private label(definition: ServerDefinition): string {
		const server = this.find(definition);
		return server ? this.deps.registry.label(server) : definition.name;
	}

	private find({ id }: ServerDefinition): Server | undefined {
		return this.deps.registry.servers.find(it => it.definition.id === id);
	}
}

function describeKind({ request, isOpened }: Elicitation): string {
	const { t } = vscode.l10n;
	if (request.mode === 'form') {
		return t('asks for an answer');
	}
	return isOpened ? t('page is open') : t('asks to open {0}', oneLine(request.url.host, 80));
}

/**
 * What servers ask, whatever it is about: told by one notification at a time for each server, and seen in the tree, the
 * status bar and the badge until it is answered. Nothing here takes the focus by itself.
 */
import * as vscode from 'vscode';
import type { Sequencer } from '../../base/async.js';
import { type Disposable, DisposableStore, Owner } from '../../base/lifecycle.js';
import type { ListState } from '../../model/catalog.js';
import type { EndedQuestion, Question, Questions } from '../../model/questions.js';
import type { ServerDefinition } from '../../model/serverDefinition.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
import { tellNothing } from '../../host/chooseServer.js';
import { guarded, ManagedContextKey, registerCommand } from '../../host/commands.js';
import { Commands, ContextKeys, TreeContexts } from '../../host/contributions.js';
import { notificationText, oneLine, quickPickText } from '../../host/plainText.js';
import type { ServersTree } from '../../host/tree.js';
import { LeafNode, ServerNode } from '../../host/treeNodes.js';
import { describeKind, describeQuestion, iconOf, questionText, tellOf } from './words.js';

export interface QuestionsDeps {
	readonly registry: ServerRegistry;
	readonly tree: ServersTree;
	/** One question at a time, whatever it is about. */
	readonly sequencer: Sequencer;
	readonly questions: Questions;
	/** Brings one before the person, who may answer it or put it aside. */
	readonly ask: (question: Question) => Promise<void>;
	/** Ends one with a no. */
	readonly decline: (question: Question) => void;
}

export function registerQuestions(deps: QuestionsDeps): Disposable {
	const owned = new DisposableStore();
	const feature = owned.add(new QuestionsFeature(deps));
	const { questions, tree } = deps;
	const hasQuestions = new ManagedContextKey(ContextKeys.hasQuestions);
	const hasMuted = new ManagedContextKey(ContextKeys.hasMutedServers);
	owned.add(
		questions.onDidChange(() => {
			hasQuestions.value = questions.waiting.length > 0;
			hasMuted.value = questions.hasMuted;
		}),
	);
	owned.add(questions.onDidAsk(it => void guarded(() => feature.tell(it.definition))));
	owned.add(questions.onDidEnd(it => feature.forget(it)));
	owned.add(questions.onDidRefuse(it => void guarded(() => feature.tellOfFlood(it))));
	owned.add(
		tree.registerGroup<Question>({
			id: 'questions',
			order: 5,
			label: vscode.l10n.t('Waits for You'),
			list: (_, server) => feature.list(server.definition),
			onDidChange: questions.onDidChange,
			open: Commands.answerQuestion,
			describe: question => ({
				key: String(question.id),
				label: oneLine(questionText(question), 80) || vscode.l10n.t('a question without words'),
				description: describeKind(question),
				tooltip: describeQuestion(question),
				icon: new vscode.ThemeIcon(iconOf(question)),
				context: TreeContexts.question,
			}),
		}),
	);
	owned.add(registerCommand(Commands.answerQuestion, argument => feature.answer(argument)));
	owned.add(registerCommand(Commands.muteServer, argument => feature.mute(argument, true)));
	owned.add(registerCommand(Commands.unmuteServer, argument => feature.mute(argument, false)));
	return owned;
}

class QuestionsFeature extends Owner {
	/** By server, the question whose notification stands on the screen, or among those that nobody has put away. */
	private readonly told = new Map<string, Question>();
	private readonly lists = new Map<string, { readonly lines: string; readonly list: ListState<Question> }>();
	/** It stands before the person already. */
	private current: Question | undefined;

	constructor(private readonly deps: QuestionsDeps) {
		super();
	}

	/** One message for all that a server asks; it names the first. */
	async tell(definition: ServerDefinition): Promise<void> {
		const { questions, registry } = this.deps;
		if (this.told.has(definition.id)) {
			return;
		}
		const [first, ...others] = questions.of(definition).filter(it => it.stage !== 'underway' && it !== this.current);
		if (!first) {
			return;
		}
		const { t } = vscode.l10n;
		const whose = notificationText(registry.labelOf(definition));
		const message = tellOf(first, whose, others.length);
		const [answer, mute] = [first.request.mode === 'model' ? t('Review') : t('Answer'), t('Mute This Server')];
		this.told.set(definition.id, first);
		const choice = await Promise.resolve(
			others.length === 0
				? vscode.window.showInformationMessage(message, answer)
				: vscode.window.showInformationMessage(message, answer, mute),
		).finally(() => this.forgetTold(first));
		if (choice === mute) {
			this.setMuted(definition, true);
		} else if (choice === answer) {
			if (questions.isWaiting(first)) {
				await this.ask(first);
			} else if (questions.of(definition).length === 0) {
				void vscode.window.showInformationMessage(t('{0} does not wait for an answer any more.', whose));
			}
			// The next of them; one that was put aside is not told of again.
			if (!questions.isWaiting(first)) {
				await this.tell(definition);
			}
		}
	}

	/**
	 * A notification that slid out of sight may never be put away: what comes after its question was answered is told of by
	 * one of its own. What the server takes back itself makes no room for more, or it could fill the screen.
	 */
	forget({ question, end }: EndedQuestion): void {
		if (end) {
			this.forgetTold(question);
		}
	}

	async tellOfFlood(definition: ServerDefinition): Promise<void> {
		const { t } = vscode.l10n;
		const whose = notificationText(this.deps.registry.labelOf(definition));
		const mute = t('Mute This Server');
		const message = t('{0} asks too much: what comes on top is cancelled without you.', whose);
		if ((await vscode.window.showWarningMessage(message, mute)) === mute) {
			this.setMuted(definition, true);
		}
	}

	/** From the tree, or whatever waits. */
	async answer(argument: unknown): Promise<void> {
		const { waiting } = this.deps.questions;
		const given = argument instanceof LeafNode ? argument.entry : argument;
		const chosen = waiting.find(it => it === given) ?? (await this.choose());
		if (chosen) {
			await this.ask(chosen);
		}
	}

	async mute(argument: unknown, isMuted: boolean): Promise<void> {
		const server = argument instanceof ServerNode || argument instanceof LeafNode ? argument.server : undefined;
		if (server) {
			this.setMuted(server.definition, isMuted);
			return;
		}
		const { registry, questions } = this.deps;
		const servers = registry.servers.filter(it => questions.isMuted(it.definition) !== isMuted);
		if (servers.length === 0) {
			const { t } = vscode.l10n;
			tellNothing(registry, isMuted ? t('Every server is muted already.') : t('No server is muted.'));
			return;
		}
		const items = servers.map(it => ({ label: quickPickText(registry.label(it)), server: it }));
		const placeHolder = isMuted
			? vscode.l10n.t('Whose questions are declined without you until the window closes?')
			: vscode.l10n.t('Who may ask again?');
		const chosen = await vscode.window.showQuickPick(items, { placeHolder });
		if (chosen) {
			this.setMuted(chosen.server.definition, isMuted);
		}
	}

	/** The same object as long as its lines are the same: the tree draws another one anew. */
	list(definition: ServerDefinition): ListState<Question> {
		const items = this.deps.questions.of(definition);
		const lines = items.map(it => `${it.id} ${it.stage}`).join();
		const known = this.lists.get(definition.id);
		if (known?.lines === lines) {
			return known.list;
		}
		const list: ListState<Question> = items.length === 0 ? { kind: 'absent' } : { kind: 'loaded', items };
		this.lists.set(definition.id, { lines, list });
		return list;
	}

	private async ask(question: Question): Promise<void> {
		const { sequencer, questions, ask } = this.deps;
		await sequencer.run(async () => {
			if (!questions.isWaiting(question)) {
				return;
			}
			this.current = question;
			try {
				await ask(question);
			} finally {
				this.current = undefined;
			}
		});
	}

	private async choose(): Promise<Question | undefined> {
		const { registry, questions } = this.deps;
		const { t } = vscode.l10n;
		const { waiting } = questions;
		if (waiting.length === 0) {
			void vscode.window.showInformationMessage(t('No server waits for an answer.'));
			return undefined;
		}
		const items = waiting.map(question => ({
			label: quickPickText(registry.labelOf(question.definition)),
			description: quickPickText(questionText(question)),
			question,
		}));
		const placeHolder = t('What to answer?');
		return items.length === 1
			? waiting[0]
			: (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.question;
	}

	private forgetTold(question: Question): void {
		if (this.told.get(question.definition.id) === question) {
			this.told.delete(question.definition.id);
		}
	}

	private setMuted(definition: ServerDefinition, isMuted: boolean): void {
		const { questions, decline } = this.deps;
		questions.mute(definition, isMuted);
		if (isMuted) {
			for (const waiting of questions.of(definition).slice()) {
				decline(waiting);
			}
		}
	}
}

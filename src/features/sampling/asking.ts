/** The course of a sampling request: which sheet the person sees next, and what each choice does. */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import { samplingProblem } from '../../mcp/index.js';
import { modelKey } from '../../core/requests/modelChoice.js';
import type { EndedQuestion } from '../../core/requests/questions.js';
import { answerProblem, type SamplingAnswer } from '../../core/requests/samplingAnswer.js';
import { grantFor, type SamplingGrant } from '../../core/requests/samplingGrants.js';
import { isSampling, type Sampling } from '../../core/requests/samplings.js';
import { guarded } from '../../editor/commands.js';
import { Commands, samplingAnswerScheme } from '../../editor/contributions.js';
import { WorkspaceGrants } from '../../editor/storage/grants.js';
import { notificationText, visibleJson } from '../../editor/ui/plainText.js';
import { describeAnswerProblem, describeChoice, unhonoured } from '../../editor/l10n/samplingWords.js';
import { ChosenModels } from './chosenModels.js';
import { isEmpty, type SamplingDocuments } from './documents.js';
import { type Draft, Drafts, type Run, wholeRequest } from './drafts.js';
import { FullViews } from './fullViews.js';
import { chooseLimit } from './limit.js';
import { startModel } from './modelRun.js';
import { grantOf, samplingGrants } from './permissions.js';
import type { SamplingDeps } from './register.js';
import { askAboutAnswer, askAboutRequest, type RequestChoice, showRunning } from './sheets.js';
import { mistakeIn } from './words.js';

/** `goOn`: show the next sheet. `leave`: the person has closed the sheet or opened a document. */
type Next = 'goOn' | 'leave';

/** How often a server may ask models within one operation before the person is asked again, whatever they allowed. */
const maxPerOperation = 10;

export class Asking extends Owner {
	readonly grants: WorkspaceGrants<SamplingGrant>;
	private readonly drafts = new Drafts();
	private readonly models: ChosenModels;
	private readonly fullViews: FullViews;

	constructor(
		private readonly deps: SamplingDeps,
		private readonly texts: SamplingDocuments,
	) {
		super();
		this.grants = this.own(new WorkspaceGrants(deps.state, samplingGrants));
		this.models = new ChosenModels(deps.state);
		this.fullViews = this.own(new FullViews(deps, it => this.label(it)));
	}

	/** Chooses a model, and asks it at once if a grant covers the request; otherwise the person is asked. */
	async begin(sampling: Sampling): Promise<void> {
		const draft = this.drafts.of(sampling);
		const { id: serverId } = sampling.definition;
		const [best] = await this.models.for(serverId, draft.request);
		draft.model = best?.model;
		draft.reason = best?.reason;
		if (!this.deps.questions.isWaiting(sampling)) {
			return;
		}
		if (best) {
			const { count } = sampling.request;
			const facts = { serverId, request: draft.request, model: modelKey(best.model), count };
			draft.grant = grantFor(this.grants.list(), facts, maxPerOperation);
		}
		if (best && draft.grant) {
			await this.run(sampling, draft, best.model);
		} else {
			this.deps.questions.setStage(sampling, 'asked');
		}
	}

	/** Shows sheet after sheet, until the request has ended or the person leaves. */
	async ask(sampling: Sampling, signal: AbortSignal): Promise<void> {
		const draft = this.drafts.of(sampling);
		let next: Next | 'sent' = 'goOn';
		while (next === 'goOn' && !signal.aborted && this.deps.questions.isWaiting(sampling)) {
			await this.read(sampling, draft);
			next = draft.run
				? await this.watch(sampling, draft, draft.run, signal)
				: draft.answer
					? await this.reviewAnswer(sampling, draft, draft.answer, signal)
					: await this.reviewRequest(sampling, draft, signal);
		}
	}

	/**
	 * Sends the answer of a document, after a review: another extension can have written it and run the command.
	 * @throws Error in the person's language
	 */
	async submit(argument: unknown): Promise<void> {
		const { uri, sampling, draft } = await this.readDocument(argument);
		const { answer, answerMistake } = draft;
		if (!answer || answerMistake !== undefined) {
			throw new Error(answerMistake ?? vscode.l10n.t('There is no answer yet.'));
		}
		// JSON can have more than the sheet shows.
		const mustBeOpened = uri.scheme === samplingAnswerScheme ? 'always' : 'ifCut';
		const { signal } = new AbortController();
		if ((await this.reviewAnswer(sampling, draft, answer, signal, mustBeOpened)) === 'sent') {
			await this.texts.save(uri);
		}
	}

	/** Opens the answer of a text document as JSON, which can express every answer. @throws Error in the person's language */
	async editAsJson(argument: unknown): Promise<void> {
		const { sampling, draft } = await this.readDocument(argument);
		draft.document = await this.texts.openAnswerAsJson(sampling, draft.answer);
	}

	/** Shows the sheet of the request that a document belongs to. @throws Error in the person's language */
	async review(argument: unknown): Promise<void> {
		await vscode.commands.executeCommand(Commands.answerQuestion, this.samplingOf(argument).sampling);
	}

	remember({ question, end, isAutomatic }: EndedQuestion): void {
		if (!isSampling(question)) {
			return;
		}
		this.fullViews.close(question);
		const { run, asked, grant, isAllowed, isRequestEdited, isAnswerEdited } = this.drafts.of(question);
		run?.source.cancel();
		const { server, params, since: time } = question;
		this.deps.exchanges.tell({
			kind: 'sampling',
			server,
			params,
			time,
			durationMs: Date.now() - time,
			model: asked,
			decision: {
				isAllowed: isAllowed && end?.kind !== 'refused',
				by: isAutomatic ? 'limit' : grant ? 'grant' : 'person',
				isEdited: isRequestEdited || isAnswerEdited,
			},
			end:
				end?.kind === 'answered'
					? { kind: 'answered', result: end.result }
					: { kind: end?.kind === 'refused' ? 'denied' : 'cancelled' },
		});
	}

	/** Asks the model. The answer then waits for the person, or is sent if a grant covers the request. */
	private async run(sampling: Sampling, draft: Draft, model: vscode.LanguageModelChat): Promise<void> {
		const { questions } = this.deps;
		draft.isAllowed = true;
		const run = startModel(draft, model, this.label(sampling), it => this.deps.registry.redact(it, sampling.server));
		questions.setStage(sampling, 'underway');
		await run.ended;
		const { answer, grant } = draft;
		if (!answer) {
			// The model failed or was stopped: from now on the person decides.
			draft.grant = undefined;
			questions.setStage(sampling, 'asked');
		} else if (grant && !answerProblem(answer, draft.request)) {
			this.send(sampling, draft, answer);
		} else {
			questions.setStage(sampling, 'answered');
		}
	}

	private async watch(sampling: Sampling, draft: Draft, run: Run, signal: AbortSignal): Promise<Next> {
		const outcome = await showRunning(this.label(sampling), draft.model?.name ?? '', run, signal);
		if (outcome === 'stop') {
			run.source.cancel();
			await run.ended;
		}
		return outcome === 'left' ? 'leave' : 'goOn';
	}

	private async reviewRequest(sampling: Sampling, draft: Draft, signal: AbortSignal): Promise<Next> {
		const { model, reason, request, requestMistake, isRequestEdited: isEdited } = draft;
		const { count } = sampling.request;
		const choice = await askAboutRequest({
			whose: this.label(sampling),
			request,
			mayAsk: requestMistake === undefined,
			model: model && { name: model.name, why: reason ? describeChoice(reason) : '' },
			unhonoured: unhonoured(request, model),
			count,
			isOverLimit: count > maxPerOperation,
			problem: requestMistake ?? draft.answerMistake ?? draft.problem,
			isEdited,
			isOpened: draft.openedRequest !== undefined && draft.openedRequest === wholeRequest(sampling, draft),
			signal,
		});
		// Another command may have read the document meanwhile. The choice is about what was shown.
		Object.assign(draft, { request, isRequestEdited: isEdited, requestMistake });
		return this.follow(this.isStillWanted(choice, sampling) ? choice : 'later', sampling, draft, signal);
	}

	/** False if the server withdrew the request under its open sheet; tells the person, unless they closed the sheet. */
	private isStillWanted(choice: RequestChoice | undefined, sampling: Sampling): boolean {
		const isWanted = this.deps.questions.isWaiting(sampling);
		if (!isWanted && choice !== undefined && choice !== 'later') {
			const whose = notificationText(this.label(sampling));
			const message = vscode.l10n.t('{0} is no longer waiting for an answer.', whose);
			void vscode.window.showInformationMessage(message);
		}
		return isWanted;
	}

	private async follow(
		choice: RequestChoice | undefined,
		sampling: Sampling,
		draft: Draft,
		signal: AbortSignal,
	): Promise<Next> {
		const { samplings } = this.deps;
		const { request } = draft;
		const whose = this.label(sampling);
		switch (choice) {
			case 'once':
			case 'session':
			case 'workspace':
				return this.allow(choice, sampling, draft);
			case 'byHand':
				draft.document = draft.document
					? await this.texts.show(draft.document)
					: request.toolChoice === 'required'
						? await this.texts.openAnswerAsJson(sampling, undefined)
						: await this.texts.openAnswer(sampling, undefined);
				return 'leave';
			case 'edit':
				await this.texts.openRequest(sampling);
				return 'leave';
			case 'model':
				await this.models.choose(sampling, draft, whose, signal);
				return 'goOn';
			case 'limit':
				await chooseLimit(draft, whose, signal);
				return 'goOn';
			case 'tools':
				return this.openInFull(sampling, vscode.l10n.t('tools'), visibleJson(request.tools), () => undefined);
			case 'showAll': {
				const text = wholeRequest(sampling, draft);
				return this.openInFull(sampling, vscode.l10n.t('request'), text, () => {
					draft.openedRequest = text;
				});
			}
			case 'decline':
				samplings.reject(sampling);
				return 'leave';
			case 'later':
			case undefined:
				return 'leave';
		}
	}

	private async allow(lasts: 'once' | SamplingGrant['lasts'], sampling: Sampling, draft: Draft): Promise<Next> {
		const { model, request } = draft;
		if (!model) {
			return 'goOn';
		}
		const grant = lasts === 'once' ? undefined : grantOf(lasts, sampling.definition.id, request, model);
		if (grant) {
			await this.grants.add(grant);
		}
		draft.grant = grant;
		draft.request = request;
		// Not awaited: the model continues if the person closes the sheet.
		void guarded(() => this.run(sampling, draft, model));
		return 'goOn';
	}

	private async reviewAnswer(
		sampling: Sampling,
		draft: Draft,
		answer: SamplingAnswer,
		signal: AbortSignal,
		mustBeOpened: 'ifCut' | 'always' = 'ifCut',
	): Promise<Next | 'sent'> {
		const { samplings } = this.deps;
		const whose = this.label(sampling);
		const text = visibleJson(answer);
		const isOpened = draft.openedAnswer === text;
		const choice = await askAboutAnswer(
			whose,
			answer,
			draft.isAnswerEdited,
			draft.answerMistake,
			signal,
			isOpened ? 'never' : mustBeOpened,
		);
		switch (choice) {
			case 'send':
				this.send(sampling, draft, answer);
				return 'sent';
			case 'edit':
				draft.document = draft.document
					? await this.texts.show(draft.document)
					: await this.texts.openAnswer(sampling, answer);
				return 'leave';
			case 'again':
				draft.answer = undefined;
				draft.document = undefined;
				draft.problem = undefined;
				return 'goOn';
			case 'showAll':
				return this.openInFull(sampling, vscode.l10n.t('answer'), text, () => {
					draft.openedAnswer = text;
				});
			case 'decline':
				samplings.reject(sampling);
				return 'leave';
			case 'later':
			case undefined:
				return 'leave';
		}
	}

	private async openInFull(sampling: Sampling, what: string, text: string, didShow: () => void): Promise<Next> {
		return (await this.fullViews.open(sampling, what, text, didShow)) ? 'leave' : 'goOn';
	}

	/** Takes over what the person has written in documents since. */
	private async read(sampling: Sampling, draft: Draft): Promise<void> {
		draft.requestMistake = await mistakeIn(() => this.readRequest(sampling, draft));
		draft.answerMistake = await mistakeIn(() => this.readAnswer(draft));
	}

	private async readRequest(sampling: Sampling, draft: Draft): Promise<string | undefined> {
		const original = sampling.request.request;
		const edited = await this.texts.readRequest(sampling);
		const { systemPrompt, messages } = edited ?? original;
		draft.request = { ...draft.request, systemPrompt, messages };
		draft.isRequestEdited = edited !== undefined || draft.request.maxTokens !== original.maxTokens;
		const broken = edited && samplingProblem({ messages: edited.messages.slice() }, true);
		return broken && vscode.l10n.t("The edited messages can't be sent: {0}", broken);
	}

	private async readAnswer(draft: Draft): Promise<string | undefined> {
		let answer: unknown = draft.answer;
		if (draft.document) {
			const read = await this.texts.readAnswer(draft.document);
			draft.isAnswerEdited ||= read.isEdited;
			answer = read.answer;
			draft.answer = isEmpty(answer) ? undefined : (answer as SamplingAnswer | undefined);
		} else if (!draft.answer) {
			return undefined;
		}
		const problem = isEmpty(answer) ? undefined : answerProblem(answer, draft.request);
		return problem && describeAnswerProblem(problem);
	}

	private async readDocument(
		argument: unknown,
	): Promise<{ readonly uri: vscode.Uri; readonly sampling: Sampling; readonly draft: Draft }> {
		const { uri, sampling } = this.samplingOf(argument);
		const draft = this.drafts.of(sampling);
		draft.document = uri;
		await this.read(sampling, draft);
		return { uri, sampling, draft };
	}

	private samplingOf(argument: unknown): { readonly uri: vscode.Uri; readonly sampling: Sampling } {
		const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
		const sampling = uri && this.texts.find(uri);
		if (!uri || !sampling) {
			throw new Error(vscode.l10n.t('The server is no longer waiting for this answer.'));
		}
		return { uri, sampling };
	}

	private send(sampling: Sampling, draft: Draft, answer: SamplingAnswer): void {
		const { questions, samplings } = this.deps;
		draft.isAllowed = true;
		if (questions.isWaiting(sampling)) {
			samplings.answer(sampling, answer);
		} else if (!draft.grant) {
			const whose = notificationText(this.label(sampling));
			void vscode.window.showInformationMessage(
				vscode.l10n.t("{0} is no longer waiting, so the answer wasn't sent.", whose),
			);
		}
	}

	private label({ definition }: Sampling): string {
		return this.deps.registry.labelOf(definition);
	}
}

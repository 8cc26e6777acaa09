/** The course of a sampling request: which sheet the person sees next, and what each choice does. */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import { toMessage } from '../../base/errors.js';
import { canonicalJson } from '../../mcp/index.js';
import { modelKey } from '../../core/requests/modelChoice.js';
import type { EndedQuestion } from '../../core/requests/questions.js';
import { answerProblem, type SamplingAnswer } from '../../core/requests/samplingAnswer.js';
import { grantFor, type SamplingGrant } from '../../core/requests/samplingGrants.js';
import { isSampling, type Sampling } from '../../core/requests/samplings.js';
import { guarded } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { WorkspaceGrants } from '../../editor/storage/grants.js';
import { notificationText, titleText, visibleJson } from '../../editor/ui/plainText.js';
import { describeAnswerProblem, describeChoice, unhonoured } from '../../editor/l10n/samplingWords.js';
import { ChosenModels } from './chosenModels.js';
import { type Draft, Drafts, type Run, wholeRequest } from './drafts.js';
import { FullViews } from './fullViews.js';
import { startModel } from './modelRun.js';
import { grantOf, samplingGrants } from './permissions.js';
import type { SamplingDeps } from './register.js';
import { askAboutAnswer, askAboutRequest, type RequestChoice, showRunning } from './sheets.js';
import { answerText, type DraftText, emptyAnswerText, isEmpty, readAnswer, readRequest, requestText } from './texts.js';

/** `goOn`: show the next sheet. `leave`: the person has closed the sheet or opened a document. */
type Next = 'goOn' | 'leave';

/** How often a server may ask models within one operation before the person is asked again, whatever they allowed. */
const maxPerOperation = 10;

export class Asking extends Owner {
	readonly grants: WorkspaceGrants<SamplingGrant>;
	private readonly drafts = new Drafts();
	private readonly models: ChosenModels;
	private readonly fullViews: FullViews;

	constructor(private readonly deps: SamplingDeps) {
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
		let next: Next = 'goOn';
		while (next === 'goOn' && !signal.aborted && this.deps.questions.isWaiting(sampling)) {
			if (!draft.run) {
				await this.readAnswer(draft);
			}
			next = draft.run
				? await this.watch(sampling, draft, draft.run, signal)
				: draft.answer
					? await this.reviewAnswer(sampling, draft, draft.answer, signal)
					: await this.reviewRequest(sampling, draft, signal);
		}
	}

	remember({ question, end, isAutomatic }: EndedQuestion): void {
		if (!isSampling(question)) {
			return;
		}
		this.fullViews.close(question);
		const { run, asked, grant, isAllowed, isRequestEdited, isAnswerEdited, texts } = this.drafts.of(question);
		run?.source.cancel();
		texts.forEach(it => it.close());
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
		await this.readRequest(sampling, draft);
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
				draft.answerText ??= emptyAnswerText(request.tools.length > 0 && request.toolChoice !== 'none');
				draft.isAnswerWritten = true;
				return this.editAnswer(sampling, draft, draft.answerText);
			case 'edit':
				return this.editRequest(sampling, draft);
			case 'model':
				await this.models.choose(sampling, draft, whose, signal);
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
		// Not awaited: the model continues if the person closes the sheet.
		void guarded(() => this.run(sampling, draft, model));
		return 'goOn';
	}

	private async reviewAnswer(
		sampling: Sampling,
		draft: Draft,
		answer: SamplingAnswer,
		signal: AbortSignal,
	): Promise<Next> {
		const { samplings } = this.deps;
		const whose = this.label(sampling);
		const text = visibleJson(answer);
		// JSON can have more than the sheet shows.
		const mustBeOpened = draft.isAnswerWritten && draft.answerText?.extension === 'json' ? 'always' : 'ifCut';
		const choice = await askAboutAnswer(
			whose,
			answer,
			draft.isAnswerEdited,
			draft.answerMistake,
			signal,
			draft.openedAnswer === text ? 'never' : mustBeOpened,
		);
		switch (choice) {
			case 'send':
				this.send(sampling, draft, answer);
				return 'leave';
			case 'edit':
				if (!draft.isAnswerWritten || !draft.answerText) {
					draft.answerText = answerText(answer);
					draft.isAnswerWritten = true;
				}
				return this.editAnswer(sampling, draft, draft.answerText);
			case 'again':
				draft.answer = undefined;
				draft.isAnswerWritten = false;
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

	private async editRequest(sampling: Sampling, draft: Draft): Promise<Next> {
		draft.requestText ??= requestText(sampling.params);
		return this.edit(sampling, draft, vscode.l10n.t('edit request'), draft.requestText);
	}

	private async editAnswer(sampling: Sampling, draft: Draft, text: DraftText): Promise<Next> {
		return this.edit(sampling, draft, vscode.l10n.t('edit answer'), text, () => {
			// The model may have answered since, or the person may have begun another text.
			draft.answerText = text;
			draft.isAnswerWritten = true;
		});
	}

	/** Shows a text in a tab. The sheet comes back when the tab is closed; only the sheet sends anything. */
	private async edit(
		sampling: Sampling,
		{ texts }: Draft,
		what: string,
		text: DraftText,
		didWrite?: () => void,
	): Promise<Next> {
		const { editing, questions, pending } = this.deps;
		const title = titleText(what, this.label(sampling));
		texts.add(text);
		await text.edit(
			it => editing.begin(title, it, text.extension),
			isHandedBack => {
				if (isHandedBack) {
					didWrite?.();
				}
				if (questions.isWaiting(sampling) && pending.reviewed === undefined) {
					void vscode.commands.executeCommand(Commands.answerQuestion, sampling);
				}
			},
		);
		return 'leave';
	}

	/** Takes over the person's edits of the request. */
	private async readRequest({ params }: Sampling, draft: Draft): Promise<void> {
		const text = await draft.requestText?.read();
		draft.requestMistake = undefined;
		if (text === undefined) {
			return;
		}
		try {
			const { request, isEdited } = readRequest(text, params);
			draft.request = request;
			draft.isRequestEdited = isEdited;
		} catch (error) {
			draft.requestMistake = toMessage(error);
		}
	}

	/** Takes over the answer that the person has written or edited. One that can't be sent is none yet. */
	private async readAnswer(draft: Draft): Promise<void> {
		const { answerText: written } = draft;
		let problem = draft.answer && answerProblem(draft.answer, draft.request);
		if (written && draft.isAnswerWritten) {
			const answer = readAnswer(await written.read(), written);
			problem = isEmpty(answer) ? undefined : answerProblem(answer, draft.request);
			draft.answer = isEmpty(answer) || problem ? undefined : (answer as SamplingAnswer);
			draft.isAnswerEdited = written.before !== undefined && canonicalJson(answer) !== canonicalJson(written.before);
		}
		draft.answerMistake = problem && describeAnswerProblem(problem);
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

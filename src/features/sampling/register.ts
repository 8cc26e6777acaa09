/**
 * The feature `sampling`: a server asks a model of the editor. The person reviews and can edit the request before a model
 * gets it, and the answer before the server gets it; or they write the answer. Requests that a grant covers need no
 * review. The feature `pendingRequests` lists the waiting requests.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Owner, toDisposable } from '../../base/lifecycle.js';
import type { Answerer, EndedQuestion, Questions } from '../../core/requests/questions.js';
import { isSampling, type Sampling, type Samplings } from '../../core/requests/samplings.js';
import { reportErrors } from '../../editor/commands.js';
import type { Permissions } from '../../editor/permissions.js';
import { grantOf, samplingPermissions } from './permissions.js';
import { clock } from '../../base/clock.js';
import { raceAbort } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { canonicalJson } from '../../mcp/index.js';
import { modelKey } from '../../core/requests/modelChoice.js';
import type { Interactions } from '../../core/calls/interactions.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import { answerProblem, type SamplingAnswer, usesTools } from '../../core/requests/samplingRequest.js';
import { grantFor, type SamplingGrant } from '../../core/requests/samplingGrants.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { Commands } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import type { TextEditing } from '../../editor/documents/textEditing.js';
import type { EditorState } from '../../editor/storage/editorState.js';
import { WorkspaceGrants } from '../../editor/storage/grants.js';
import { titleText, visibleJson } from '../../editor/ui/plainText.js';
import { describeAnswerProblem } from '../../editor/l10n/samplingWords.js';
import { closeHeldInput } from '../../editor/ui/quickInput.js';
import { openForSheet } from '../../editor/ui/sheetReturn.js';
import { ChosenModels, startModel } from './samplingModel.js';
import {
	answerText,
	type AnswerText,
	Draft,
	emptyAnswerText,
	readAnswer,
	readRequest,
	requestText,
	type Run,
} from './drafts.js';
import { askAboutAnswer, askAboutRequest, type RequestChoice, showRunning } from './sheets.js';

const { t } = vscode.l10n;

export function registerSampling(deps: SamplingDeps & { readonly permissions: Permissions }): Answerer & Disposable {
	const owned = new DisposableStore();
	const { questions, registry, samplings, permissions } = deps;
	const asking = owned.add(new SamplingReview(deps));
	const begin = async (sampling: Sampling): Promise<void> => {
		try {
			await asking.begin(sampling);
		} catch (error) {
			// The person can still answer, so the request waits for them.
			questions.setStage(sampling, 'asked');
			throw error;
		}
	};
	owned.add(questions.onDidCome(it => void (isSampling(it) && reportErrors(() => begin(it)))));
	owned.add(questions.onDidEnd(it => isSampling(it.question) && asking.remember(it)));
	owned.add(permissions.register(samplingPermissions(asking.grants, id => registry.labelOf({ id }))));
	return {
		answers: isSampling,
		ask: async (it, signal) => (isSampling(it) ? asking.ask(it, signal) : undefined),
		decline: it => void (isSampling(it) && samplings.reject(it)),
		dispose: () => owned.dispose(),
	};
}

interface SamplingDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly questions: Questions;
	readonly pending: Pick<PendingRequests, 'reviewed'>;
	readonly samplings: Samplings;
	readonly interactions: Interactions;
	readonly editing: TextEditing;
	/** State of the workspace: grants, and the model that was chosen for each server. */
	readonly state: EditorState;
}

/** `nextSheet`: show the next sheet. `leave`: show none, because the person has closed the sheet or opened a document. */
type Next = 'nextSheet' | 'leave';

class SamplingReview extends Owner {
	readonly grants: WorkspaceGrants<SamplingGrant>;
	/** The drafts of the requests that wait. */
	private readonly drafts = new Map<Sampling, Draft>();
	private readonly models: ChosenModels;

	constructor(private readonly deps: SamplingDeps) {
		super();
		this.grants = this.own(new WorkspaceGrants(deps.state, 'samplingGrants'));
		this.models = new ChosenModels(deps.state);
		this.own(toDisposable(() => this.drafts.forEach(it => it.documents.dispose())));
	}

	/** Chooses a model, and asks it at once if a grant covers the request; otherwise the person is asked. */
	async begin(sampling: Sampling): Promise<void> {
		const draft = this.draftOf(sampling);
		const { id: serverId } = sampling.definition;
		const choosing = this.models.for(serverId, draft.request);
		draft.choosing = choosing;
		const [best] = await choosing;
		draft.model = best;
		if (!this.deps.questions.isWaiting(sampling)) {
			return;
		}
		if (best) {
			const { count } = sampling.request;
			const facts = { serverId, request: draft.request, model: modelKey(best), count };
			draft.grant = grantFor(this.grants.list(), facts);
		}
		if (best && draft.grant) {
			await this.run(draft, best);
		} else {
			this.deps.questions.setStage(sampling, 'asked');
		}
	}

	/** Shows sheet after sheet, until the request has ended or the person leaves. */
	async ask(sampling: Sampling, signal: AbortSignal): Promise<void> {
		const draft = this.draftOf(sampling);
		// Until the models are listed, which takes at most some seconds, the sheet would say that there are none.
		await raceAbort(draft.choosing ?? Promise.resolve(), signal).catch(() => undefined);
		let next: Next = 'nextSheet';
		while (next === 'nextSheet' && !signal.aborted && this.deps.questions.isWaiting(sampling)) {
			next = draft.run
				? await this.watch(draft, draft.run, signal)
				: draft.answer && !draft.isBackAtRequest
					? await this.reviewAnswer(draft, draft.answer, signal)
					: await this.reviewRequest(draft, signal);
		}
	}

	/** Closes the documents of a request that has ended, and records its outcome. */
	remember({ question, end, isAutomatic }: EndedQuestion): void {
		if (!isSampling(question)) {
			return;
		}
		const draft = this.draftOf(question);
		const { run, asked, grant, isDecidedNow, isAllowed, isRequestEdited, isAnswerEdited, tabs } = draft;
		this.drafts.delete(question);
		draft.documents.dispose();
		run?.source.cancel();
		tabs.forEach(it => it.close());
		const { server, params, since: time } = question;
		this.deps.interactions.report({
			kind: 'sampling',
			server,
			params,
			time,
			durationMs: clock.now() - time,
			model: asked,
			decision: {
				isAllowed: isAllowed && end?.kind !== 'refused',
				by: isAutomatic ? 'limit' : grant && !isDecidedNow ? 'grant' : 'person',
				isEdited: isRequestEdited || isAnswerEdited,
			},
			end:
				end?.kind === 'answered'
					? { kind: 'answered', result: end.result }
					: { kind: end?.kind === 'refused' ? 'denied' : 'cancelled' },
		});
	}

	/** Asks the model. The answer then waits for the person, or is sent if a grant covers the request. */
	private async run(draft: Draft, model: vscode.LanguageModelChat): Promise<void> {
		const { sampling } = draft;
		const { questions } = this.deps;
		const run = startModel(draft, model, this.label(sampling), it => this.deps.registry.redact(it, sampling.server));
		draft.isAllowed = true;
		questions.setStage(sampling, 'underway');
		await run.ended;
		const { answer, grant } = draft;
		if (!answer) {
			// The model failed or was stopped: from now on the person decides.
			draft.grant = undefined;
			questions.setStage(sampling, 'asked');
		} else if (grant && draft.answerMistake === undefined) {
			this.send(draft, answer);
		} else {
			questions.setStage(sampling, 'answered');
		}
	}

	private async watch(draft: Draft, run: Run, signal: AbortSignal): Promise<Next> {
		const outcome = await showRunning(this.label(draft.sampling), draft.model?.name ?? '', run, signal);
		if (outcome === 'stop') {
			run.source.cancel();
			await run.ended;
		}
		return outcome === 'left' ? 'leave' : 'nextSheet';
	}

	private async reviewRequest(draft: Draft, signal: AbortSignal): Promise<Next> {
		const { sampling } = draft;
		const choice = await askAboutRequest(draft, this.label(sampling), signal);
		return this.follow(this.isStillWanted(choice, sampling) ? choice : 'later', draft, signal);
	}

	/** False if the server withdrew the request under its open sheet; tells the person, unless they closed the sheet. */
	private isStillWanted(choice: RequestChoice | undefined, sampling: Sampling): boolean {
		const isWanted = this.deps.questions.isWaiting(sampling);
		if (!isWanted && choice !== undefined && choice !== 'later') {
			const serverLabel = this.label(sampling);
			const message = t('{0} is no longer waiting for an answer.', serverLabel);
			void vscode.window.showInformationMessage(message);
		}
		return isWanted;
	}

	private async follow(choice: RequestChoice | undefined, draft: Draft, signal: AbortSignal): Promise<Next> {
		const { sampling, request } = draft;
		switch (choice) {
			case 'once':
			case 'session':
			case 'workspace':
				return this.allow(choice, draft);
			case 'byHand':
				return this.editAnswer(draft, draft.answerText ?? emptyAnswerText(usesTools(request)));
			case 'answer':
				draft.isBackAtRequest = false;
				return 'nextSheet';
			case 'edit':
				return this.editRequest(draft);
			case 'discard':
				draft.requestText = draft.requestMistake = undefined;
				draft.request = sampling.request.request;
				draft.isRequestEdited = false;
				return 'nextSheet';
			case 'model':
				await this.models.choose(draft, this.label(sampling), signal);
				return 'nextSheet';
			case 'tools':
				return this.openInFull(draft, t('Tools'), visibleJson(request.tools));
			case 'showAll':
				return this.openInFull(draft, t('Request'), draft.wholeRequest());
			case 'decline':
				this.deps.samplings.reject(sampling);
				return 'leave';
			case 'later':
			case undefined:
				return 'leave';
		}
	}

	private async allow(lasts: 'once' | SamplingGrant['lasts'], draft: Draft): Promise<Next> {
		const { sampling, model, request } = draft;
		if (!model) {
			return 'nextSheet';
		}
		const grant = lasts === 'once' ? undefined : grantOf(lasts, sampling.definition.id, request, model);
		if (grant) {
			await this.grants.add(grant);
		}
		draft.grant = grant;
		draft.isDecidedNow = true;
		// Not awaited: the model continues if the person closes the sheet.
		void reportErrors(() => this.run(draft, model));
		return 'nextSheet';
	}

	private async reviewAnswer(draft: Draft, answer: SamplingAnswer, signal: AbortSignal): Promise<Next> {
		const { sampling } = draft;
		const choice = await askAboutAnswer(draft, answer, this.label(sampling), signal);
		switch (choice) {
			case 'send':
				this.send(draft, answer);
				return 'leave';
			case 'edit':
				return this.editAnswer(draft, draft.answerText ?? answerText(answer));
			case 'again':
				draft.isBackAtRequest = true;
				draft.problem = undefined;
				return 'nextSheet';
			case 'showAll':
				return this.openInFull(draft, t('Answer'), visibleJson(answer));
			case 'decline':
				this.deps.samplings.reject(sampling);
				return 'leave';
			case 'later':
			case undefined:
				return 'leave';
		}
	}

	/** Opens a text for reading. The sheet closes, because it covers the editor, and returns as in `openForSheet`. */
	private async openInFull(draft: Draft, what: string, text: string): Promise<Next> {
		const { documents, questions, pending } = this.deps;
		const { sampling } = draft;
		const serverLabel = this.label(sampling);
		closeHeldInput();
		const isOpened = await openForSheet(
			() => documents.show(titleText(what, serverLabel), text, true),
			t('The request from {0} to ask a model is waiting for you.', serverLabel),
			{
				isWaiting: () => questions.isWaiting(sampling),
				// The sheet of this request has closed.
				isCovered: () => pending.reviewed !== undefined,
				review: () => void vscode.commands.executeCommand(Commands.answerQuestion, sampling),
				own: it => draft.documents.add(it),
			},
		);
		return isOpened ? 'leave' : 'nextSheet';
	}

	private async editRequest(draft: Draft): Promise<Next> {
		const { params } = draft.sampling;
		return this.edit(draft, 'request', t('Edit Request'), draft.requestText ?? requestText(params), 'json', text => {
			draft.requestText = text;
			try {
				const { request, isEdited } = readRequest(text, params);
				draft.request = request;
				draft.isRequestEdited = isEdited;
				draft.requestMistake = undefined;
			} catch (error) {
				draft.requestMistake = toMessage(error);
			}
		});
	}

	private async editAnswer(draft: Draft, before: AnswerText): Promise<Next> {
		return this.edit(draft, 'answer', t('Edit Answer'), before.text, before.extension, text => {
			draft.answerText = { ...before, text };
			const answer = readAnswer(draft.answerText);
			const problem = answerProblem(answer, draft.request);
			draft.answerMistake = problem && describeAnswerProblem(problem);
			if (!problem) {
				draft.answer = answer as SamplingAnswer;
				draft.isAnswerEdited = before.before !== undefined && canonicalJson(answer) !== canonicalJson(before.before);
			}
			draft.isBackAtRequest = false;
		});
	}

	/** Shows a text in a tab. The sheet comes back when the tab is closed; only the sheet sends anything. */
	private async edit(
		draft: Draft,
		part: 'request' | 'answer',
		what: string,
		text: string,
		extension: 'txt' | 'json',
		take: (text: string) => void,
	): Promise<Next> {
		const { editing, questions, pending } = this.deps;
		const { sampling, tabs } = draft;
		const tab = tabs.get(part) ?? editing.begin(titleText(what, this.label(sampling)), text, extension);
		if (!tabs.has(part)) {
			tabs.set(part, tab);
			void tab.written.then(written => {
				tabs.delete(part);
				if (written !== undefined) {
					take(written);
				}
				if (questions.isWaiting(sampling) && pending.reviewed === undefined) {
					void vscode.commands.executeCommand(Commands.answerQuestion, sampling);
				}
			});
		}
		await tab.show();
		return 'leave';
	}

	private send(draft: Draft, answer: SamplingAnswer): void {
		const { questions, samplings } = this.deps;
		const { sampling } = draft;
		draft.isAllowed = true;
		if (questions.isWaiting(sampling)) {
			samplings.answer(sampling, answer);
		} else if (!draft.grant) {
			const serverLabel = this.label(sampling);
			void vscode.window.showInformationMessage(t("{0} is no longer waiting, so the answer wasn't sent.", serverLabel));
		}
	}

	private draftOf(sampling: Sampling): Draft {
		const draft = this.drafts.get(sampling) ?? new Draft(sampling);
		this.drafts.set(sampling, draft);
		return draft;
	}

	private label({ definition }: Sampling): string {
		return this.deps.registry.labelOf(definition);
	}
}

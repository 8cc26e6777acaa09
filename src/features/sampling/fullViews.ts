/**
 * The documents in which a person reads what has no room on the sheets of a sampling request. A sheet covers the top of
 * the editor area, so it closes, and returns as in `openForSheet`. Documents are closed when their request ends.
 */
import * as vscode from 'vscode';
import { DisposableStore, Owner } from '../../base/lifecycle.js';
import { Commands } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import { notificationText, titleText } from '../../editor/ui/plainText.js';
import { closeHeldInput } from '../../editor/ui/quickInput.js';
import { openForSheet } from '../../editor/ui/sheetReturn.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Questions } from '../../core/requests/questions.js';
import type { Sampling } from '../../core/requests/samplings.js';

export interface FullViewsDeps {
	readonly documents: Documents;
	readonly questions: Questions;
	readonly pending: Pick<PendingRequests, 'reviewed'>;
}

export class FullViews extends Owner {
	/** What the open documents of a request need to be closed. */
	private readonly opened = new Map<Sampling, DisposableStore>();

	/** @param label gives the server's label */
	constructor(
		private readonly deps: FullViewsDeps,
		private readonly label: (sampling: Sampling) => string,
	) {
		super();
	}

	/** Opens a text; false if it can't be opened, which the person has been told. */
	async open(sampling: Sampling, what: string, text: string, didShow: () => void): Promise<boolean> {
		const { documents, questions, pending } = this.deps;
		const whose = this.label(sampling);
		const show = async (): Promise<vscode.Uri> => {
			const uri = await documents.show(titleText(what, whose), text, true);
			didShow();
			return uri;
		};
		closeHeldInput();
		return openForSheet(
			show,
			vscode.l10n.t('The request of {0} to ask a model is waiting for you.', notificationText(whose)),
			{
				isWaiting: () => questions.isWaiting(sampling),
				// The sheet of this request has closed.
				isCovered: () => pending.reviewed !== undefined,
				review: () => void vscode.commands.executeCommand(Commands.answerQuestion, sampling),
				own: it => this.of(sampling).add(it),
			},
		);
	}

	/** The request has ended. */
	close(sampling: Sampling): void {
		this.opened.get(sampling)?.dispose();
		this.opened.delete(sampling);
	}

	private of(sampling: Sampling): DisposableStore {
		const known = this.opened.get(sampling) ?? this.own(new DisposableStore());
		this.opened.set(sampling, known);
		return known;
	}
}

/** Words for the stop reason of an answer, and for mistakes in an edited document. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { SectionError, type SectionProblem } from '../../core/requests/sectionText.js';

/** The stop reason for the person; undefined for a normal end. The server gets the original value. */
export function describeStop(stopReason: string | undefined): string | undefined {
	const { t } = vscode.l10n;
	switch (stopReason) {
		case undefined:
		case 'endTurn':
			return undefined;
		case 'maxTokens':
			return t('token limit reached');
		case 'stopSequence':
			return t('stop sequence of the server reached');
		case 'toolUse':
			return t('the server must run tools first');
		default:
			return quickPickText(stopReason, 60);
	}
}

/** A mistake in an edited document, with its line. */
export function describeSectionProblem({ line, kind }: SectionProblem): string {
	const { t } = vscode.l10n;
	switch (kind) {
		case 'noSection':
			return t('Line {0} stands above every title. Begin with a line such as "──── user ────".', line);
		case 'unknownTitle':
			return t('Line {0} is no title that is known: there are "system prompt", "user" and "assistant".', line);
		case 'unknownBlock':
			return t('Line {0} names nothing that was there before.', line);
		default:
			return assertNever(kind);
	}
}

/** Describes where an edited document can't be parsed, or what else is wrong with it. */
export async function mistakeIn(read: () => Promise<string | undefined>): Promise<string | undefined> {
	try {
		return await read();
	} catch (error) {
		if (error instanceof SectionError) {
			return describeSectionProblem(error.problem);
		}
		throw error;
	}
}

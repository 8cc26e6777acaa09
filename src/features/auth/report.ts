/** The sign-in report of one server: what happened, in order, in words. */
import * as vscode from 'vscode';
import { describeStep } from './authStepWords.js';
import { adviseOn, describeAuthFailure, describeNeed, describeScopes } from '../../editor/l10n/authWords.js';
import { documentText } from '../../editor/ui/plainText.js';
import type { AuthState } from '../../mcp/index.js';
import type { TimedStep } from '../../core/servers/accounts.js';

export interface ReportFacts {
	readonly name: string;
	readonly url: string;
	readonly state: AuthState;
	readonly steps: readonly TimedStep[];
}

export function reportText({ name, url, state, steps }: ReportFacts): string {
	const { t } = vscode.l10n;
	const lines = [
		t('Sign-in report of {0}', name),
		t('Server: {0}', url),
		t('Now: {0}', describeAuthState(state)),
		'',
		...(steps.length === 0 ? [t('The server has not asked who you are since this window was opened.')] : []),
		...steps.flatMap(({ at, step }) => {
			const [first = '', ...rest] = describeStep(step).split('\n');
			return [`${timeOf(at)}  ${first}`, ...rest.map(it => `${' '.repeat(timeOf(at).length)}  → ${it}`)];
		}),
		'',
		t('Tokens, codes and secrets are never part of this report.'),
	];
	return documentText(lines.join('\n'));
}

/** Where a server stands: a clause. */
export function describeAuthState(state: AuthState): string {
	const { t } = vscode.l10n;
	switch (state.kind) {
		case 'unasked':
			return t('not signed in');
		case 'working':
			return t('signing in');
		case 'signedIn': {
			const { issuer, scopes, expiresAt, refreshable } = state;
			const end =
				expiresAt === undefined
					? t('nobody says when it ends')
					: t('until {0}', new Date(expiresAt).toLocaleString(vscode.env.language));
			const after = refreshable ? t('renewed without asking you') : t('not renewed without you');
			return t('signed in at {0}, scopes: {1}; {2}, {3}', issuer, describeScopes(scopes), end, after);
		}
		case 'needed':
			return t('needs sign-in: {0}', describeNeed(state.need));
		case 'failed':
			return t('{0}. {1}', describeAuthFailure(state.failure), adviseOn(state.failure));
	}
}

function timeOf(at: number): string {
	return new Date(at).toISOString().slice(11, 23);
}

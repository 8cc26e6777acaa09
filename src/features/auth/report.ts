/** The sign-in report of one server: what happened, in order. Steps are lines of data, as in a log; failures are worded. */
import * as vscode from 'vscode';
import { adviseOn, describeAuthFailure, describeNeed, describeScopes } from '../../editor/l10n/authWords.js';
import { listedName } from '../../editor/ui/exactText.js';
import { documentText, oneLine } from '../../editor/ui/plainText.js';
import type { AuthFailure, AuthState, AuthStep } from '../../mcp/index.js';
import type { TimedStep } from '../../core/servers/accounts.js';

type Step<K extends AuthStep['kind']> = Extract<AuthStep, { readonly kind: K }>;

/**
 * The members of each step that the report shows. Reports are handed to others: a member that is secret, or may hold a
 * secret, must not be listed here.
 */
const shownMembers: { readonly [K in AuthStep['kind']]: readonly Exclude<keyof Step<K>, 'kind'>[] } = {
	challenged: ['status', 'error', 'scopes', 'resourceMetadata'],
	requested: ['request', 'url', 'outcome'],
	resource: ['from', 'resource', 'issuers', 'scopes'],
	authorizationServer: ['issuer', 'from'],
	redirect: ['way', 'uri'],
	client: ['way', 'why', 'clientId', 'method'],
	scopes: ['scopes', 'from'],
	browser: ['url'],
	strayReturn: [],
	returned: ['outcome', 'error'],
	granted: ['by', 'scopes', 'expiresAt', 'refreshable', 'isBound'],
	notRefreshed: ['failure', 'isKept'],
	taken: [],
	forgotten: ['why'],
	failed: ['failure'],
};

/** The longest text of a member. */
const maxText = 500;

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
			const time = timeOf(at);
			return [`${time}  ${stepLine(step)}`, ...explainStep(step).map(it => `${' '.repeat(time.length)}  → ${it}`)];
		}),
		'',
		t('Tokens, codes and secrets are never part of this report.'),
	];
	return documentText(lines.join('\n'));
}

/** `challenged  status: 401, scopes: notes:read notes:write`. Values that could pass for other members are quoted. */
function stepLine(step: AuthStep): string {
	const names: readonly string[] = shownMembers[step.kind];
	const members = names.flatMap(name => {
		const text = memberText(name, Reflect.get(step, name));
		return text === '' ? [] : [`${name}: ${oneLine(text, maxText)}`];
	});
	return [step.kind, ...(members.length > 0 ? [members.join(', ')] : [])].join('  ');
}

/** Empty if there is nothing to show. */
function memberText(name: string, value: unknown): string {
	switch (name) {
		case 'expiresAt':
			// A time beyond what a Date can hold is null.
			return typeof value === 'number' ? (new Date(value).toJSON() ?? String(value)) : '';
		case 'failure':
			return (value as AuthFailure).code;
		default: {
			const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
			return values.map(it => listedName(String(it))).join(' ');
		}
	}
}

/** Why a step failed, and what to do about it. */
function explainStep(step: AuthStep): string[] {
	switch (step.kind) {
		case 'notRefreshed':
			return [describeAuthFailure(step.failure)];
		case 'failed':
			return step.failure.code === 'signInNeeded'
				? [describeNeed(step.failure.need)]
				: [describeAuthFailure(step.failure), adviseOn(step.failure)];
		default:
			return [];
	}
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

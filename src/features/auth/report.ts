/** The sign-in report of one server: its steps in order, as lines of data like in a log, and failures in words. */
import * as vscode from 'vscode';
import { adviseOn, describeAuthFailure, describeNeed, describeScopes } from '../../editor/l10n/authWords.js';
import { listedName } from '../../editor/ui/exactText.js';
import { documentText, oneLine } from '../../editor/ui/plainText.js';
import type { AuthFailure, AuthState, AuthStep } from '../../mcp/index.js';
import type { TimedStep } from '../../core/servers/accounts.js';

type Step<K extends AuthStep['kind']> = Extract<AuthStep, { readonly kind: K }>;

/**
 * The members of each step that the report shows. People share reports, so a member that is or may hold a secret
 * must not be listed here.
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

/** Longest text of a member, in UTF-16 units. */
const maxText = 500;

export interface SignInFacts {
	readonly name: string;
	readonly url: string;
	readonly state: AuthState;
	readonly steps: readonly TimedStep[];
}

export function reportText({ name, url, state, steps }: SignInFacts): string {
	const { t } = vscode.l10n;
	const lines = [
		t('Sign-in report for {0}', oneLine(name)),
		t('Server: {0}', oneLine(url, maxText)),
		t('Status: {0}', describeAuthState(state)),
		'',
		...(steps.length === 0 ? [t("The server hasn't requested a sign-in since this window was opened.")] : []),
		...steps.flatMap(({ at, step }) => {
			const time = timeOf(at);
			return [`${time}  ${stepLine(step)}`, ...explainStep(step).map(it => `${' '.repeat(time.length)}  → ${it}`)];
		}),
		'',
		t('This report never contains tokens, codes or secrets.'),
	];
	return documentText(lines.join('\n'));
}

/** `challenged  status: 401, scopes: notes:read notes:write`. Values that could pass for other members are quoted. */
function stepLine(step: AuthStep): string {
	if (step.kind === 'failed' && step.failure.code === 'signInNeeded') {
		// The person hasn't been asked yet, so nothing has failed.
		return step.failure.code;
	}
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
			// `toJSON` returns null for a time that a Date can't hold.
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

/** The state in words: a clause without a final period. */
export function describeAuthState(state: AuthState): string {
	const { t } = vscode.l10n;
	switch (state.kind) {
		case 'unasked':
			return t('Not signed in');
		case 'working':
			return t('Signing in');
		case 'signedIn': {
			const { issuer, scopes, expiresAt, refreshable } = state;
			const facts = [oneLine(issuer, maxText), describeScopes(scopes)];
			if (expiresAt === undefined) {
				return refreshable
					? t('Signed in at {0}. Scopes: {1}. Renewed automatically', ...facts)
					: t('Signed in at {0}. Scopes: {1}. Expiration unknown', ...facts);
			}
			const end = new Date(expiresAt).toLocaleString(vscode.env.language);
			return refreshable
				? t('Signed in at {0}. Scopes: {1}. Valid until {2}, then renewed automatically', ...facts, end)
				: t('Signed in at {0}. Scopes: {1}. Valid until {2}, then sign in again', ...facts, end);
		}
		case 'needed':
			return t('Needs sign-in: {0}', describeNeed(state.need));
		case 'failed':
			return t('{0}. {1}', describeAuthFailure(state.failure), adviseOn(state.failure));
	}
}

/** The time of day in UTC. */
function timeOf(at: number): string {
	return new Date(at).toISOString().slice(11);
}

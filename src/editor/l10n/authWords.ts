/** Describes failures of sign-in, with advice. Text of servers is cleaned for notifications and quoted or set apart. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import type { AuthException, AuthFailure, AuthRequest, SignInNeed, UnsafeUrl } from '../../mcp/index.js';
import { Settings } from '../contributions.js';
import { notificationText } from '../ui/plainText.js';
import { shownHost, spellOutAddress } from '../ui/shownNames.js';
import { chooseText } from './chooseText.js';

const { t } = vscode.l10n;
const plain = notificationText;

/** Scopes on one line; without scopes, says that the default ones are meant. */
export function describeScopes(scopes: readonly string[] | undefined): string {
	return scopes === undefined || scopes.length === 0 ? t('Default scopes') : plain(scopes.join(' '));
}

/** Why the person needs to sign in: a clause without a period. */
export function describeNeed({ why }: SignInNeed): string {
	return {
		first: t('The server requires sign-in'),
		expired: t("Your sign-in has expired and can't be renewed automatically"),
		moreScopes: t('The server requires more permissions than you granted'),
	}[why];
}

function describeRequest(request: AuthRequest): string {
	return {
		resourceMetadata: t('Server metadata request'),
		serverMetadata: t('Authorization server metadata request'),
		registration: t('Client registration'),
		authorization: t('Authorization request'),
		token: t('Token request'),
		tokenExchange: t('Token exchange'),
		revocation: t('Token revocation'),
	}[request];
}

/** Why sign-in failed, with the step and the server's text: a clause without a period. */
export function describeAuthFailure(failure: AuthFailure): string {
	return chooseText(failure, {
		signInNeeded: () => t('The server requires sign-in'),
		unsafeUrl: failure => t('{0} uses an unsafe URL: {1} ({2})', ...at(failure), describeUnsafe(failure.why)),
		privateAddress: failure => t("{0} uses a private network address that wasn't allowed: {1}", ...at(failure)),
		noAnswer: failure =>
			/^\d{3}$/.test(failure.why)
				? t('{0} failed with HTTP status {1}', describeRequest(failure.request), failure.why)
				: t('{0} got no response from {1} ({2})', ...at(failure), plain(failure.why)),
		guessFailed: failure => describeAuthFailure(failure.failure),
		resourceMismatch: ({ resource }) => t('The server identifies itself as another server: "{0}"', plain(resource)),
		issuerMismatch: ({ issuer, named }) =>
			t('The authorization server {0} identifies itself as "{1}"', plain(issuer), plain(named)),
		noAuthorizationServer: ({ url }) => t('The server metadata at {0} names no authorization server', plain(url)),
		noPkce: ({ issuer }) => t("The authorization server {0} doesn't announce PKCE with S256", plain(issuer)),
		noEndpoint: ({ issuer, request }) =>
			t('The authorization server {0} has no endpoint for this step: {1}', plain(issuer), describeRequest(request)),
		otherIssuer: ({ configured, issuer }) =>
			t('The client ID belongs to {0}, but the server trusts {1}', plain(configured), plain(issuer)),
		noClient: ({ issuer }) =>
			t("The authorization server {0} doesn't register clients automatically, and no client ID is set", plain(issuer)),
		noClientMethod: ({ issuer, offered }) =>
			t(
				'The authorization server {0} offers only unsupported client authentication methods ({1})',
				plain(issuer),
				plain(offered.join(', ')),
			),
		badConfiguration: ({ why, what }) =>
			why === undefined ? describeBadConfiguration(what) : t('{0} ({1})', describeBadConfiguration(what), plain(why)),
		refused: ({ refusal, request }) => {
			const { error, description } = refusal;
			const said = description === undefined ? error : `${error}: ${description}`;
			return t('{0} was refused: "{1}"', describeRequest(request), plain(said));
		},
		badAnswer: ({ request, why }) => t('{0} returned an invalid response ({1})', describeRequest(request), plain(why)),
		mixUp: ({ issuer, why }) => t('The browser returned from an issuer other than {0} ({1})', plain(issuer), why),
		stepUpLimit: ({ scopes }) => t('The server keeps requesting the same scopes: {0}', describeScopes(scopes)),
		grantRefused: ({ issuer }) => t('The server rejects the tokens that {0} has just issued', plain(issuer)),
		noRedirect: ({ uri, why }) => t("Can't listen at the redirect URI {0} ({1})", plain(uri), plain(why)),
		noBrowser: ({ why }) => t("Can't open the browser ({0})", plain(why)),
		unavailable: ({ why }) => t("Can't load a part of this extension ({0})", plain(why)),
	});
}

/** A sentence with advice about a failed sign-in. */
export function adviseOn(failure: AuthFailure): string {
	switch (failure.code) {
		case 'signInNeeded':
			return t('Sign in from the Servers view.');
		case 'noClient':
		case 'noClientMethod':
			return t(
				'Register a client with the authorization server and enter it with "Set Client ID and Secret…", or set "clientMetadataUrl" in "{0}".',
				Settings.authServers,
			);
		case 'otherIssuer':
			return t(
				'No secret was sent. If you trust the new authorization server, enter its client with "Set Client ID and Secret…" and correct "issuer" in "{0}".',
				Settings.authServers,
			);
		case 'badConfiguration':
			return t(
				'Check the setting "{0}" and the client entered with "Set Client ID and Secret…".',
				Settings.authServers,
			);
		case 'refused':
			return adviseOnRefusal(failure.refusal.error);
		case 'privateAddress':
			return t('Sign in again and allow the address if you trust it.');
		case 'guessFailed':
			return adviseOnGuess();
		case 'noAnswer':
			return t('Check that the address is reachable, then sign in again.');
		case 'stepUpLimit':
		case 'grantRefused':
			return t("Sign out and sign in again. If this continues, contact the server's operator.");
		case 'mixUp':
			return t("The sign-in may have been tampered with. Sign in again and check the page's URL.");
		case 'noRedirect':
			return t(
				'Close the program that uses this port. If that isn\'t possible, register another redirect URI with the authorization server, and enter it as "redirectUri" in the setting "{0}".',
				Settings.authServers,
			);
		case 'noBrowser':
			return t('Check that the editor can open web pages, then sign in again.');
		case 'unavailable':
			return t('Reinstall this extension.');
		case 'unsafeUrl':
		case 'resourceMismatch':
		case 'noAuthorizationServer':
		case 'noEndpoint':
		case 'badAnswer':
			return t("Only the server's operator can fix this. No secrets were sent.");
		case 'issuerMismatch':
		case 'noPkce':
			return t('No secrets were sent. You can make an exception for this server.');
		default:
			return assertNever(failure);
	}
}

/** Says that an exception of the person's settings applies: a clause without a period. */
export function describeException(exception: AuthException): string {
	switch (exception.what) {
		case 'issuer':
			return t(
				'Issuer check is off for {0}, which names {1} (your setting)',
				shownHost(exception.issuer),
				spellOutAddress(exception.named),
			);
		case 'pkce':
			return t('PKCE check is off for {0} (your setting)', shownHost(exception.issuer));
		case 'resource':
			return t('The parameter "resource" isn\'t sent to {0} (your setting)', shownHost(exception.issuer));
	}
}

/** Says when to make an exception, and what the person gives up: sentences that name the hosts. */
export function describeRisk(exception: AuthException): string {
	switch (exception.what) {
		case 'issuer':
			return t(
				"Do this only if {0} and {1} belong to the same provider. The extension then can't detect a provider that impersonates another. Tokens and secrets go only to hosts that you confirm.",
				spellOutAddress(exception.issuer),
				spellOutAddress(exception.named),
			);
		case 'pkce':
			return t(
				'PKCE is used anyway, but if {0} ignores it, someone who intercepts the sign-in code can use it.',
				shownHost(exception.issuer),
			);
		case 'resource':
			return t(
				'Do this if the page in your browser shows an error about "resource" or "scope" and doesn\'t return. Then {0} isn\'t told which server the tokens are for, and a malicious server could use your token at other servers of {0}.',
				shownHost(exception.issuer),
			);
	}
}

/** A sentence with advice about a server that names no authorization server. */
export function adviseOnGuess(): string {
	return t(
		'The server names no authorization server. If it needs an API key, add the key to "headers" in the server configuration.',
	);
}

function adviseOnRefusal(error: string): string {
	switch (error) {
		case 'access_denied':
			return t('You or the authorization server denied the sign-in. Sign in again if that was a mistake.');
		case 'invalid_client':
		case 'unauthorized_client':
			return t(
				'The client is unknown or its secret is wrong. Correct it with "Set Client ID and Secret…", or start over with "Remove Registration".',
			);
		case 'invalid_grant':
			return t(
				'Sign in again. If the setting "{0}" has a "tokenFile", the token in that file may have expired.',
				Settings.authServers,
			);
		default:
			return t('Sign in again. If the error persists, run "Remove Registration" first.');
	}
}

function at({ request, url }: { readonly request: AuthRequest; readonly url: string }): [string, string] {
	return [describeRequest(request), plain(url)];
}

function describeUnsafe(why: UnsafeUrl): string {
	return {
		notAUrl: t('Not a valid URL'),
		scheme: t('Not an HTTP or HTTPS URL'),
		insecure: t('Not encrypted'),
		characters: t('Contains invalid characters'),
		credentials: t('Contains a user name or password'),
	}[why];
}

function describeBadConfiguration(what: Extract<AuthFailure, { code: 'badConfiguration' }>['what']): string {
	return {
		privateKey: t("The client's private key can't be used"),
		assertion: t("The workload's token can't be read"),
		subjectToken: t("The identity provider's token can't be read"),
		issuer: t('This kind of sign-in needs an "issuer" in the sign-in settings'),
		settings: t("The sign-in settings can't be read"),
	}[what];
}

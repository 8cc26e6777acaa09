/** Words about signing in. What servers say passes through plainText, and is quoted or stands alone. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import type { AuthFailure, AuthRequest, SignInNeed, UnsafeUrl } from '../../mcp/index.js';
import { Settings } from '../contributions.js';
import { notificationText } from '../ui/plainText.js';

const { t } = vscode.l10n;
const plain = notificationText;

/** Scopes on one line, or that none is named. */
export function describeScopes(scopes: readonly string[] | undefined): string {
	return scopes === undefined || scopes.length === 0
		? t('whatever the authorization server gives')
		: plain(scopes.join(' '));
}

/** Why a person is to sign in: a clause. */
export function describeNeed({ why }: SignInNeed): string {
	switch (why) {
		case 'first':
			return t('the server wants to know who you are');
		case 'expired':
			return t('your sign-in has ended and cannot be renewed without you');
		case 'moreScopes':
			return t('the server wants more than you have allowed so far');
		default:
			return assertNever(why);
	}
}

/** What was asked for. */
export function describeRequest(request: AuthRequest): string {
	switch (request) {
		case 'resourceMetadata':
			return t('the description of the server');
		case 'serverMetadata':
			return t('the description of the authorization server');
		case 'registration':
			return t('the registration');
		case 'authorization':
			return t('the sign-in page');
		case 'token':
			return t('the token');
		case 'tokenExchange':
			return t('the exchange at the identity provider');
		case 'revocation':
			return t('the revocation');
		default:
			return assertNever(request);
	}
}

/** Why signing in did not come about: a clause that names the step, and what the server said. */
export function describeAuthFailure(failure: AuthFailure): string {
	switch (failure.code) {
		case 'signInNeeded':
			return t('it asks you to sign in');
		case 'unsafeUrl':
			return t('{0} is at an address that is not safe: {1} ({2})', ...at(failure), describeUnsafe(failure.why));
		case 'privateAddress':
			return t('{0} is at an address of your own network, which was not allowed: {1}', ...at(failure));
		case 'noAnswer':
			return t('there was no answer for {0} at {1} ({2})', ...at(failure), plain(failure.why));
		case 'resourceMismatch':
			return t('it describes itself as another server: "{0}"', plain(failure.resource));
		case 'issuerMismatch':
			return t('the authorization server {0} calls itself "{1}"', plain(failure.issuer), plain(failure.named));
		case 'noAuthorizationServer':
			return t('its description at {0} names no authorization server', plain(failure.url));
		case 'noPkce':
			return t('the authorization server {0} does not promise PKCE with S256', plain(failure.issuer));
		case 'noEndpoint':
			return t(
				'the authorization server {0} does not say where to ask for {1}',
				plain(failure.issuer),
				describeRequest(failure.request),
			);
		case 'otherIssuer':
			return t(
				'the client id belongs to {0}, but the server trusts {1}',
				plain(failure.configured),
				plain(failure.issuer),
			);
		case 'noClient':
			return t(
				'the authorization server {0} registers nobody by itself, and no client id is set',
				plain(failure.issuer),
			);
		case 'noClientMethod':
			return t(
				'the authorization server {0} accepts none of our ways to prove the client ({1})',
				plain(failure.issuer),
				plain(failure.offered.join(', ')),
			);
		case 'badConfiguration':
			return failure.why === undefined
				? describeBadConfiguration(failure.what)
				: t('{0} ({1})', describeBadConfiguration(failure.what), plain(failure.why));
		case 'refused': {
			const { error, description } = failure.refusal;
			const said = description === undefined ? error : `${error}: ${description}`;
			return t('{0} was refused: "{1}"', describeRequest(failure.request), plain(said));
		}
		case 'badAnswer':
			return t(
				'the answer to the request for {0} breaks a rule ({1})',
				describeRequest(failure.request),
				plain(failure.why),
			);
		case 'mixUp':
			return t('the browser came back from somebody else than {0} ({1})', plain(failure.issuer), failure.why);
		case 'stepUpLimit':
			return t('it wants the same again and again: {0}', describeScopes(failure.scopes));
		case 'grantRefused':
			return t('it refuses the tokens that {0} has just issued', plain(failure.issuer));
		case 'noBrowser':
			return t('the browser could not be opened ({0})', plain(failure.why));
		case 'unavailable':
			return t('a part of this extension could not be loaded ({0})', plain(failure.why));
		default:
			return assertNever(failure);
	}
}

/** What to do about it: a sentence. */
export function adviseOn(failure: AuthFailure): string {
	switch (failure.code) {
		case 'signInNeeded':
			return t('Sign in from the line of the server.');
		case 'noClient':
		case 'noClientMethod':
		case 'otherIssuer':
			return t(
				'Register a client at the authorization server yourself, and enter it by "Set Client Id and Secret…"; or set "{0}".',
				Settings.clientMetadataUrl,
			);
		case 'badConfiguration':
			return t('Look at the setting "{0}", and at what "Set Client Id and Secret…" was given.', Settings.authServers);
		case 'refused':
			return adviseOnRefusal(failure.refusal.error);
		case 'privateAddress':
			return t('Sign in again, and allow the address if it is one of yours.');
		case 'noAnswer':
			return t('Look whether the address can be reached from here, then sign in again.');
		case 'stepUpLimit':
		case 'grantRefused':
			return t('Sign out and in again; if it stays so, who runs the server must mend it.');
		case 'mixUp':
			return t('Somebody may have interfered. Sign in again, and look at the address of the page.');
		case 'noBrowser':
			return t('Sign in again; look whether the editor can open pages of the web at all.');
		case 'unavailable':
			return t('Install this extension anew.');
		case 'unsafeUrl':
		case 'resourceMismatch':
		case 'issuerMismatch':
		case 'noAuthorizationServer':
		case 'noPkce':
		case 'noEndpoint':
		case 'badAnswer':
			return t('Only who runs the server can mend this. Nothing secret was sent there.');
		default:
			return assertNever(failure);
	}
}

function adviseOnRefusal(error: string): string {
	switch (error) {
		case 'access_denied':
			return t('You, or the authorization server, said no. Sign in again if that was a mistake.');
		case 'invalid_client':
		case 'unauthorized_client':
			return t(
				'The client is not known there, or proves itself otherwise: enter it by "Set Client Id and Secret…", or let "Forget Registration" begin from nothing.',
			);
		case 'invalid_grant':
			return t(
				'Try again. What stands in the "tokenFile" of the setting "{0}" may have ended, where there is one.',
				Settings.authServers,
			);
		default:
			return t('Try again; if it stays so, "Forget Registration" lets the next sign-in begin from nothing.');
	}
}

function at({ request, url }: { readonly request: AuthRequest; readonly url: string }): [string, string] {
	return [describeRequest(request), plain(url)];
}

function describeUnsafe(why: UnsafeUrl): string {
	switch (why) {
		case 'notAUrl':
			return t('it is no address');
		case 'scheme':
			return t('it is no page of the web');
		case 'insecure':
			return t('it is not encrypted');
		case 'characters':
			return t('it has characters that no address needs');
		case 'credentials':
			return t('it has a name or password in it');
		default:
			return assertNever(why);
	}
}

function describeBadConfiguration(what: Extract<AuthFailure, { code: 'badConfiguration' }>['what']): string {
	switch (what) {
		case 'privateKey':
			return t('the private key of the client cannot be used');
		case 'assertion':
			return t('the token of the workload cannot be read');
		case 'subjectToken':
			return t('the token of the identity provider cannot be read');
		case 'settings':
			return t('the settings for signing in cannot be read');
		default:
			return assertNever(what);
	}
}

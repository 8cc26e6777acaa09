/** One step of a sign-in as a line of its report. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import type { AuthStep, ClientWay } from '../../mcp/index.js';
import {
	adviseOn,
	describeAuthFailure,
	describeNeed,
	describeRequest,
	describeScopes,
} from '../../editor/l10n/authWords.js';
import { describeClauses, describeList } from '../../editor/l10n/messages.js';
import { oneLine } from '../../editor/ui/plainText.js';

const { t } = vscode.l10n;
const plain = (text: string): string => oneLine(text, 500);

/** For a document: one line, two for a failure. */
export function describeStep(step: AuthStep): string {
	switch (step.kind) {
		case 'challenged':
			return describeClauses([
				t('The server answered with status {0}', step.status),
				...(step.error === undefined ? [] : [t('error "{0}"', plain(step.error))]),
				...(step.scopes === undefined || step.scopes.length === 0
					? []
					: [t('scopes wanted: {0}', describeScopes(step.scopes))]),
				...(step.resourceMetadata === undefined ? [] : [t('described at {0}', plain(step.resourceMetadata))]),
			]);
		case 'requested':
			return t(
				'Asked for {0} at {1}: {2}',
				describeRequest(step.request),
				plain(step.url),
				plain(String(step.outcome)),
			);
		case 'resource':
			return describeResource(step);
		case 'authorizationServer':
			return step.from === 'metadata'
				? t('Authorization server: {0}', plain(step.issuer))
				: t(
						'Authorization server: {0}, which does not describe itself; taken as of revision 2025-03-26',
						plain(step.issuer),
					);
		case 'redirect':
			return t('The browser is to come back to {0} ({1})', plain(step.uri), describeRedirect(step.way));
		case 'client':
			return describeClient(step);
		case 'scopes':
			return t('Scopes asked for: {0} ({1})', describeScopes(step.scopes), describeOrigin(step.from));
		case 'browser':
			return t('The browser was sent to {0}', plain(step.url));
		case 'strayReturn':
			return t('A browser came back with an answer to another question, which was not taken');
		case 'returned':
			if (step.outcome === 'code') {
				return t('The browser came back with a code');
			}
			return step.error === undefined
				? t('The browser came back with an answer that is not valid')
				: t('The browser came back with the error "{0}"', plain(step.error));
		case 'granted':
			return describeGrant(step);
		case 'notRefreshed':
			return describeClauses([
				t('Not refreshed: {0}', describeAuthFailure(step.failure)),
				step.isKept ? t('what there is stays') : t('what there was is of no more use'),
			]);
		case 'taken':
			return t('Another window has signed in, or renewed the tokens: they are used');
		case 'forgotten':
			return describeForgotten(step.why);
		case 'failed':
			return step.failure.code === 'signInNeeded'
				? t('Nobody signed in: {0}', describeNeed(step.failure.need))
				: t('Failed: {0}.\n{1}', describeAuthFailure(step.failure), adviseOn(step.failure));
		default:
			return assertNever(step);
	}
}

function describeResource(step: Extract<AuthStep, { kind: 'resource' }>): string {
	const { from, issuers, scopes, resource } = step;
	if (from === 'none') {
		return t('The server does not describe itself; taken as of revision 2025-03-26');
	}
	return describeClauses([
		from === 'challenge'
			? t('The server describes itself where it said')
			: t('The server describes itself at its well-known address'),
		...(resource === undefined ? [] : [t('as {0}', plain(resource))]),
		t('it trusts {0}', plain(issuers.join(', '))),
		...(scopes === undefined ? [] : [t('its scopes are {0}', describeScopes(scopes))]),
	]);
}

/** How the browser comes back. */
export function describeRedirect(way: string): string {
	switch (way) {
		case 'loopback':
			return t('a page of this machine');
		case 'uriHandler':
			return t('through the editor');
		case 'pasted':
			return t('you paste where it ended');
		default:
			return plain(way);
	}
}

function describeClient({ way, why, clientId, method }: Extract<AuthStep, { kind: 'client' }>): string {
	const reasons = describeList(why.map(it => describeReason(it)));
	const what = t('Client id: {0}, {1}', plain(clientId ?? t('none')), describeWay(way));
	const how = t('proves itself by "{0}"', plain(method));
	return describeClauses([reasons === '' ? what : t('{0} ({1})', what, reasons), how]);
}

function describeWay(way: ClientWay): string {
	switch (way) {
		case 'configured':
			return t('as you have set it');
		case 'metadataDocument':
			return t('the address of our hosted description');
		case 'registered':
			return t('registered just now');
		case 'remembered':
			return t('registered earlier');
		case 'asked':
			return t('as you have just entered it');
		case 'none':
			return t('a workload needs none');
		default:
			return assertNever(way);
	}
}

function describeReason(why: Extract<AuthStep, { kind: 'client' }>['why'][number]): string {
	switch (why) {
		case 'notConfigured':
			return t('no other is set');
		case 'noDocumentUrl':
			return t('no hosted description is set');
		case 'documentsUnsupported':
			return t('the authorization server takes no hosted description');
		case 'redirectChanged':
			return t('the browser comes back elsewhere than before');
		case 'expired':
			return t('the registration had ended');
		default:
			return assertNever(why);
	}
}

function describeOrigin(from: Extract<AuthStep, { kind: 'scopes' }>['from']): string {
	switch (from) {
		case 'configuration':
			return t('as you have set them');
		case 'challenge':
			return t('as the server wants');
		case 'resource':
			return t('as the server describes');
		case 'nothing':
			return t('nobody names any');
		case 'stepUp':
			return t('what there was and what the server wants besides');
		default:
			return assertNever(from);
	}
}

function describeGrant(step: Extract<AuthStep, { kind: 'granted' }>): string {
	const { by, scopes, expiresAt, refreshable, isBound } = step;
	return describeClauses([
		by === 'refresh' ? t('Refreshed without asking you') : t('Signed in ({0})', by),
		...(scopes === undefined ? [] : [t('scopes granted: {0}', describeScopes(scopes))]),
		expiresAt === undefined
			? t('nobody says when it ends')
			: t('ends at {0}', new Date(expiresAt).toLocaleTimeString(vscode.env.language)),
		refreshable ? t('can be refreshed') : t('cannot be refreshed'),
		...(isBound ? [t('bound to a key of this editor')] : []),
	]);
}

function describeForgotten(why: Extract<AuthStep, { kind: 'forgotten' }>['why']): string {
	switch (why) {
		case 'refused':
			return t('The tokens were forgotten: they were refused');
		case 'otherIssuer':
			return t('The tokens were forgotten: the server trusts another authorization server now');
		case 'signedOut':
			return t('Signed out: the tokens were forgotten');
		case 'elsewhere':
			return t('Another window has forgotten the tokens: it was signed out there, or they were refused');
		default:
			return assertNever(why);
	}
}

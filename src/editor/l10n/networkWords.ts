/** Words for a server that could not be reached: what it is, and what a person can do. Clauses without a full stop. */
import * as vscode from 'vscode';
import { notificationText } from '../ui/plainText.js';

const { t } = vscode.l10n;

/** @param why a code of the system, of TLS or of `node/http/httpFetch.ts`; or any text */
export function describeNetworkFailure(why: string): string {
	const [, proxy] = /^PROXY_(.+)$/.exec(why) ?? [];
	if (proxy !== undefined) {
		return /^\d+$/.test(proxy)
			? describeProxyStatus(Number(proxy))
			: t('the proxy could not be reached ({0}): check the setting "http.proxy"', notificationText(proxy));
	}
	switch (why) {
		case 'DEPTH_ZERO_SELF_SIGNED_CERT':
		case 'SELF_SIGNED_CERT_IN_CHAIN':
		case 'UNABLE_TO_GET_ISSUER_CERT':
		case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
		case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
			return t(
				'its certificate is of an authority that is not trusted here ({0}): add the authority to the certificates of the operating system, and check the setting "http.systemCertificates"',
				why,
			);
		case 'CERT_HAS_EXPIRED':
		case 'CERT_NOT_YET_VALID':
			return t('its certificate is out of date ({0}): it must be renewed, or the clock here is wrong', why);
		case 'ERR_TLS_CERT_ALTNAME_INVALID':
			return t('its certificate is for another host ({0}): check its "url"', why);
		case 'EPROTO':
		case 'ERR_SSL_WRONG_VERSION_NUMBER':
			return t('it could not agree on encryption ({0}): check whether its "url" should begin with "http:"', why);
		case 'ECONNREFUSED':
			return t('nothing listens at its address ({0}): check that it runs, and the port in its "url"', why);
		case 'ENOTFOUND':
		case 'EAI_AGAIN':
			return t('its host is not known ({0}): check its "url", the network and the setting "http.proxy"', why);
		case 'ETIMEDOUT':
		case 'EHOSTUNREACH':
		case 'ENETUNREACH':
			return t('its host does not answer ({0}): check the network and the setting "http.proxy"', why);
		case 'ECONNRESET':
		case 'EPIPE':
			return t('the connection broke ({0}): try again; a proxy or firewall on the way may be the reason', why);
		default:
			return t('it could not be reached ({0})', notificationText(why));
	}
}

/** The answer of a proxy that lets nobody through. */
export function describeProxyStatus(status: number): string {
	return status === 407
		? t(
				'the proxy wants to know who you are (HTTP status {0}): sign in when the editor asks, or name yourself in the setting "http.proxy"',
				status,
			)
		: t('the proxy refused the connection (HTTP status {0}): check the setting "http.proxy"', status);
}

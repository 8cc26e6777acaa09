/** Describes why a server can't be reached, and what the person can do. Texts are clauses without a period. */
import * as vscode from 'vscode';
import { notificationText } from '../ui/plainText.js';

const { t } = vscode.l10n;

/** @param why a code of the system, of TLS or of `node/http/httpFetch.ts`, or any other text */
export function describeNetworkFailure(why: string): string {
	const [, proxy] = /^PROXY_(.+)$/.exec(why) ?? [];
	if (proxy !== undefined) {
		return /^\d+$/.test(proxy)
			? describeProxyStatus(Number(proxy))
			: t('The proxy can\'t be reached ({0}). Check the setting "http.proxy"', notificationText(proxy));
	}
	switch (why) {
		case 'DEPTH_ZERO_SELF_SIGNED_CERT':
		case 'SELF_SIGNED_CERT_IN_CHAIN':
		case 'UNABLE_TO_GET_ISSUER_CERT':
		case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
		case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
			return t(
				"The server's certificate authority isn't trusted ({0}). Add it to the operating system's certificates and check the setting \"http.systemCertificates\"",
				why,
			);
		case 'CERT_HAS_EXPIRED':
		case 'CERT_NOT_YET_VALID':
			return t(
				"The server's certificate isn't currently valid ({0}). Renew the certificate, or correct the clock of this computer",
				why,
			);
		case 'ERR_TLS_CERT_ALTNAME_INVALID':
			return t('The server\'s certificate is for another host ({0}). Check the "url"', why);
		case 'EPROTO':
		case 'ERR_SSL_WRONG_VERSION_NUMBER':
			return t('The encrypted connection failed ({0}). Check whether the "url" should begin with "http:"', why);
		case 'ECONNREFUSED':
			return t(
				'The connection was refused ({0}). Check that the server is running and that the port in the "url" is correct',
				why,
			);
		case 'ENOTFOUND':
		case 'EAI_AGAIN':
			return t('The host is unknown ({0}). Check the "url", the network and the setting "http.proxy"', why);
		case 'ETIMEDOUT':
		case 'EHOSTUNREACH':
		case 'ENETUNREACH':
			return t('The host doesn\'t respond ({0}). Check the network and the setting "http.proxy"', why);
		case 'ECONNRESET':
		case 'EPIPE':
			return t('The connection was interrupted, possibly by a proxy or firewall ({0}). Try again', why);
		default:
			return t("The server can't be reached ({0})", notificationText(why));
	}
}

/** Why a proxy refused the connection. @param status HTTP status of its response */
export function describeProxyStatus(status: number): string {
	return status === 407
		? t(
				'The proxy requires authentication (HTTP {0}). Sign in when prompted, or set credentials in "http.proxy"',
				status,
			)
		: t('The proxy refused the connection (HTTP {0}). Check the setting "http.proxy"', status);
}

/** Opens URLs in the person's browser, unchanged, also if the browser runs on another machine. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { raceAbort } from '../../base/async.js';
import { type Disposable, DisposableStore, toDisposable } from '../../base/lifecycle.js';
import { isLoopback, readPage } from '../../mcp/index.js';
import type { UrlWarning } from '../../core/requests/urlWarnings.js';

/** Pages that this machine serves to a browser on the loopback address; implemented by `node/http/loopback.ts`. */
export interface LoopbackPages {
	/**
	 * Serves the page that a sign-in returns to.
	 * @param preferred URI of an earlier page, whose port is used if it is free
	 * @param answer gives the HTML of the page
	 * @param tail the end of the path of the URI: empty, or begins with `/`
	 * @param fixed the whole URI, which is the only one that is tried
	 */
	openPage(
		preferred: string | undefined,
		answer: (returned: URL) => string,
		tail: string,
		fixed?: string,
	): Promise<OpenedPage>;
	/** Serves a page that redirects to `to`. */
	openForwardingPage(to: string): Promise<OpenedPage>;
}

export type OpenedPage = Disposable & { readonly uri: string };

/** Milliseconds for which a redirecting page is served after the editor has opened it. */
const forwardingMs = 60_000;

/**
 * Opens an HTTP or HTTPS URL in the browser. All pages must be opened by this function, because it rejects other URLs
 * and characters with a meaning to a shell. The editor gets a string, which all editors accept: from a Uri it would
 * decode escapes inside parameters.
 * @returns whether the editor opened the page
 * @throws Error with a message for the person if the URL is rejected
 */
export async function openAddress(url: string): Promise<boolean> {
	const page = readPage(url);
	if (page.kind === 'unsafe') {
		throw new Error(vscode.l10n.t("This address can't be opened in a browser."));
	}
	return vscode.env.openExternal(page.url.href as unknown as vscode.Uri);
}

export function describeUrlWarning(warning: UrlWarning): string {
	const { t } = vscode.l10n;
	return {
		punycode: t('The host name may contain look-alike characters'),
		address: t('The host is an IP address, not a name'),
		machine: t("The page is on this computer, but the server isn't"),
		network: t("The page is on a private network, but the server isn't"),
		notEncrypted: t("The page isn't encrypted, so others can read what you enter"),
	}[warning];
}

export class ExternalBrowser implements Disposable {
	/** The pages that currently redirect the browser. */
	private readonly forwardingPages = new DisposableStore();

	/** @param loopback undefined if this environment can't listen for connections */
	constructor(readonly loopback: LoopbackPages | undefined) {}

	dispose(): void {
		this.forwardingPages.dispose();
	}

	/** Whether the browser runs on the same machine as this extension. */
	get isSameMachine(): boolean {
		return vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
	}

	/** @returns whether the editor opened the page. @throws AbortError once `signal` aborts */
	async open(url: string, signal: AbortSignal = new AbortController().signal): Promise<boolean> {
		const page = await this.forwardTo(url, signal);
		try {
			return await raceAbort(openAddress(page?.uri ?? url), signal);
		} finally {
			if (page) {
				this.leave(page);
			}
		}
	}

	/**
	 * Serves a page that redirects to a loopback URL, for a browser on another machine. The editor forwards loopback
	 * URLs through a tunnel or a proxy and decodes their parameters, so it is given a page without parameters that
	 * redirects to the tunnel. A proxy that adds a path would break the pages and cookies of an authorization server:
	 * then the page redirects to the URL itself, which works if the browser is on this machine after all.
	 */
	private async forwardTo(url: string, signal: AbortSignal): Promise<OpenedPage | undefined> {
		const target = new URL(url);
		if (this.isSameMachine || !this.loopback || !isLoopback(target)) {
			return undefined;
		}
		const origin = vscode.Uri.parse(target.origin, true);
		const outside = await raceAbort(Promise.resolve(vscode.env.asExternalUri(origin)), signal);
		const to = ['', '/'].includes(outside.path)
			? `${outside.scheme}://${outside.authority}${target.pathname}${target.search}${target.hash}`
			: url;
		return this.loopback.openForwardingPage(to);
	}

	private leave(page: OpenedPage): void {
		const timer = clock.setTimeout(() => served.dispose(), forwardingMs);
		const served = toDisposable(() => {
			clock.clearTimeout(timer);
			page.dispose();
		});
		this.forwardingPages.add(served);
	}
}

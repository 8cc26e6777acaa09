/** Addresses opened in the person's browser, to the letter, wherever that browser runs. */
import * as vscode from 'vscode';
import { raceAbort } from '../../base/async.js';
import type { Disposable } from '../../base/lifecycle.js';
import { isLoopback, readPage } from '../../mcp/index.js';
import type { UrlWarning } from '../../core/requests/urlWarnings.js';
import { quickPickText } from '../ui/plainText.js';

/** What can be listened at on this machine for a browser, as in `node/http/loopback.ts`. */
export interface LoopbackPages {
	/** Where a browser comes back to. @param answer the HTML that it is shown */
	openPage(preferred: string | undefined, answer: (returned: URL) => string): Promise<OpenedPage>;
	/** Where a browser is led on from. */
	openDetour(to: string): Promise<OpenedPage>;
}

export type OpenedPage = Disposable & { readonly uri: string };

/** Milliseconds that a browser has to be led on, once the editor has sent it. */
const detourMs = 60_000;

/**
 * The editor's opener is given text, which every editor takes: of a Uri it would take apart what is encoded inside a
 * parameter, such as where another page is to lead. Every page goes this way: what is no page of the web, or could mean
 * something to a shell, is never handed over.
 * @returns whether the editor opened it
 * @throws Error in words
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
	switch (warning.kind) {
		case 'punycode':
			return t('the host has letters that may only look like others: {0}', quickPickText(warning.host, 255));
		case 'address':
			return t('the host is a number, not a name');
		case 'machine':
			return t('the page is on this computer, the server is not');
		case 'network':
			return t('the page is on a private network, the server is not');
		case 'notEncrypted':
			return t("the page isn't encrypted: others can read what you type there");
	}
}

export class Pages implements Disposable {
	/** With the timers that will end them. */
	private readonly detours = new Map<OpenedPage, ReturnType<typeof setTimeout>>();
	private isDisposed = false;

	/** @param loopback undefined where no server can be listened at */
	constructor(readonly loopback: LoopbackPages | undefined) {}

	dispose(): void {
		this.isDisposed = true;
		this.detours.forEach((timer, detour) => {
			clearTimeout(timer);
			detour.dispose();
		});
	}

	/** Whether the browser is on the machine on which we run. */
	get isSameMachine(): boolean {
		return vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
	}

	/** @returns whether the editor opened it. @throws AbortError once `signal` aborts */
	async open(url: string, signal: AbortSignal = new AbortController().signal): Promise<boolean> {
		const detour = await this.detourTo(url, signal);
		try {
			return await raceAbort(openAddress(detour?.uri ?? url), signal);
		} finally {
			if (detour) {
				this.leave(detour);
			}
		}
	}

	/**
	 * The editor leads a browser of another machine to an address of this one through a tunnel or a proxy, and takes apart
	 * what is encoded in it. So it is given a page of ours without parameters, which leads to the tunnel's other end. A
	 * proxy that has a path instead is of no use to an authorization server, whose pages and cookies know none: there
	 * the browser goes to the address itself, and finds it if it is on this machine after all.
	 */
	private async detourTo(url: string, signal: AbortSignal): Promise<OpenedPage | undefined> {
		const target = new URL(url);
		if (this.isSameMachine || !this.loopback || !isLoopback(target)) {
			return undefined;
		}
		const origin = vscode.Uri.parse(target.origin, true);
		const outside = await raceAbort(Promise.resolve(vscode.env.asExternalUri(origin)), signal);
		const to = ['', '/'].includes(outside.path)
			? `${outside.scheme}://${outside.authority}${target.pathname}${target.search}${target.hash}`
			: url;
		return this.loopback.openDetour(to);
	}

	private leave(detour: OpenedPage): void {
		const end = (): void => {
			detour.dispose();
			this.detours.delete(detour);
		};
		if (this.isDisposed) {
			end();
		} else {
			this.detours.set(detour, setTimeout(end, detourMs));
		}
	}
}

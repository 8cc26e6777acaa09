/**
 * The person's browser: sent to an authorization server's page, and waited for. It comes back to a page of this machine
 * where it runs on it, else through the editor itself; and where neither works, the person pastes where it ended.
 */
import * as vscode from 'vscode';
import { deferred, onAbort, raceAbort } from '../../base/async.js';
import { AbortError } from '../../base/errors.js';
import { DisposableStore, Owner } from '../../base/lifecycle.js';
import type { Redirect, RedirectTarget } from '../../mcp/index.js';
import { Commands } from '../contributions.js';
import type { Pages } from './pages.js';
import { notificationText } from '../ui/plainText.js';
import { withProgress } from '../ui/progress.js';
import { askForText, back } from '../ui/quickInput.js';
import { strayPage, welcomePage } from './redirectPage.js';

/** A browser that is waited for. */
interface Visit {
	/** What it will bring back if it answers this question. */
	readonly state: string | null;
	/** Where it comes back to. */
	readonly uri: string;
	/** @returns whether it was the answer */
	readonly offer: (returned: URL) => boolean;
}

/** Path of our URLs that the editor hands to us. */
const handledPath = '/auth';

export class Browsers extends Owner implements vscode.UriHandler {
	private readonly visits = new Set<Visit>();
	/** Asks where to be sent back in turn: each of the editor's own answers is good for one return. */
	private readonly handlerUri: string;

	/** @param extensionId `publisher.name` */
	constructor(
		extensionId: string,
		private readonly pages: Pages,
	) {
		super();
		this.handlerUri = `${vscode.env.uriScheme}://${extensionId}${handledPath}`;
		this.own(vscode.window.registerUriHandler(this));
	}

	/** The way for one server's sign-ins. @param name of the server, for people */
	redirectFor(name: string): Redirect {
		return { open: (preferred, signal) => this.open(name, preferred, signal) };
	}

	/** The editor was called by a URL of ours: anybody can do that. */
	handleUri({ path, query }: vscode.Uri): void {
		if (path === handledPath) {
			// The editor has decoded it; a plus would become a blank.
			this.settle(it => {
				const url = new URL(it.uri);
				url.search = query.replaceAll('+', '%2B');
				return url;
			});
		}
	}

	/** Asks for the address where the browser ended. */
	async paste(): Promise<void> {
		const { t } = vscode.l10n;
		if (this.visits.size === 0) {
			void vscode.window.showInformationMessage(t('No sign-in waits for a browser.'));
			return;
		}
		const text = await askForText({
			title: t('Sign In'),
			prompt: t('Paste the address that the browser ended at, all of it'),
			value: '',
			check: it => (URL.canParse(it.trim()) ? undefined : t('This is no address')),
		});
		if (text === undefined || text === back) {
			return;
		}
		const returned = new URL(text.trim());
		if (!this.settle(() => returned)) {
			void vscode.window.showWarningMessage(t('This address answers no sign-in that is under way.'));
		}
	}

	private async open(name: string, preferred: string | undefined, signal: AbortSignal): Promise<RedirectTarget> {
		const owned = new DisposableStore();
		const waiting = new Set<Visit>();
		const target = (uri: string, kind: string): RedirectTarget => ({
			uri,
			kind,
			dispose: () => owned.dispose(),
			follow: (url, accept, ended) => this.follow({ name, uri, url, accept, waiting }, ended),
		});
		const { isSameMachine, loopback } = this.pages;
		if (isSameMachine && loopback) {
			const answer = (returned: URL): string =>
				offerTo(waiting, () => returned) ? welcomePage(returned) : strayPage();
			const page = await loopback.openPage(preferred, answer).catch(() => undefined);
			if (page) {
				owned.add(page);
				return target(page.uri, 'loopback');
			}
		}
		try {
			const uri = await raceAbort(
				Promise.resolve(vscode.env.asExternalUri(vscode.Uri.parse(this.handlerUri, true))),
				signal,
			);
			return target(uri.toString(true), 'uriHandler');
		} catch (error) {
			if (signal.aborted) {
				throw error;
			}
			// Nothing listens there: the browser shows an error, and in its address line what we need.
			return target('http://127.0.0.1/callback', 'pasted');
		}
	}

	private async follow(journey: Journey, signal: AbortSignal): Promise<URL> {
		const { t } = vscode.l10n;
		const { name, uri, url, accept, waiting } = journey;
		const returned = deferred<URL>();
		const visit: Visit = {
			state: new URL(url).searchParams.get('state'),
			uri,
			offer: it => {
				const isAnswer = accept(it);
				if (isAnswer) {
					returned.resolve(it);
				}
				return isAnswer;
			},
		};
		this.visits.add(visit);
		waiting.add(visit);
		try {
			if (!(await this.pages.open(url, signal))) {
				throw new AbortError();
			}
			const paste = t('Paste the Address…');
			const title = t('Sign in to {0} in your browser. It does not come back?', notificationText(name));
			return await withProgress(`${title} [${paste}](command:${Commands.pasteAddress})`, async own => {
				const both = new AbortController();
				const stops = [onAbort(signal, () => both.abort()), onAbort(own, () => both.abort())];
				try {
					return await raceAbort(returned.promise, both.signal);
				} finally {
					stops.forEach(it => it.dispose());
				}
			});
		} finally {
			this.visits.delete(visit);
			waiting.delete(visit);
		}
	}

	private settle(read: (visit: Visit) => URL): boolean {
		return offerTo(this.visits, read);
	}
}

interface Journey {
	readonly name: string;
	readonly uri: string;
	readonly url: string;
	readonly accept: (returned: URL) => boolean;
	/** Who waits at the same place. */
	readonly waiting: Set<Visit>;
}

/** To whom it belongs by its state; what belongs to nobody is shown to all, whose reports tell of it. */
function offerTo(visits: ReadonlySet<Visit>, read: (visit: Visit) => URL): boolean {
	const all = [...visits];
	const owner = all.find(it => it.state !== null && read(it).searchParams.get('state') === it.state);
	return (owner ? [owner] : all).map(it => it.offer(read(it))).includes(true);
}

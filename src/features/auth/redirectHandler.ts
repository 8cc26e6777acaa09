/**
 * Opens an authorization server's page in the browser and waits for the redirect: to a page on the loopback address if the
 * browser runs on this machine, otherwise to a URI that the editor handles. If neither works, the person pastes the URL.
 */
import * as vscode from 'vscode';
import { deferred, raceAbort } from '../../base/async.js';
import { AbortError } from '../../base/errors.js';
import { DisposableStore, Owner } from '../../base/lifecycle.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { Redirect, RedirectTarget } from '../../mcp/index.js';
import { InternalCommands } from '../../editor/contributions.js';
import type { ExternalBrowser } from '../../editor/auth/externalBrowser.js';
import { oneLine } from '../../editor/ui/plainText.js';
import { withProgress } from '../../editor/ui/progress.js';
import { askForText, back } from '../../editor/ui/quickInput.js';

const { t } = vscode.l10n;

/** A visit of the browser whose redirect is awaited. */
interface Visit {
	/** The id of the server's definition. */
	readonly serverId: string;
	/** Whether the page gets the parameter `resource`. Some providers show an error because of it, and don't return. */
	readonly hasResource: boolean;
	/** Cancels the sign-in. */
	readonly leave: () => void;
	/** The `state` parameter that identifies the redirect. */
	readonly state: string | null;
	/** The redirect URI. */
	readonly uri: string;
	/** The path of the URI that the editor handles for this visit. */
	readonly path: string;
	/** Handles a URL that the browser returned to. True if it is the redirect of this visit. */
	readonly offer: (returned: URL) => boolean;
}

/** The beginning of the paths of the URIs that the editor passes to `handleUri`. */
const handledPath = '/auth';

export class RedirectHandler extends Owner implements vscode.UriHandler {
	private readonly visits = new Set<Visit>();
	/** The URI handled by the editor. `asExternalUri` is called for each visit, because its result can be valid only once. */
	private readonly handlerUri: string;

	/** @param extensionId `publisher.name` */
	constructor(
		extensionId: string,
		private readonly browser: ExternalBrowser,
	) {
		super();
		this.handlerUri = `${vscode.env.uriScheme}://${extensionId}${handledPath}`;
		this.own(vscode.window.registerUriHandler(this));
	}

	/** @param label gives the server's label, for messages */
	redirectFor({ id }: ServerDefinition, label: () => string): Redirect {
		return { open: (...wanted) => this.open(id, label(), ...wanted) };
	}

	/** The visit that waits for the browser, for the sign-in of a server. */
	visitOf({ id }: ServerDefinition): Pick<Visit, 'hasResource' | 'leave'> | undefined {
		return [...this.visits].find(it => it.serverId === id);
	}

	/** Called by the editor for our URIs. Any program can open one, so the URI is checked by its visit. */
	handleUri({ path, query }: vscode.Uri): void {
		const visits = [...this.visits].filter(it => it.path === path);
		offerTo(visits, it => {
			const url = new URL(it.uri);
			// The editor has decoded the query. An unescaped plus sign would be read as a space.
			url.search = query.replaceAll('+', '%2B');
			return url;
		});
	}

	/** Whether a sign-in waits for the browser. */
	get isWaiting(): boolean {
		return this.visits.size > 0;
	}

	/** Asks for the URL that the browser has returned to. */
	async paste(): Promise<void> {
		if (!this.isWaiting) {
			void vscode.window.showInformationMessage(t('No sign-in is waiting for the browser.'));
			return;
		}
		const text = await askForText({
			title: t('Sign In'),
			prompt: t("Paste the full URL from the browser's address bar"),
			value: '',
			check: it => (URL.canParse(it.trim()) ? undefined : t('Enter a full URL')),
		});
		if (text === undefined || text === back) {
			return;
		}
		const returned = new URL(text.trim());
		if (!offerTo(this.visits, () => returned)) {
			void vscode.window.showWarningMessage(t("This URL doesn't belong to a pending sign-in."));
		}
	}

	private async open(
		serverId: string,
		label: string,
		...[preferred, tail, signal, fixed]: Parameters<Redirect['open']>
	): Promise<RedirectTarget> {
		const owned = new DisposableStore();
		const waiting = new Set<Visit>();
		const target = (uri: string, kind: string): RedirectTarget => ({
			uri,
			kind,
			dispose: () => owned.dispose(),
			follow: (url, accept, stop) =>
				this.follow({ serverId, label, uri, path: handledPath + tail, url, accept, waiting }, stop),
		});
		const { isSameMachine, loopback } = this.browser;
		if (isSameMachine && loopback) {
			const answer = (returned: URL): string =>
				offerTo(waiting, () => returned) ? welcomePage(returned) : strayPage();
			const opening = loopback.openPage(preferred, answer, tail, fixed);
			const page = await (fixed === undefined ? opening.catch(() => undefined) : opening);
			if (page) {
				owned.add(page);
				return target(page.uri, 'loopback');
			}
		}
		if (fixed !== undefined) {
			return target(fixed, 'pasted');
		}
		try {
			const uri = await raceAbort(
				Promise.resolve(vscode.env.asExternalUri(vscode.Uri.parse(this.handlerUri + tail, true))),
				signal,
			);
			return target(uri.toString(true), 'uriHandler');
		} catch (error) {
			if (signal.aborted) {
				throw error;
			}
			// The browser shows an error for this URL, because no server listens there, and the redirect in its address bar.
			return target(`http://127.0.0.1/callback${tail}`, 'pasted');
		}
	}

	private async follow(options: VisitOptions, signal: AbortSignal): Promise<URL> {
		const { serverId, label, uri, path, url, accept, waiting } = options;
		const returned = deferred<URL>();
		const left = new AbortController();
		const { searchParams } = new URL(url);
		const visit: Visit = {
			serverId,
			hasResource: searchParams.has('resource'),
			leave: () => left.abort(),
			state: searchParams.get('state'),
			uri,
			path,
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
			if (!(await this.browser.open(url, signal))) {
				throw new AbortError();
			}
			const paste = t('Paste Redirect URL…');
			const title = t(
				"Sign in to {0} in your browser. If the browser doesn't return to the editor, paste the URL.",
				label,
			);
			const links = [
				`[${paste}](command:${InternalCommands.pasteAddress})`,
				...(visit.hasResource ? [`[${t('Page Shows an Error…')}](command:${InternalCommands.makeException})`] : []),
			];
			return await withProgress([title, ...links].join(' '), own =>
				raceAbort(returned.promise, AbortSignal.any([signal, own, left.signal])),
			);
		} finally {
			this.visits.delete(visit);
			waiting.delete(visit);
		}
	}
}

interface VisitOptions extends Pick<Visit, 'serverId' | 'uri' | 'path'> {
	readonly label: string;
	readonly url: string;
	readonly accept: (returned: URL) => boolean;
	/** The visits with the same redirect URI. */
	readonly waiting: Set<Visit>;
}

/** Offers a redirect to the visit with its `state`; without one to all visits, whose sign-in reports mention it. */
function offerTo(visits: Iterable<Visit>, read: (visit: Visit) => URL): boolean {
	const all = [...visits];
	const owner = all.find(it => it.state !== null && read(it).searchParams.get('state') === it.state);
	return (owner ? [owner] : all).map(it => it.offer(read(it))).includes(true);
}

/** The page for an answer to a pending sign-in, which can be an error. */
function welcomePage(returned: URL): string {
	const error = returned.searchParams.get('error');
	if (error === null) {
		return page(t('Done'), t('You can close this page and return to the editor.'));
	}
	const said = returned.searchParams.get('error_description') ?? error;
	return page(
		t('Not signed in'),
		t('The sign-in page returned an error: "{0}". Continue in the editor.', oneLine(said)),
	);
}

/** The page for an answer to no pending sign-in. */
function strayPage(): string {
	return page(
		t('This sign-in has ended'),
		t('The sign-in was completed in another page or has expired. To sign in again, return to the editor.'),
	);
}

/** A page without scripts that loads nothing. */
function page(title: string, text: string): string {
	const [heading, body] = [title, text].map(escaped);
	return `<!doctype html>
<html lang="${escaped(vscode.env.language)}">
<head><meta charset="utf-8"><title>${heading} · MCP Workbench</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:15vh auto;padding:0 1em}</style>
</head>
<body><h1>${heading}</h1><p>${body}</p></body>
</html>
`;
}

function escaped(text: string): string {
	return text.replace(/[&<>"']/g, it => `&#${it.charCodeAt(0)};`);
}

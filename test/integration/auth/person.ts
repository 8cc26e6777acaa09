// A person at their own machine, with a browser: what the editor tells them, and where it sends them.
import * as vscode from 'vscode';

export class Person {
	messages: string[] = [];
	/** What is pressed on messages. */
	press: string | undefined;
	/** Messages stay where nobody presses or closes them. */
	isAway = false;
	/** Pages that the browser was sent to. */
	opened: string[] = [];
	/** What the browser does with a page. */
	visit: (url: string) => Promise<unknown> = () => Promise.resolve();
	private readonly window = { ...vscode.window };
	private readonly openExternal = vscode.env.openExternal;
	private readonly place = Object.getOwnPropertyDescriptors(vscode.env);

	constructor() {
		// The editor under test may be on the web; here it is on the person's own machine, until a test says otherwise.
		this.setPlace({ remoteName: undefined, uiKind: vscode.UIKind.Desktop });
		const show = (text: string, ...rest: unknown[]): Promise<string | undefined> => {
			this.messages.push(text);
			return this.isAway
				? new Promise(() => undefined)
				: Promise.resolve(rest.filter(it => typeof it === 'string').find(it => it === this.press));
		};
		Object.assign(vscode.window, { showInformationMessage: show, showWarningMessage: show, showErrorMessage: show });
		Object.assign(vscode.env, {
			openExternal: (uri: unknown) => {
				this.opened.push(String(uri));
				void this.visit(String(uri));
				return Promise.resolve(true);
			},
		});
	}

	/** Nothing was said, nothing is pressed, and the browser does this with pages. */
	begin(visit: (url: string) => Promise<unknown>): void {
		this.messages = [];
		this.press = undefined;
		this.isAway = false;
		this.opened = [];
		this.visit = visit;
	}

	/** Where the extension host runs, and which editor shows it. */
	setPlace(values: Partial<typeof vscode.env>): void {
		for (const [name, value] of Object.entries(values)) {
			Object.defineProperty(vscode.env, name, { configurable: true, get: () => value });
		}
	}

	dispose(): void {
		const { showInformationMessage, showWarningMessage, showErrorMessage } = this.window;
		Object.assign(vscode.window, { showInformationMessage, showWarningMessage, showErrorMessage });
		const { remoteName, uiKind } = this.place;
		Object.defineProperties(vscode.env, { remoteName, uiKind });
		Object.assign(vscode.env, { openExternal: this.openExternal });
	}
}

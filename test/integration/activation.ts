/**
 * What the extension makes once, when it is activated, and tests talk to as the editor does: heard by whoever is there
 * before that.
 */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';

interface Heard {
	/** What the editor calls with our URLs. */
	uriHandler?: vscode.UriHandler;
}

/** Each file of tests is a bundle of its own. */
const heard: Heard = ((globalThis as { heardByTests?: Heard }).heardByTests ??= {});

/** Listens from now on. Tests and extension share one `vscode`. */
export function hearActivation(): void {
	const { registerUriHandler } = vscode.window;
	Object.assign(vscode.window, {
		registerUriHandler: (handler: vscode.UriHandler) => {
			heard.uriHandler = handler;
			return registerUriHandler(handler);
		},
	});
}

export function heardAtActivation<K extends keyof Heard>(what: K): NonNullable<Heard[K]> {
	return heard[what] ?? assert.fail('the extension was activated before the tests');
}

// Answers the messages of a unit test, one after the other, as a person would.
import * as vscode from 'vscode';
import type { Disposable } from '../../src/base/lifecycle.js';

/**
 * @param answers the buttons that are pressed; `undefined` closes the message, also once there are no more
 * @param told gets each message with its buttons
 */
export function answerMessages(answers: (string | undefined)[], told: (message: string) => unknown): Disposable {
	const { showInformationMessage } = vscode.window;
	Object.assign(vscode.window, {
		showInformationMessage: async (message: string, ...buttons: string[]) => {
			told([message, ...buttons.map(it => `[${it}]`)].join(' '));
			return answers.shift();
		},
	});
	return { dispose: () => Object.assign(vscode.window, { showInformationMessage }) };
}

/** Our settings, typed. */
import * as vscode from 'vscode';
import { Settings } from './contributions.js';

/** Milliseconds a request may go without an answer or progress; 0 waits for ever. */
export function requestTimeoutMs(): number {
	const seconds = vscode.workspace.getConfiguration().get<number>(Settings.requestTimeout, 60);
	return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
}

/** Our settings, typed. */
import * as vscode from 'vscode';
import { Settings } from './contributions.js';

/** Milliseconds a request may go without an answer or progress; 0 waits for ever. */
export function requestTimeoutMs(): number {
	return milliseconds(Settings.requestTimeout, 60);
}

/** Milliseconds between two pings of a server of the older era; 0 for none. */
export function pingIntervalMs(): number {
	return milliseconds(Settings.pingInterval, 60);
}

/** A setting in seconds. What is no number a person could mean counts as 0. */
function milliseconds(setting: string, defaultSeconds: number): number {
	const seconds = vscode.workspace.getConfiguration().get<unknown>(setting, defaultSeconds);
	return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
}

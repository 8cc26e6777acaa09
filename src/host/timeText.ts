/** Points in time, in the person's language. */
import * as vscode from 'vscode';

/** When: the time of day, and of another day its date too. It never goes stale, as "a minute ago" does. */
export function describeTime(time: number, now: number = Date.now()): string {
	const date = new Date(time);
	const { language } = vscode.env;
	return date.toDateString() === new Date(now).toDateString()
		? date.toLocaleTimeString(language)
		: date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}

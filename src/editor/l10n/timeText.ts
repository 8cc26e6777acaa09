/** Formats points in time in the language of the editor. All take milliseconds since 1970. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';

/** The time of day, with the date if that isn't today. Unlike "a minute ago", it never goes stale. */
export function describeTime(time: number, now: number = clock.now()): string {
	const date = new Date(time);
	return date.toDateString() === new Date(now).toDateString()
		? date.toLocaleTimeString(vscode.env.language)
		: describeDateTime(time);
}

/** The date and the time of day, without seconds. */
export function describeDateTime(time: number): string {
	return new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

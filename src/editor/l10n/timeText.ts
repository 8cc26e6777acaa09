/** Formats points in time, with 24 hours, in the language of the editor and the time zone of the person. All take milliseconds since 1970. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';

/** The time of day, with the date if that isn't today. Unlike "a minute ago", it never goes stale. */
export function describeTime(time: number, now: number = clock.now()): string {
	const date = new Date(time);
	return date.toDateString() === new Date(now).toDateString()
		? date.toLocaleTimeString(vscode.env.language, { hourCycle: 'h23' })
		: describeDateTime(time);
}

/** The date and the time of day. @param timeStyle `medium` has seconds */
export function describeDateTime(time: number, timeStyle: 'short' | 'medium' = 'short'): string {
	return new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle, hourCycle: 'h23' });
}

/** The time of day with milliseconds, for example "09:05:03.120". */
export function describeClock(time: number): string {
	return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(11, 23);
}

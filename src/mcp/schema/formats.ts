/**
 * The formats of JSON Schema for Ajv, with patterns that run in linear time. Values of servers are as untrusted as their
 * schemas, and some of the usual patterns take quadratic time.
 */
import addFormats, { type FormatName } from 'ajv-formats';
import type { Format } from 'ajv';
import { isPattern, LinearPattern } from './linearPattern.js';
import type { Meter } from './meter.js';

/** Formats whose strict patterns, as in the RFC, are short and anchored. */
const full: readonly FormatName[] = ['date', 'time', 'date-time', 'iso-time', 'iso-date-time', 'duration'];

/** Formats with a simplified pattern, because the strict one has thousands of instructions. */
const fast: readonly FormatName[] = [
	...(['uri', 'uri-reference', 'uri-template', 'email', 'ipv4', 'ipv6', 'uuid'] as const),
	...(['json-pointer', 'json-pointer-uri-fragment', 'relative-json-pointer'] as const),
];

/** Number formats of OpenAPI, which some generators emit. */
const numeric: readonly FormatName[] = ['int32', 'int64', 'float', 'double'];

/** The formats that Ajv checks; it ignores others. Patterns are charged to `meter`. */
export function linearFormats(meter: Meter): Record<string, Format> {
	const formats: Record<string, Format> = {
		byte: text => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
		hostname: metered(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\.?$/i, meter, 254),
		// A pattern that RE2 can't run is still a valid value.
		regex: text => isPattern(text, 'u'),
	};
	for (const name of [...full, ...numeric]) {
		formats[name] = addFormats.get(name, 'full');
	}
	for (const name of fast) {
		const format = addFormats.get(name, 'fast');
		formats[name] = format instanceof RegExp ? metered(format, meter) : format;
	}
	return formats;
}

function metered(pattern: RegExp, meter: Meter, maxLength = Number.MAX_SAFE_INTEGER): (text: string) => boolean {
	let compiled: LinearPattern | undefined;
	return text => {
		if (text.length > maxLength) {
			return false;
		}
		compiled ??= LinearPattern.compile(pattern.source, pattern.flags);
		if (!compiled) {
			return true;
		}
		meter.spend(compiled.cost(text));
		return compiled.test(text);
	};
}

/** Formats that can be told without the engine. */

/** Formats of texts that the engine checks. It ignores all that stand neither here nor in `numberFormats`. */
export const textFormats: ReadonlySet<string> = new Set(
	(
		'byte date date-time duration email hostname ipv4 ipv6 iso-date-time iso-time json-pointer ' +
		'json-pointer-uri-fragment regex relative-json-pointer time uri uri-reference uri-template uuid'
	).split(' '),
);

/** Formats of numbers, the same as the engine's. */
export const numberFormats = new Map<string, (value: number) => boolean>([
	['int32', value => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31],
	['int64', Number.isInteger],
	['float', () => true],
	['double', () => true],
]);

const day = /(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)/.source;
const time = /(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)/.source;

/** Texts that surely have a format: a part of those that the engine accepts. Every pattern takes linear time. */
const sure = new Map([
	['date', new RegExp(`^\\d{4}-${day}$`)],
	['date-time', new RegExp(`^\\d{4}-${day}T${time}$`)],
	['email', /^[a-z0-9._+-]+@[a-z0-9]{1,63}(?:\.[a-z0-9]{1,63})+$/i],
	['uri', /^[a-z][a-z0-9+.-]*:[!-~]+$/i],
	['uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
]);

/** Whether a text has a format; `undefined` if only the engine can tell. */
export function hasPlainFormat(text: string, format: string): boolean | undefined {
	return !textFormats.has(format) || sure.get(format)?.test(text) || undefined;
}

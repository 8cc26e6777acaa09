/** Percent-encoded text of others, which may be malformed. */

/** The decoded text, or `undefined` where a `%` isn't followed by two hexadecimal digits or the bytes aren't UTF-8. */
export function tryDecodeUri(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}

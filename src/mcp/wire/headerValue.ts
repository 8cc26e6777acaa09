/** PURE: any text as an HTTP header value. Spec 2026-07-28, Streamable HTTP, "Value Encoding". */

/**
 * Visible ASCII without blanks at its ends stays as it is; everything else, and what could be mistaken
 * for the encoded form, becomes `=?base64?…?=` of its UTF-8 bytes.
 */
export function encodeHeaderValue(text: string): string {
	const isPlain = /^[\x21-\x7E]([\x20-\x7E]*[\x21-\x7E])?$/.test(text) || text === '';
	return isPlain && !/^=\?base64\?.*\?=$/.test(text) ? text : `=?base64?${toBase64(text)}?=`;
}

function toBase64(text: string): string {
	let binary = '';
	for (const byte of new TextEncoder().encode(text)) {
		binary += String.fromCharCode(byte);
	}
	return btoa(binary);
}

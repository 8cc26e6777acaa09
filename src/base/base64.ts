/** Base64 texts. Those of servers may be malformed and large. */

/** The number of bytes that a base64 text encodes, without decoding the text. */
export function base64Size(text: string): number {
	const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
	return Math.max(0, Math.floor((text.length * 3) / 4) - padding);
}

/** The decoded bytes; `undefined` if the text isn't base64. White space and missing padding are accepted. */
export function tryDecodeBase64(text: string): Uint8Array | undefined {
	let binary: string;
	try {
		binary = atob(text);
	} catch {
		return undefined;
	}
	const bytes = new Uint8Array(binary.length);
	for (let index = 0; index < binary.length; index++) {
		bytes[index] = binary.charCodeAt(index);
	}
	return bytes;
}

export function encodeBase64(bytes: Uint8Array): string {
	let binary = '';
	for (const byte of bytes) {
		binary += String.fromCharCode(byte);
	}
	return btoa(binary);
}

/** Hashes of data. */

/** SHA-256 of bytes, or of a text in UTF-8, as hexadecimal digits. */
export async function sha256(data: string | Uint8Array): Promise<string> {
	// The digest does not accept bytes that may be shared between threads, so the bytes are copied.
	const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : Uint8Array.from(data);
	const digest = await crypto.subtle.digest('SHA-256', bytes);
	return Array.from(new Uint8Array(digest), it => it.toString(16).padStart(2, '0')).join('');
}

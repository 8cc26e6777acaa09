/** Hashes for comparing and naming data. */

/** SHA-256 of the bytes, or of the text in UTF-8, in hexadecimal digits. */
export async function sha256(data: string | Uint8Array): Promise<string> {
	// A copy: the digest does not take bytes that may be shared between threads.
	const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : Uint8Array.from(data);
	const digest = await crypto.subtle.digest('SHA-256', bytes);
	return Array.from(new Uint8Array(digest), it => it.toString(16).padStart(2, '0')).join('');
}

/**
 * Limits on what one server may cost. Above a limit, only the message, request or list concerned fails or is dropped,
 * with an error that names the limit; the connection continues.
 */
export interface Limits {
	/** Bytes of one message of the server, after decompression. */
	readonly messageBytes: number;
	/** Pages of one list. */
	readonly pages: number;
	/** Entries of one list. */
	readonly items: number;
	/** Requests of the server whose responses are not sent yet. */
	readonly answersOwed: number;
	/** Log messages and progress notifications in one second. Notifications of changes are never dropped. */
	readonly notificationsPerSecond: number;
	/** The last lines of stderr that are kept to explain why a server failed. */
	readonly stderrLines: number;
}

export const defaultLimits: Limits = {
	messageBytes: 64 * 1024 * 1024,
	pages: 1000,
	items: 250_000,
	// Well above the number of requests that an honest server sends in one chunk of its output.
	answersOwed: 5000,
	notificationsPerSecond: 5000,
	stderrLines: 20,
};

/**
 * The longest texts from servers, repositories, pages and the clipboard that are read: in UTF-16 units, files in
 * bytes. Longer texts are refused with a message, or cut where only a part is shown.
 */
export const textLimits = {
	/** `mcp.json` and similar files, and policies. */
	configFile: 1024 * 1024,
	/** This file grows with the tools of all servers. */
	lockFile: 16 * 1024 * 1024,
	envFile: 1024 * 1024,
	/** A token or key that the person selects for a sign-in. */
	secretFile: 1024 * 1024,
	/** The configuration of another client, which may contain its history. */
	clientFile: 50 * 1000 * 1000,
	/** The configuration of a server, pasted from a page. */
	pasted: 256 * 1024,
	uri: 64 * 1024,
} as const;

/**
 * What one server may cost us. Past a limit only what is concerned fails or is dropped, and the failure says
 * which limit it was; the connection goes on.
 */
export interface Limits {
	/** Bytes of one message of the server, after any decompression. */
	readonly messageBytes: number;
	/** Bytes that one compressed HTTP response may become. */
	readonly decodedBytes: number;
	/** Redirects that one HTTP request follows. */
	readonly redirects: number;
	/** Pages of one listing. */
	readonly pages: number;
	/** Entries of one listing. */
	readonly items: number;
	/** Requests of ours that wait for an answer at the same time. */
	readonly requestsInFlight: number;
	/**
	 * Requests of the server that wait for our answers at the same time, the unsent ones among them; long ids and
	 * methods, which answers repeat, count for more.
	 */
	readonly answersOwed: number;
	/** Log messages and progress in one second; what tells of changes is never dropped. */
	readonly notificationsPerSecond: number;
	/** Last lines of stderr kept for the message that says why a server failed. */
	readonly stderrLines: number;
}

export const defaultLimits: Limits = {
	messageBytes: 64 * 1024 * 1024,
	decodedBytes: 256 * 1024 * 1024,
	redirects: 5,
	pages: 1000,
	items: 250_000,
	requestsInFlight: 1000,
	// What an honest server can ask in one chunk of its output is well below.
	answersOwed: 5000,
	notificationsPerSecond: 5000,
	stderrLines: 20,
};

/**
 * Longest texts of servers, repositories, pages and the clipboard that are looked at, in UTF-16 units (of files, in
 * bytes). What is longer is refused with a message, or cut where only a part of it is shown.
 */
export const textLimits = {
	/** `mcp.json` and its like, policies. */
	configFile: 1024 * 1024,
	/** Grows with the tools of all servers. */
	lockFile: 16 * 1024 * 1024,
	envFile: 1024 * 1024,
	/** A token or a key that the person names for a sign-in. */
	secretFile: 1024 * 1024,
	/** The configuration of another client, which may keep its history in it. */
	clientFile: 50 * 1000 * 1000,
	/** A server that is pasted from a page. */
	pasted: 256 * 1024,
	uri: 64 * 1024,
} as const;

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

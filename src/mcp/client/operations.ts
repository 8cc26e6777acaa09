/**
 * PURE: which of our operations a server is at. What it asks us meanwhile belongs to that; the protocol itself connects
 * the two in the modern era only.
 */

/** Only these take as long as a server likes, and are what it may ask questions about. */
const methods: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Requests that keep a server busy while they wait for an answer: an operation, or the result of one that became a task. */
export const workMethods: ReadonlySet<string> = new Set([...methods, 'tasks/result']);

export class Operations {
	private running = 0;
	private begun = 0;

	/** @param didEnd called when the last that overlaps with others has ended */
	constructor(private readonly didEnd: () => void) {}

	/** Another number whenever an operation has begun while there was none; what overlaps counts as one. */
	get current(): number {
		return this.begun;
	}

	/** Whether there is one now: somebody waits for what comes of it. */
	get isAny(): boolean {
		return this.running > 0;
	}

	/** A request begins; each call is followed by one of `end` with the same method. */
	begin(method: string): void {
		if (methods.has(method)) {
			this.begun += this.running++ === 0 ? 1 : 0;
		}
	}

	end(method: string): void {
		if (methods.has(method) && --this.running === 0) {
			this.didEnd();
		}
	}
}

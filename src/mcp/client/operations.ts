/**
 * Counts the operations (tool calls, prompts, reads) that a server works on. What the server asks us meanwhile
 * belongs to them; only the modern era says so itself.
 */

import { operationMethods } from '../wire/codec.js';

export class Operations {
	private running = 0;
	private begun = 0;

	/** @param didEnd called when the last of the overlapping operations has ended */
	constructor(private readonly didEnd: () => void) {}

	/** Id of the current operation. Operations that overlap share one id. */
	get current(): number {
		return this.begun;
	}

	/** Whether an operation is in progress. */
	get isAny(): boolean {
		return this.running > 0;
	}

	/** Call this when a request begins, and `end` with the same method when the request has ended. */
	begin(method: string): void {
		if (operationMethods.has(method)) {
			this.begun += this.running++ === 0 ? 1 : 0;
		}
	}

	end(method: string): void {
		if (operationMethods.has(method) && --this.running === 0) {
			this.didEnd();
		}
	}
}

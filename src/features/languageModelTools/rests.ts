/** PURE: answers that were too long for a model, for as long as the window is there, and no more of them than fit. */

export interface RestLimits {
	readonly maxEntries: number;
	/** Of all that is kept, in characters. */
	readonly maxChars: number;
}

export class Rests {
	private readonly texts = new Map<string, string>();
	private chars = 0;

	/** @param createHandle gives texts that nobody guesses */
	constructor(
		private readonly limits: RestLimits,
		private readonly createHandle: () => string,
	) {}

	/** The handle by which it is read again; those that nobody has read for longest make room. */
	keep(text: string): string {
		const handle = this.createHandle();
		this.texts.set(handle, text);
		this.chars += text.length;
		for (const [oldest, { length }] of this.texts) {
			if (this.texts.size <= this.limits.maxEntries && this.chars <= this.limits.maxChars) {
				break;
			}
			this.texts.delete(oldest);
			this.chars -= length;
		}
		return handle;
	}

	read(handle: string): string | undefined {
		const text = this.texts.get(handle);
		if (text !== undefined) {
			this.texts.delete(handle);
			this.texts.set(handle, text);
		}
		return text;
	}
}

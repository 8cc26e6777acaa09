/** Answers that were too long for a model, kept until the window closes so that the model can read the rest. */

export interface ContinuationLimits {
	readonly maxEntries: number;
	/** Limit of all texts together, in UTF-16 units. */
	readonly maxChars: number;
}

export class ContinuationStore {
	private readonly texts = new Map<string, string>();
	private chars = 0;

	/** @param createHandle returns unique handles that can't be guessed */
	constructor(
		private readonly limits: ContinuationLimits,
		private readonly createHandle: () => string,
	) {}

	/** Keeps a text and returns its handle. Drops the texts that were read least recently if there are too many. */
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

	/** The text, or `undefined` if it was dropped. */
	read(handle: string): string | undefined {
		const text = this.texts.get(handle);
		if (text !== undefined) {
			this.texts.delete(handle);
			this.texts.set(handle, text);
		}
		return text;
	}
}

/** How much a model can still be told in one turn. */
import type { Budget } from '../../editor/languageModels/budget.js';
import { maxImages } from '../../editor/languageModels/modelImages.js';

/** What it needs of the editor's model. */
export interface Counting {
	readonly maxInputTokens: number;
	readonly takesImages: boolean;
	count(text: string): PromiseLike<number>;
}

/** For the answer, and for what providers add. */
const used = 0.8;
/** Of what is left; the next answer needs room as well. */
const ofRest = 0.4;
const maxTokens = 10_000;
/** A model that does not say: what the smallest of today take. */
const smallTokens = 16_000;
/** Letters of a token, roughly: where the model cannot count. */
const charsOfToken = 3;
/** No model says what it counts for an image: as much as those of today do for a large one. */
const tokensOfImage = 1600;
/** Of one turn: every request of it carries all that came before. */
const maxImageBytes = 10_000_000;

export class ModelRoom {
	private left: number;
	private imageBytes = 0;

	constructor(private readonly model: Counting) {
		this.left = this.maxInputTokens * used;
	}

	/** Whether it makes no sense to go on. */
	get isFull(): boolean {
		return this.left < this.maxInputTokens * (1 - used) * 0.1;
	}

	/** Whether the next answer may bring images: as many as one may have. */
	get takesImages(): boolean {
		const fits = this.left * ofRest >= maxImages * tokensOfImage && this.imageBytes < maxImageBytes;
		return fits && this.model.takesImages;
	}

	/** Characters that lists may take at the beginning: a quarter of what fits. */
	get quarter(): number {
		return Math.floor((this.maxInputTokens * charsOfToken) / 4);
	}

	/** Of one answer. */
	budget(): Budget {
		return {
			max: Math.max(1, Math.floor(Math.min(maxTokens, this.left * ofRest))),
			count: text => this.count(text),
		};
	}

	/** It was told this, with these images beside it. */
	async take(text: string, images: readonly Uint8Array[] = []): Promise<void> {
		this.left -= (await this.count(text)) + images.length * tokensOfImage;
		this.imageBytes += images.reduce((sum, it) => sum + it.length, 0);
	}

	private get maxInputTokens(): number {
		return this.model.maxInputTokens > 0 ? this.model.maxInputTokens : smallTokens;
	}

	private async count(text: string): Promise<number> {
		try {
			return await this.model.count(text);
		} catch {
			return text.length / charsOfToken;
		}
	}
}

/** Counts the tokens that a model has been sent in one turn, and how many more it can be sent. */
import type { Budget } from '../../editor/languageModels/budget.js';
import { maxImages } from '../../editor/languageModels/modelImages.js';

/** The properties of a model that its budget depends on. */
export interface CountingModel {
	/** 0 if the model doesn't say. */
	readonly maxInputTokens: number;
	readonly takesImages: boolean;
	/** The number of tokens of a text. */
	count(text: string): PromiseLike<number>;
}

/** Share of the input limit that we use. The rest is for the answer and for additions of providers. */
const used = 0.8;
/** Share of the remaining tokens that one tool result may take, so that later results have room as well. */
const ofRest = 0.4;
/** Limit of one tool result. */
const maxTokens = 10_000;
/** Input limit of a model that doesn't say: the limit of the smallest current models. */
const smallTokens = 16_000;
/** Estimated characters of a token, for models that can't count. */
const charsOfToken = 3;
/** No model reports the tokens of an image. This is what current models count for a large one. */
const tokensOfImage = 1600;
/** Limit of all images of one turn, in bytes: every request of the turn repeats them. */
const maxImageBytes = 10_000_000;

export class TokenBudget {
	private left: number;
	private imageBytes = 0;

	constructor(private readonly model: CountingModel) {
		this.left = this.maxInputTokens * used;
	}

	/** Whether too few tokens are left for another round. */
	get isFull(): boolean {
		return this.left < this.maxInputTokens * (1 - used) * 0.1;
	}

	/** Whether the next tool result may have images. Checks room for as many as one result can have. */
	get takesImages(): boolean {
		const fits = this.left * ofRest >= maxImages * tokensOfImage && this.imageBytes < maxImageBytes;
		return fits && this.model.takesImages;
	}

	/** A quarter of the input limit, in characters: the limit of the tools, and of the earlier messages. */
	get quarter(): number {
		return Math.floor((this.maxInputTokens * charsOfToken) / 4);
	}

	/** The budget of the next tool result. */
	budget(): Budget {
		return {
			max: Math.max(1, Math.floor(Math.min(maxTokens, this.left * ofRest))),
			count: text => this.count(text),
		};
	}

	/** Subtracts what was sent to the model. */
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

/** A call of one of the language-model tools, and its answer. */
import type { ModelImage } from '../../editor/languageModels/modelImages.js';
import type { Budget } from './budget.js';

export interface SentModelRequest {
	readonly input: unknown;
	readonly budget: Budget;
	readonly signal: AbortSignal;
	/** Whether the answer may contain images. */
	readonly takesImages: boolean;
}

export interface ModelAnswer {
	readonly text: string;
	readonly images: readonly ModelImage[];
}

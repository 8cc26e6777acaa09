/**
 * Limits the answer of a model, while it arrives, to the requested stop sequences and number of tokens. The model's
 * tokenizer can be slow, so a text is counted only when it could be too long: a few times for a long answer.
 */
import { describeJson } from '../../mcp/index.js';
import type { AnswerBlock } from '../../core/requests/samplingAnswer.js';

/** Counts the tokens of a text. May reject, or give 0 if the model has no tokenizer. */
export type CountTokens = (text: string) => PromiseLike<number>;

export interface AnswerLimits {
	readonly maxTokens: number;
	readonly stopSequences: readonly string[];
}

export class AnswerText {
	private readonly blocks: AnswerBlock[] = [];
	/** The text of the current block. */
	private text = '';
	/** How much of `text` was shown. The rest can be the beginning of a stop sequence. */
	private shown = 0;
	/** Tokens of finished blocks. */
	private spent = 0;
	/** Tokens of the first `countedLength` characters of `text`. */
	private counted = 0;
	private countedLength = 0;
	/** Bytes of the rest of `text`, which has at most as many tokens. */
	private uncountedBytes = 0;
	private _ended: 'stopSequence' | 'maxTokens' | undefined;
	private readonly longestStop: number;

	constructor(
		private readonly limits: AnswerLimits,
		private readonly count: CountTokens,
	) {
		this.longestStop = Math.max(0, ...limits.stopSequences.map(it => it.length));
	}

	/** Why the answer has ended; `undefined` if it hasn't. Stop the model then, because further parts are dropped. */
	get ended(): 'stopSequence' | 'maxTokens' | undefined {
		return this._ended;
	}

	/** Adds a part of the text. Returns the text that is now certain to be in the answer. */
	async add(part: string): Promise<string> {
		if (this._ended || part === '') {
			return '';
		}
		const from = Math.max(0, this.text.length - this.longestStop + 1);
		this.text += part;
		this.uncountedBytes += new TextEncoder().encode(part).length;
		const stop = this.firstStop(from);
		if (stop !== undefined) {
			this.text = this.text.slice(0, stop);
		}
		await this.checkTokens();
		// If the token limit comes before the stop sequence, the answer has ended there.
		if (stop !== undefined && !this._ended) {
			this._ended = 'stopSequence';
		}
		return this.show(this._ended ? this.text.length : this.text.length - Math.max(0, this.longestStop - 1));
	}

	/** Adds a block other than text, unless it exceeds the token limit. */
	async addBlock(block: AnswerBlock): Promise<void> {
		if (this._ended) {
			return;
		}
		if (this.text !== '') {
			this.spent += this.countedLength === this.text.length ? this.counted : await this.tokensOf(this.text);
			this.endText();
		}
		if (block.type === 'tool_use') {
			this.spent += await this.tokensOf(describeJson([block.name, block.input], Infinity));
			// A tool call can't be cut.
			if (this.spent > this.limits.maxTokens) {
				this._ended = 'maxTokens';
				return;
			}
		}
		this.blocks.push(block);
	}

	/** Call this when the model has finished. Returns the rest of the text to show, and all blocks. */
	end(): { readonly rest: string; readonly blocks: readonly AnswerBlock[] } {
		const rest = this.show(this.text.length);
		if (this.text !== '') {
			this.endText();
		}
		return { rest, blocks: this.blocks };
	}

	private show(until: number): string {
		const from = this.shown;
		this.shown = Math.max(from, Math.min(until, this.text.length));
		return this.text.slice(from, this.shown);
	}

	private endText(): void {
		this.blocks.push({ type: 'text', text: this.text });
		this.text = '';
		this.shown = 0;
		this.counted = 0;
		this.countedLength = 0;
		this.uncountedBytes = 0;
	}

	private firstStop(from: number): number | undefined {
		const found = this.limits.stopSequences.map(it => this.text.indexOf(it, from)).filter(it => it >= 0);
		return found.length > 0 ? Math.min(...found) : undefined;
	}

	/** Cuts the text at the token limit. A token has at least one byte. */
	private async checkTokens(): Promise<void> {
		const left = this.limits.maxTokens - this.spent;
		const { length } = this.text;
		if (this.uncountedBytes <= left - this.counted || length <= this.countedLength) {
			return;
		}
		const tokens = await this.tokensOf(this.text);
		if (tokens > left) {
			this.text = this.text.slice(0, await this.lengthFor(left, this.countedLength, length));
			this._ended = 'maxTokens';
			return;
		}
		this.counted = tokens;
		this.countedLength = length;
		this.uncountedBytes = 0;
	}

	/** The length of the longest beginning of the text with at most `left` tokens, between `from` and `until`. */
	private async lengthFor(left: number, from: number, until: number): Promise<number> {
		let [fits, tooLong] = [from, until];
		while (tooLong - fits > 1) {
			const middle = Math.floor((fits + tooLong) / 2);
			if ((await this.tokensOf(this.text.slice(0, middle))) <= left) {
				fits = middle;
			} else {
				tooLong = middle;
			}
		}
		// Never splits a surrogate pair.
		return /[\uD800-\uDBFF]/.test(this.text.charAt(fits - 1)) ? fits - 1 : fits;
	}

	/** Counts tokens. Without a tokenizer, a token is estimated as four characters. */
	private async tokensOf(text: string): Promise<number> {
		let tokens = 0;
		try {
			tokens = await this.count(text);
		} catch {
			// Treated like a missing tokenizer.
		}
		return tokens > 0 ? tokens : Math.ceil(text.length / 4);
	}
}

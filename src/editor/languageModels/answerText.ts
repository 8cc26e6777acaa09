/**
 * PURE: the answer of a model as it comes, kept within what was asked for: it ends at the first stop sequence, and where
 * there are no tokens left. Counting is for the model's own tokeniser, which may be slow: a text is counted only when it
 * could be too long, so that a long answer is counted a few times and not once for each of its words.
 */
import { describeJson } from '../../mcp/index.js';
import type { AnswerBlock } from '../../core/requests/samplingAnswer.js';

/** Tokens of a text; may fail, or say 0 where the model has no tokeniser. */
export type CountTokens = (text: string) => PromiseLike<number>;

export interface AnswerLimits {
	readonly maxTokens: number;
	readonly stopSequences: readonly string[];
}

export class AnswerText {
	private readonly blocks: AnswerBlock[] = [];
	/** The text that still grows: what was shown of it, and what may yet be the beginning of a stop sequence. */
	private text = '';
	private shown = 0;
	/** Tokens of the blocks that have ended, and of the text as far as it was counted. */
	private spent = 0;
	private counted = 0;
	private countedLength = 0;
	/** What came since: as many tokens at most. */
	private uncountedBytes = 0;
	private _ended: 'stopSequence' | 'maxTokens' | undefined;
	private readonly longestStop: number;

	constructor(
		private readonly limits: AnswerLimits,
		private readonly count: CountTokens,
	) {
		this.longestStop = Math.max(0, ...limits.stopSequences.map(it => it.length));
	}

	/** Nothing more is taken, and the model need not go on. */
	get ended(): 'stopSequence' | 'maxTokens' | undefined {
		return this._ended;
	}

	/** Takes a part of the text, and gives what is sure to stay by now. */
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
		// Too many tokens before the stop sequence: it was never reached.
		if (stop !== undefined && !this._ended) {
			this._ended = 'stopSequence';
		}
		return this.show(this._ended ? this.text.length : this.text.length - Math.max(0, this.longestStop - 1));
	}

	/** Takes a block that is no text, unless there are no tokens left for it. */
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
			// Half a call is no call.
			if (this.spent > this.limits.maxTokens) {
				this._ended = 'maxTokens';
				return;
			}
		}
		this.blocks.push(block);
	}

	/** What was held back, now that no more will come; and everything. */
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

	/** Cuts the text where there are no tokens left. A token is a byte at least. */
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

	/** The longest part of the text with so many tokens: `from` is short enough, `until` is too long. */
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
		// Never half of a character.
		return /[\uD800-\uDBFF]/.test(this.text.charAt(fits - 1)) ? fits - 1 : fits;
	}

	/** Where nobody can count: about four letters are a token, rather more than too few. */
	private async tokensOf(text: string): Promise<number> {
		let tokens = 0;
		try {
			tokens = await this.count(text);
		} catch {
			// As if there was no tokeniser.
		}
		return tokens > 0 ? tokens : Math.ceil(text.length / 4);
	}
}

/** How many tokens requests have: each is counted once for a model, from before its sheet opens. */
import * as vscode from 'vscode';
import { within } from '../../base/async.js';
import { Owner, toDisposable } from '../../base/lifecycle.js';
import { countRequest } from '../../editor/languageModels/samplingModel.js';
import type { SamplingRequest } from '../../core/requests/sampling.js';

/** Milliseconds for which a sheet waits: less than an answered input stays open for the next one. */
const waitMs = 80;

interface Count {
	readonly model: vscode.LanguageModelChat;
	readonly tokens: Promise<number | undefined>;
}

export class TokenCounts extends Owner {
	private readonly counts = new WeakMap<SamplingRequest, Count>();
	private readonly source = new vscode.CancellationTokenSource();

	constructor() {
		super();
		this.own(
			toDisposable(() => {
				this.source.cancel();
				this.source.dispose();
			}),
		);
	}

	/** Begins to count, unless that was done. Resolves with `undefined` if the model can't. */
	begin(model: vscode.LanguageModelChat, request: SamplingRequest): Promise<number | undefined> {
		const known = this.counts.get(request);
		if (known?.model === model) {
			return known.tokens;
		}
		const tokens = countRequest(model, request, this.source.token).catch(() => undefined);
		this.counts.set(request, { model, tokens });
		return tokens;
	}

	/** `undefined` if the model can't, or takes longer than a sheet waits. */
	get(model: vscode.LanguageModelChat, request: SamplingRequest): Promise<number | undefined> {
		return within(this.begin(model, request), waitMs);
	}
}

/** The part of the editor's API for language models and cancellation that unit tests need. */

export class LanguageModelTextPart {
	constructor(readonly value: string) {}
}

export class LanguageModelChatMessage {
	constructor(
		readonly role: number,
		readonly content: readonly unknown[],
	) {}
}

export enum LanguageModelChatMessageRole {
	User = 1,
	Assistant = 2,
}

export enum LanguageModelChatToolMode {
	Auto = 1,
	Required = 2,
}

export class CancellationError extends Error {
	override readonly name = 'Canceled';

	constructor() {
		super('Canceled');
	}
}

export class CancellationTokenSource {
	private readonly listeners = new Set<() => void>();
	readonly token = {
		isCancellationRequested: false,
		onCancellationRequested: (listener: () => void): { dispose(): void } => {
			this.listeners.add(listener);
			return { dispose: () => this.listeners.delete(listener) };
		},
	};

	cancel(): void {
		this.token.isCancellationRequested = true;
		[...this.listeners].forEach(it => it());
	}

	dispose(): void {
		this.listeners.clear();
	}
}

export const lm = {
	/** Tests replace it to offer models. */
	selectChatModels: (): Promise<readonly unknown[]> => Promise.resolve([]),
};

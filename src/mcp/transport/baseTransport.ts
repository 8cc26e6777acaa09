/** What every transport has: its events, and telling messages from noise. */
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { shorten } from '../../base/trim.js';
import type { Lost, Received, TransportEnd, TransportNoise } from './transport.js';

/** Characters of noise that are told. */
export const maxNoiseLength = 300;

export abstract class BaseTransport extends Owner {
	protected readonly _onDidReceive = this.own(new Emitter<Received>());
	readonly onDidReceive: Event<Received> = this._onDidReceive.event;

	protected readonly _onDidReceiveNoise = this.own(new Emitter<TransportNoise>());
	readonly onDidReceiveNoise: Event<TransportNoise> = this._onDidReceiveNoise.event;

	protected readonly _onDidLose = this.own(new Emitter<Lost>());
	readonly onDidLose: Event<Lost> = this._onDidLose.event;

	protected readonly _onDidEnd = this.own(new Emitter<TransportEnd>());
	readonly onDidEnd: Event<TransportEnd> = this._onDidEnd.event;

	/** @returns what JSON says the text is; undefined if it is none, which is told as noise */
	protected parse(text: string): unknown {
		try {
			return JSON.parse(text);
		} catch {
			this.tellNoise(text);
			return undefined;
		}
	}

	protected tellNoise(text: string): void {
		this._onDidReceiveNoise.fire({ text: shorten(text, maxNoiseLength) });
	}
}

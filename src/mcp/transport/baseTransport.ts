/** The base of all transports: their events, and the distinction between messages and noise. */
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { parseJson } from '../../base/parseJson.js';
import { shorten } from '../../base/trim.js';
import type { LostMessage, Received, TransportEnd, TransportNoise } from './transport.js';

/** Noise is reported up to this many characters: more than are logged, so that a secret at their end is found whole. */
const maxNoiseLength = 10_000;

/**
 * The beginning of an object or an array of objects. `JSON.parse` takes microseconds to throw, and a server may log a
 * million lines, so other lines are not parsed.
 */
const messageStart = /^\s*(?:\{\s*["}]|\[\s*[{\]])/;

export abstract class BaseTransport extends Owner {
	protected readonly _onDidReceive = this.own(new Emitter<Received>());
	readonly onDidReceive: Event<Received> = this._onDidReceive.event;

	protected readonly _onDidReceiveNoise = this.own(new Emitter<TransportNoise>());
	readonly onDidReceiveNoise: Event<TransportNoise> = this._onDidReceiveNoise.event;

	protected readonly _onDidLose = this.own(new Emitter<LostMessage>());
	readonly onDidLose: Event<LostMessage> = this._onDidLose.event;

	protected readonly _onDidEnd = this.own(new Emitter<TransportEnd>());
	readonly onDidEnd: Event<TransportEnd> = this._onDidEnd.event;

	/** @returns the parsed value; undefined if the text is no message, which is then reported as noise */
	protected parse(text: string): unknown {
		const value = messageStart.test(text) ? parseJson(text) : undefined;
		if (value === undefined) {
			this.tellNoise(text);
		}
		return value;
	}

	protected tellNoise(text: string): void {
		this._onDidReceiveNoise.fire({ text: shorten(text, maxNoiseLength) });
	}
}

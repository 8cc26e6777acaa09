/** The calls that have been sent and have no end yet, as far as they take long enough to be seen. */
import { Emitter, type Event, Owner } from '../base/lifecycle.js';
import type { Calls, SentCall } from './calls.js';
import type { Server } from './server.js';

/** Milliseconds. Most calls end sooner, and rows that come and go at once only disturb. */
const seenAfterMs = 300;

export class RunningCalls extends Owner {
	private readonly _onDidChange = this.own(new Emitter<SentCall>());
	/** The call is one of those that are shown, or no longer. */
	readonly onDidChange: Event<SentCall> = this._onDidChange.event;
	private readonly shown: SentCall[] = [];
	/** Of calls that are not shown yet, by id. */
	private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();

	constructor(calls: Pick<Calls, 'onDidSend' | 'onDidCall'>) {
		super();
		this.own(
			calls.onDidSend(call =>
				this.timers.set(
					call.id,
					setTimeout(() => this.show(call), seenAfterMs),
				),
			),
		);
		this.own(calls.onDidCall(({ id }) => this.end(id)));
	}

	/** The newest first. */
	get all(): readonly SentCall[] {
		return this.shown;
	}

	/** Whether a call of the tool runs. */
	has(server: Server, tool: string): boolean {
		return this.shown.some(it => it.server.definition.id === server.definition.id && it.tool === tool);
	}

	override dispose(): void {
		for (const timer of this.timers.values()) {
			clearTimeout(timer);
		}
		this.timers.clear();
		super.dispose();
	}

	private show(call: SentCall): void {
		this.timers.delete(call.id);
		this.shown.unshift(call);
		this._onDidChange.fire(call);
	}

	private end(id: string | undefined): void {
		clearTimeout(this.timers.get(id ?? ''));
		this.timers.delete(id ?? '');
		const index = this.shown.findIndex(it => it.id === id);
		const [call] = index === -1 ? [] : this.shown.splice(index, 1);
		if (call) {
			this._onDidChange.fire(call);
		}
	}
}

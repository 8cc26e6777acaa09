/** The calls that have been sent and haven't ended. Calls that end within 300 ms never appear. */
import { clock, type Timer } from '../../base/clock.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { Calls, SentCall } from './calls.js';
import type { Server } from '../servers/server.js';

/** Milliseconds. Most calls end sooner, and rows that appear for a moment are distracting. */
const showAfterMs = 300;

export class RunningCalls extends Owner {
	private readonly _onDidChange = this.own(new Emitter<SentCall>());
	/** The call has appeared or disappeared. */
	readonly onDidChange: Event<SentCall> = this._onDidChange.event;
	private readonly shown: SentCall[] = [];
	/** Timers of calls that haven't appeared yet, by id. */
	private readonly timers = new Map<string, Timer>();

	constructor(calls: Pick<Calls, 'onDidSend' | 'onDidCall'>) {
		super();
		this.own(
			calls.onDidSend(call =>
				this.timers.set(
					call.id,
					clock.setTimeout(() => this.show(call), showAfterMs),
				),
			),
		);
		this.own(calls.onDidCall(({ id }) => this.end(id)));
	}

	/** Newest first. */
	get all(): readonly SentCall[] {
		return this.shown;
	}

	/** Whether a call of the tool is running. */
	has(server: Server, tool: string): boolean {
		return this.shown.some(it => it.server.definition.id === server.definition.id && it.tool === tool);
	}

	override dispose(): void {
		for (const timer of this.timers.values()) {
			clock.clearTimeout(timer);
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
		clock.clearTimeout(this.timers.get(id ?? ''));
		this.timers.delete(id ?? '');
		const index = this.shown.findIndex(it => it.id === id);
		const [call] = index === -1 ? [] : this.shown.splice(index, 1);
		if (call) {
			this._onDidChange.fire(call);
		}
	}
}

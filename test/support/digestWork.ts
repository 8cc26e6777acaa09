// Digests that other threads make. They take real time, which a stopped clock does not count: while one is made, no time
// may pass, or a bound is over before the work that it is for has begun.
import { createHook } from 'node:async_hooks';

export class DigestWork {
	private readonly running = new Set<number>();
	private readonly hook = createHook({
		init: (id, type) => {
			if (type === 'HASHREQUEST') {
				this.running.add(id);
			}
		},
		after: id => this.running.delete(id),
		destroy: id => this.running.delete(id),
	});

	get isRunning(): boolean {
		return this.running.size > 0;
	}

	watch(): void {
		this.hook.enable();
	}

	unwatch(): void {
		this.hook.disable();
		this.running.clear();
	}
}

/** Writes a server's stderr to its log, with a limited rate, and keeps the last lines. */
import { RateLimiter } from '../../base/rateLimiter.js';
import { Owner } from '../../base/lifecycle.js';
import type { Limits } from '../../mcp/index.js';
import type { ServerLog } from './serverLog.js';

export class StderrTail extends Owner {
	private readonly kept: string[] = [];
	private readonly gate: RateLimiter;

	constructor(
		private readonly log: ServerLog,
		private readonly limits: Limits,
	) {
		super();
		const perSecond = limits.notificationsPerSecond;
		this.gate = this.own(
			new RateLimiter(perSecond, count =>
				log.warn(`Left out ${count} lines of stderr: the server writes more than ${perSecond} in a second.`),
			),
		);
	}

	/** The last lines, redacted, for reports of a failure. */
	get lines(): readonly string[] {
		return this.kept;
	}

	add(line: string): void {
		// Redacted here, because reports show these lines outside the log.
		this.kept.push(this.log.redactor.text(line));
		if (this.kept.length > this.limits.stderrLines) {
			this.kept.shift();
		}
		if (this.gate.pass()) {
			this.log.stderr(line);
		}
	}

	/** Call this when a new process starts. */
	clear(): void {
		this.kept.length = 0;
	}
}

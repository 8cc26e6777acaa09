/** What a server writes to stderr: into its log, where a flood is counted instead, and its last words kept. */
import { FloodGate } from '../../base/floodGate.js';
import { Owner } from '../../base/lifecycle.js';
import type { Limits } from '../../mcp/index.js';
import type { ServerLog } from './serverPorts.js';

export class StderrTail extends Owner {
	private readonly kept: string[] = [];
	private readonly gate: FloodGate;

	constructor(
		private readonly log: ServerLog,
		private readonly limits: Limits,
	) {
		super();
		const perSecond = limits.notificationsPerSecond;
		this.gate = this.own(
			new FloodGate(perSecond, count =>
				log.warn(`Left out ${count} lines of stderr: the server writes more than ${perSecond} in a second.`),
			),
		);
	}

	/** The last lines, for the message that says why the server failed. */
	get lines(): readonly string[] {
		return this.kept;
	}

	add(line: string): void {
		// These are shown outside the log as well.
		this.kept.push(this.log.redactor.text(line));
		if (this.kept.length > this.limits.stderrLines) {
			this.kept.shift();
		}
		if (this.gate.pass()) {
			this.log.stderr(line);
		}
	}

	/** Another process begins. */
	clear(): void {
		this.kept.length = 0;
	}
}

// A log that a test can read.
import type { Logger } from '../../src/base/log.js';

/** Remembers lines as `warn: text`. */
export class TestLogger implements Logger {
	readonly lines: string[] = [];

	trace(message: string): void {
		this.lines.push(`trace: ${message}`);
	}

	debug(message: string): void {
		this.lines.push(`debug: ${message}`);
	}

	info(message: string): void {
		this.lines.push(`info: ${message}`);
	}

	warn(message: string): void {
		this.lines.push(`warn: ${message}`);
	}

	error(message: string): void {
		this.lines.push(`error: ${message}`);
	}
}

/** The JSON Schema engine in a worker thread, where a check that takes too long can be ended. */
import { Worker } from 'node:worker_threads';
import type { SchemaCheck, SchemaEngine } from '../mcp/index.js';

export class ValidatorThread implements SchemaEngine {
	private readonly worker: Worker;
	private failure: Error | undefined;
	/** Rejects the check that runs. */
	private reject: ((error: Error) => void) | undefined;

	/** @param file the bundle of `src/validator.ts` */
	constructor(file: string) {
		this.worker = new Worker(file);
		this.worker.unref();
		this.worker.on('error', error => this.fail(error));
		this.worker.on('exit', () => this.fail(new Error('The validator has exited.')));
	}

	check(schema: string, value: string, didStart: () => void): Promise<SchemaCheck> {
		return new Promise((resolve, reject) => {
			if (this.failure) {
				reject(this.failure);
				return;
			}
			this.reject = reject;
			const receive = (message: 'started' | SchemaCheck): void => {
				if (message === 'started') {
					didStart();
				} else {
					this.worker.off('message', receive);
					resolve(message);
				}
			};
			this.worker.on('message', receive);
			this.worker.postMessage({ schema, value });
		});
	}

	dispose(): void {
		void this.worker.terminate();
	}

	private fail(error: Error): void {
		this.failure ??= error;
		this.reject?.(this.failure);
	}
}

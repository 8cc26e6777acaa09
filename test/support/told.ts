// Records the events of a transport in order, for comparison.
import type { Disposable } from '../../src/base/lifecycle.js';
import type { Transport } from '../../src/mcp/index.js';

/** @param own ends the listening after the test */
export function toldBy(transport: Transport, own: (listening: Disposable) => unknown): unknown[] {
	const told: unknown[] = [];
	own(transport.onDidReceive(({ value }) => told.push(value)));
	own(transport.onDidReceiveNoise(it => told.push({ noise: it.text })));
	own(transport.onDidLose(({ id, error, ...rest }) => told.push({ lost: id, failure: error.failure, ...rest })));
	own(transport.onDidEnd(({ error, ...it }) => told.push({ end: it, ...(error && { failure: error.failure }) })));
	return told;
}

/** Ports of this machine, for debuggers. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { clock } from '../../base/clock.js';
import { delay } from '../../base/async.js';

const host = '127.0.0.1';
/** Milliseconds between two attempts. They are rare, because each blocks the port for other programs for a moment. */
const pollMs = 250;

/** A port that no program listens on now; another program may take it before the caller does. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, host);
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	await once(server.close(), 'close');
	return port;
}

/**
 * Whether a program listens on the port within `ms` milliseconds; false if the signal aborts. Tries to listen there itself,
 * because the program would take a connection for a debugger.
 */
export async function untilListening(port: number, ms: number, signal: AbortSignal): Promise<boolean> {
	const end = clock.elapsed() + ms;
	while (!signal.aborted && clock.elapsed() < end) {
		await delay(pollMs);
		if (await isTaken(port)) {
			return !signal.aborted;
		}
	}
	return false;
}

function isTaken(port: number): Promise<boolean> {
	return new Promise(resolve => {
		const server = createServer().on('error', () => resolve(true));
		server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(false)));
	});
}

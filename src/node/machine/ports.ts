/** Ports of this machine, for debuggers. */
import { createServer, type AddressInfo } from 'node:net';

const host = '127.0.0.1';
/** Rarely: whoever wants to listen in the moment of a look is refused. */
const pollMs = 250;

/** A port that nobody listens on. Somebody else may take it first: whoever wants it is told so then. */
export function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer().on('error', reject);
		server.listen(0, host, () => {
			const { port } = server.address() as AddressInfo;
			server.close(() => resolve(port));
		});
	});
}

/**
 * Resolves when somebody listens on the port, true, or has not within `ms` milliseconds, false. Found out by trying to
 * listen there: a connection would be taken for a debugger.
 */
export async function untilListening(port: number, ms: number, signal: AbortSignal): Promise<boolean> {
	const end = performance.now() + ms;
	while (!signal.aborted && performance.now() < end) {
		await new Promise(resolve => {
			setTimeout(resolve, pollMs);
		});
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

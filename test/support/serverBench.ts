/** A server of the model, and all that it needs. */

import { Server } from '../../src/core/servers/server.js';
import type { Cleanup } from './leakCheck.js';
import type { Disposable } from '../../src/base/lifecycle.js';
import { definition, ModelFixture, statesOf } from './modelFixture.js';

export interface ServerBench {
	readonly fixture: ModelFixture;
	readonly own: <T extends Disposable>(disposable: T) => T;
	readonly create: (launch?: Parameters<typeof definition>[1]) => {
		server: Server;
		states: string[];
	};
	readonly sent: () => string[];
}

/** Of one `describe`: anew for each test. */
export function serverBench(cleanup: Cleanup): ServerBench {
	const { own } = cleanup;
	let fixture: ModelFixture;
	beforeEach(() => (fixture = new ModelFixture(cleanup)));

	function create(launch: Parameters<typeof definition>[1] = {}): { server: Server; states: string[] } {
		const server = own(new Server(definition('test', launch), fixture.deps));
		return { server, states: statesOf(server, cleanup) };
	}

	/** Methods that were sent, in order. */
	function sent(): string[] {
		return fixture.transport.transcript.filter(it => it.startsWith('> ')).map(it => it.slice(2));
	}

	return {
		get fixture() {
			return fixture;
		},
		own,
		create,
		sent,
	};
}

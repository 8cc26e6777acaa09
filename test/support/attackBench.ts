// A client that signs in while an attacker controls a part of the exchange.

import * as assert from 'node:assert/strict';
import type { AuthFailure } from '../../src/mcp/index.js';
import { authFailureOf } from './authFailure.js';
import { type GuardedServer, sign, type Signing, type SigningOptions } from './guardedServer.js';
import type { Cleanup } from './leakCheck.js';

export interface AttackBench {
	readonly assertStopped: ({ server, browser, store }: Signing) => void;
	readonly stopped: (prepare: (server: GuardedServer) => void, options?: SigningOptions) => Promise<AuthFailure>;
}

/** Of one `describe`: what it starts ends after each test. */
export function attackBench(cleanup: Cleanup): AttackBench {
	/** Nobody was registered, sent anywhere or given a token. */
	function assertStopped({ server, browser, store }: Signing): void {
		assert.deepEqual([server.registrations, browser.visited, server.forms, store.texts.size], [[], [], [], 0]);
	}

	/** Signs in where a hostile part is prepared first, and must be stopped before anything is given away. */
	async function stopped(prepare: (server: GuardedServer) => void, options: SigningOptions = {}): Promise<AuthFailure> {
		const signing = await sign(cleanup, options);
		prepare(signing.server);
		const failure = await authFailureOf(signing.call());
		assertStopped(signing);
		assert.ok(typeof failure === 'object', JSON.stringify(failure));
		return failure;
	}

	return {
		assertStopped,
		stopped,
	};
}

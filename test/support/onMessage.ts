// The messages on a client's wire, without the HTTP that carries them.
import type { Disposable } from '../../src/base/lifecycle.js';
import type { Client } from '../../src/mcp/index.js';
import type { WireMessage } from '../../src/mcp/transport/tap.js';

export function onMessage(client: Client, listener: (message: WireMessage) => void): Disposable {
	return client.onDidTransfer(event => {
		if (event.kind === 'message') {
			listener(event);
		}
	});
}

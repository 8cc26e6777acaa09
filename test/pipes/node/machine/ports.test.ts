import * as assert from 'node:assert/strict';
import { type AddressInfo, createServer, type ListenOptions, Server } from 'node:net';
import { mock } from 'node:test';
import { freePort, untilListening } from '../../../../src/node/machine/ports.js';

describe('ports', () => {
	const never = new AbortController().signal;

	it('a free one can be listened on, and is noticed when it is, without a connection', async () => {
		const port = await freePort();
		let connections = 0;
		const server = createServer(() => connections++);
		assert.equal(await untilListening(port, 1, never), false);
		const noticed = untilListening(port, 2000, never);
		await new Promise<void>(resolve => {
			server.listen(port, '127.0.0.1', resolve);
		});
		assert.equal(await noticed, true);
		assert.equal(connections, 0);
		await new Promise(resolve => {
			server.close(resolve);
		});
	});

	it('is not waited for once nobody wants it, nor told of', async () => {
		assert.equal(await untilListening(await freePort(), 60_000, AbortSignal.abort()), false);
		const server = createServer();
		await new Promise<void>(resolve => {
			server.listen(0, '127.0.0.1', resolve);
		});
		const controller = new AbortController();
		// While it looks.
		const looking = mock.method(
			Server.prototype,
			'listen',
			function (this: Server, options: ListenOptions, then: () => void) {
				controller.abort();
				looking.mock.restore();
				return this.listen(options, then);
			},
		);
		const { port } = server.address() as AddressInfo;
		assert.equal(await untilListening(port, 60_000, controller.signal), false);
		await new Promise(resolve => {
			server.close(resolve);
		});
	});
});

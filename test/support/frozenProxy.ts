// A network as a computer finds it after sleep: open connections are dead, and no error says so.
import * as net from 'node:net';

export class FrozenProxy {
	private readonly sockets = new Set<net.Socket>();
	/** Every connection, frozen or not. */
	count = 0;

	private constructor(
		private readonly server: net.Server,
		private readonly port: number,
	) {}

	/** Leads to a port of this machine. */
	static async start(port: number): Promise<FrozenProxy> {
		const server = net.createServer();
		const it = new FrozenProxy(server, port);
		server.on('connection', socket => it.join(socket));
		await new Promise<void>(resolve => {
			server.listen({ port: 0, host: '127.0.0.1' }, resolve);
		});
		return it;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as net.AddressInfo).port}/mcp`;
	}

	/** Nothing passes on the connections there are: no byte, no end. New ones work. */
	freeze(): void {
		for (const it of this.sockets) {
			it.unpipe();
			it.pause();
			it.removeAllListeners('close');
		}
	}

	/** Nobody is there any more. */
	async close(): Promise<void> {
		const closed = new Promise(resolve => {
			this.server.close(resolve);
		});
		this.sockets.forEach(it => it.destroy());
		await closed;
	}

	private join(near: net.Socket): void {
		this.count++;
		const far = net.connect({ port: this.port, host: '127.0.0.1' });
		near.pipe(far).pipe(near);
		for (const [it, other] of [
			[near, far],
			[far, near],
		] as const) {
			this.sockets.add(it);
			it.on('error', () => undefined);
			it.on('close', () => other.destroy());
		}
	}
}

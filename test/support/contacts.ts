/** Sees every connection that this process opens, however it is opened: all of Node's end in the two methods watched. */
import { AsyncLocalStorage } from 'node:async_hooks';
import * as dgram from 'node:dgram';
import * as net from 'node:net';

interface Target {
	readonly host?: string;
	readonly port?: number | string;
	readonly path?: string;
}

/** What a test does by itself, such as being the browser. */
const ours = new AsyncLocalStorage<true>();

export class Contacts {
	/** `host:port`, or the path of a socket, in order. */
	readonly seen: string[] = [];
	private readonly before = {
		connect: Object.getOwnPropertyDescriptor(net.Socket.prototype, 'connect') ?? {},
		send: Object.getOwnPropertyDescriptor(dgram.Socket.prototype, 'send') ?? {},
	};

	constructor() {
		const note = (where: string): void => void (ours.getStore() ?? this.seen.push(where));
		const { connect, send } = this.before;
		Object.defineProperty(net.Socket.prototype, 'connect', {
			...connect,
			value(this: net.Socket, ...args: unknown[]): unknown {
				note(describe(args));
				return Reflect.apply(connect.value as typeof this.connect, this, args);
			},
		});
		Object.defineProperty(dgram.Socket.prototype, 'send', {
			...send,
			value(this: dgram.Socket, ...args: unknown[]): unknown {
				const [port, host] = args.slice(1).filter(it => typeof it === 'string' || typeof it === 'number');
				note(`udp ${host ?? 'localhost'}:${port}`);
				return Reflect.apply(send.value as typeof this.send, this, args);
			},
		});
	}

	/** Runs what isn't counted. */
	static uncounted<T>(action: () => T): T {
		return ours.run(true, action);
	}

	dispose(): void {
		Object.defineProperty(net.Socket.prototype, 'connect', this.before.connect);
		Object.defineProperty(dgram.Socket.prototype, 'send', this.before.send);
	}
}

/** `connect` takes options, a port with a host, a path, or a list of those. */
function describe(args: readonly unknown[]): string {
	const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
	if (typeof first === 'object' && first !== null) {
		const { host = 'localhost', port, path } = first as Target;
		return path ?? `${host}:${port}`;
	}
	return typeof first === 'number' ? `${typeof second === 'string' ? second : 'localhost'}:${first}` : String(first);
}

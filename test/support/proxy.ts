// A forward proxy as a company has one, and HTTP(S) fronts that stand where only the proxy can find them.
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';

/** Every name ends here: what is behind the proxy runs on this machine. */
const behind = '127.0.0.1';

/** Listens on a free port of 127.0.0.1, and ends with all its connections. */
abstract class Listener<T extends http.Server> {
	private readonly sockets = new Set<net.Socket>();

	protected constructor(protected readonly server: T) {
		server.on('connection', (socket: net.Socket) => this.hold(socket));
	}

	get port(): number {
		return (this.server.address() as net.AddressInfo).port;
	}

	protected hold(socket: net.Socket): void {
		this.sockets.add(socket);
		// Whoever hangs up in the middle is no concern of a test's.
		socket.on('error', () => socket.destroy());
		socket.on('close', () => this.sockets.delete(socket));
	}

	protected listen(): Promise<this> {
		return new Promise((resolve, reject) => {
			this.server.once('error', reject);
			this.server.listen(0, '127.0.0.1', () => resolve(this));
		});
	}

	async close(): Promise<void> {
		for (const socket of this.sockets) {
			socket.destroy();
		}
		await new Promise(resolve => {
			this.server.close(resolve);
		});
	}
}

export interface ProxyOptions {
	/** `name:password` that it wants to hear. */
	readonly credentials?: string;
	/** The status with which it refuses every tunnel. */
	readonly refuses?: number;
}

/** A proxy: `CONNECT` for TLS, requests with a whole URL for plain HTTP. It resolves names, as proxies do. */
export class ForwardProxy extends Listener<http.Server> {
	/** `host:port` of each tunnel it made. */
	readonly tunnels: string[] = [];
	/** `METHOD host:port` of each plain request it passed on. */
	readonly requests: string[] = [];
	/** How often it refused. */
	refusals = 0;

	static start(options: ProxyOptions = {}): Promise<ForwardProxy> {
		return new ForwardProxy(options).listen();
	}

	private constructor(private readonly options: ProxyOptions) {
		super(http.createServer());
		this.server.on('connect', (request, socket: net.Socket, head: Buffer) => this.tunnel(request, socket, head));
		this.server.on('request', (request, response) => this.pass(request, response));
	}

	/** The status with which a request is refused, if it is. */
	private refusal({ headers }: http.IncomingMessage): number | undefined {
		const { credentials, refuses } = this.options;
		const wanted = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
		const status = refuses ?? (wanted === headers['proxy-authorization'] ? undefined : 407);
		this.refusals += status === undefined ? 0 : 1;
		return status;
	}

	private tunnel(request: http.IncomingMessage, socket: net.Socket, head: Buffer): void {
		const status = this.refusal(request);
		if (status !== undefined) {
			socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
			return;
		}
		const target = request.url ?? '';
		this.tunnels.push(target);
		const onward = net.connect(Number(new URL(`tunnel://${target}`).port), behind, () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			onward.write(head);
			onward.pipe(socket).pipe(onward);
		});
		this.hold(onward);
		onward.on('close', () => socket.destroy());
		socket.on('close', () => onward.destroy());
	}

	private pass(request: http.IncomingMessage, response: http.ServerResponse): void {
		const status = this.refusal(request);
		if (status !== undefined) {
			response.writeHead(status).end();
			return;
		}
		const { host, port, pathname, search } = new URL(request.url ?? '');
		this.requests.push(`${request.method} ${host}`);
		relay(request, response, { host: behind, port, path: pathname + search });
	}
}

/** A front for a server of plain HTTP: counts connections and requests, and uses TLS if it has a certificate. */
export class Front extends Listener<http.Server> {
	/** Connections that were accepted, before any TLS. */
	connections = 0;
	/** Requests that were received. */
	requests = 0;

	/** @param port the server's */
	static start(port: number, tls?: { readonly key: Buffer; readonly cert: Buffer }): Promise<Front> {
		return new Front(port, tls ? https.createServer(tls) : http.createServer()).listen();
	}

	private constructor(port: number, server: http.Server) {
		super(server);
		server.on('connection', () => {
			this.connections++;
		});
		server.on('request', (request, response) => {
			this.requests++;
			relay(request, response, { host: behind, port });
		});
	}
}

function relay(request: http.IncomingMessage, response: http.ServerResponse, to: http.RequestOptions): void {
	const { method, headers, url } = request;
	const onward = http.request({ path: url, ...to, method, headers, agent: false }, answer => {
		response.writeHead(answer.statusCode ?? 502, answer.headers);
		answer.on('error', () => response.destroy());
		answer.pipe(response);
	});
	onward.on('error', () => response.destroy());
	response.on('close', () => onward.destroy());
	request.pipe(onward);
}

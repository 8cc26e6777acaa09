// Where the editor in the browser sends a page of this machine: code-server's own entry has a proxy for them, the VS
// Code server in it has none. The browser is on this machine as well, and can go there itself.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HostSession } from './session.js';

/** Redirects `/<port>/<path>` to that port. Resolves with the template of its URLs; closed with the session. */
export async function startPortRedirects(session: HostSession): Promise<string> {
	const server = createServer(({ url = '' }, response) => {
		const [, port, path = ''] = /^\/(\d+)(\/.*)?$/.exec(url) ?? [];
		response
			.writeHead(
				port === undefined ? 404 : 302,
				port === undefined ? {} : { location: `http://127.0.0.1:${port}${path}` },
			)
			.end();
	});
	await new Promise<void>(resolve => {
		server.listen(0, '127.0.0.1', resolve);
	});
	server.unref();
	session.onClose(() => void server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/{{port}}/`;
}

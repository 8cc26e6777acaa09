import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { describeError } from '../../../src/editor/l10n/messages.js';
import { HttpAbort } from '../../../src/mcp/index.js';
import { networkError } from '../../../src/mcp/transport/httpEndpoint.js';
import { createHttpFetch } from '../../../src/node/http/httpFetch.js';
import { ForwardProxy, Front, type ProxyOptions } from '../../support/proxy.js';
import { type Everything, startEverything } from '../everything.js';
import { activate, eventually, inState, workspaceFolder } from '../support.js';

/** Known to the proxy alone: no resolver knows a name that ends in `.test`. The editor asks no proxy for `localhost`. */
const host = 'mcp.test';
const uri = 'demo://resource/static/document/architecture.md';

/** What the extension asks for over HTTP goes where the person has told the editor to go, and trusts whom it trusts. */
describe('through a real proxy and a private CA set in the editor', function () {
	const http = vscode.workspace.getConfiguration('http');
	// The second is younger than the oldest editor; which way the authority is trusted is said in `test/host/suites.ts`.
	const certificateSettings = ['systemCertificates', 'systemCertificatesNode'].filter(it => http.has(it));
	let api: ExtensionApi;
	let everything: Everything;
	let plain: Front;
	let trusted: Front;
	let unknown: Front;
	const closing: { close(): Promise<void> }[] = [];

	before(async () => {
		api = await activate();
		everything = await startEverything('streamableHttp');
		plain = await Front.start(everything.port);
		trusted = await Front.start(everything.port, certificate('private'));
		unknown = await Front.start(everything.port, certificate('unknown'));
		const servers = {
			plain: { url: `http://${host}:${plain.port}/mcp` },
			trusted: { url: `https://${host}:${trusted.port}/mcp` },
			unknown: { url: `https://${host}:${unknown.port}/mcp` },
			local: { url: `https://localhost:${trusted.port}/mcp` },
		};
		const folder = path.join(workspaceFolder(), '.vscode');
		fs.mkdirSync(folder, { recursive: true });
		fs.writeFileSync(path.join(folder, 'mcp.json'), JSON.stringify({ servers }));
		await eventually('the servers', () => (api.servers().length === 4 ? true : undefined));
		for (const name of certificateSettings) {
			await set(name, process.env['NODE_EXTRA_CA_CERTS'] !== fixture('private-ca.crt'));
		}
	});

	afterEach(async () => {
		for (const { name } of api.servers()) {
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: name });
		}
		await Promise.all(closing.splice(0).map(it => it.close()));
	});

	after(async () => {
		for (const name of ['proxy', ...certificateSettings]) {
			await set(name, undefined);
		}
		await Promise.all([plain, trusted, unknown].map(it => it.close()));
		everything.child.kill('SIGKILL');
	});

	it('TLS: every connection of the server is a tunnel of the proxy', async () => {
		const proxy = await behindProxy();
		const { connections, requests } = trusted;
		await use('trusted');
		assert.deepEqual(new Set(proxy.tunnels), new Set([`${host}:${trusted.port}`]));
		// The editor's agent keeps no connection to a proxy (microsoft/vscode#228872): one tunnel a request, and no more.
		const tunnels = proxy.tunnels.length;
		assert.equal(trusted.connections - connections, tunnels, 'connections and tunnels');
		// Requests that were given up while the server was being stopped have tunnels, too.
		assert.ok(tunnels >= trusted.requests - requests);
		assert.deepEqual(proxy.requests, []);
	});

	it('plain HTTP: every request is one of the proxy', async () => {
		const proxy = await behindProxy();
		const { requests } = plain;
		await use('plain');
		assert.ok(proxy.requests.length > 3, `${proxy.requests.length} requests`);
		assert.deepEqual(new Set(proxy.requests.map(it => it.replace(/^\w+ /, ''))), new Set([`${host}:${plain.port}`]));
		assert.equal(plain.requests - requests, proxy.requests.length);
		assert.deepEqual(proxy.tunnels, []);
	});

	it('this machine itself is reached without the proxy, over connections that are kept', async () => {
		const proxy = await behindProxy();
		await use('local', async () => {
			// One after another: what a start asks for at once may need as many connections as it has requests.
			const { connections, requests } = trusted;
			for (let time = 0; time < 6; time++) {
				await read('local');
			}
			const made = trusted.connections - connections;
			const asked = trusted.requests - requests;
			assert.ok(asked >= 6 && made <= asked / 2, `${made} connections for ${asked} requests`);
		});
		assert.deepEqual([proxy.tunnels, proxy.requests], [[], []]);
	});

	it('a proxy that wants a name and a password hears those of the setting', async () => {
		const proxy = await behindProxy({ credentials: 'ann:secret' }, 'ann:secret@');
		await use('trusted');
		await use('plain');
		assert.equal(proxy.refusals, 0);
		assert.ok(proxy.tunnels.length > 0 && proxy.requests.length > 0);
	});

	it('an untrusted certificate authority: no request is sent, and the message says what to do', async () => {
		const proxy = await behindProxy();
		await fails('unknown');
		assert.ok(proxy.tunnels.length > 0);
		assert.equal(unknown.requests, 0);
		assert.match(
			await whyNot(`https://${host}:${unknown.port}/mcp`),
			/^The request failed: The server's certificate authority isn't trusted \(\w+\)\. Add it .* "http\.systemCertificates"\.$/,
		);
	});

	it('a proxy that requires a password or refuses the connection is not mistaken for the server', async () => {
		await behindProxy({ credentials: 'ann:secret' });
		await fails('trusted');
		assert.match(await whyNot(`https://${host}:${trusted.port}/mcp`), /: The proxy requires authentication .*407/);
		await fails('plain');
		// An answer that would pass for the server's.
		await behindProxy({ refuses: 202 });
		await fails('trusted');
		assert.match(await whyNot(`https://${host}:${trusted.port}/mcp`), /: The proxy refused the connection .*202/);
	});

	it('a proxy that is not there is named, and its password is not', async () => {
		const gone = await ForwardProxy.start();
		const { port } = gone;
		await gone.close();
		for (const url of [`https://${host}:${trusted.port}/mcp`, `http://${host}:${plain.port}/mcp`]) {
			await set('proxy', `http://ann:secret@127.0.0.1:${port}`);
			assert.equal(
				await whyNot(url),
				'The request failed: The proxy can\'t be reached (ECONNREFUSED). Check the setting "http.proxy".',
			);
		}
	});

	/** Starts a proxy and makes it the editor's; it ends with the test. */
	async function behindProxy(options?: ProxyOptions, credentials = ''): Promise<ForwardProxy> {
		const proxy = await ForwardProxy.start(options);
		closing.push(proxy);
		await set('proxy', `http://${credentials}127.0.0.1:${proxy.port}`);
		return proxy;
	}

	async function set(name: string, value: unknown): Promise<void> {
		await http.update(name, value, vscode.ConfigurationTarget.Global);
		await eventually(`http.${name}`, () => {
			const found = vscode.workspace.getConfiguration('http').inspect(name)?.globalValue;
			return found === value ? true : undefined;
		});
	}

	/** Connects, lists, opens a resource, and whatever `more` does. */
	async function use(name: string, more: () => Promise<void> = () => Promise.resolve()): Promise<void> {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: name });
		await inState(api, name, 'running');
		await eventually('its tools', () => api.servers().find(it => it.name === name)?.counts.tools);
		await read(name);
		await more();
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: name });
	}

	async function read(name: string): Promise<void> {
		await vscode.commands.executeCommand('mcpWorkbench.resource.open', { server: name, uri });
		assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /^# Everything Server/);
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	}

	async function fails(name: string): Promise<void> {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: name });
		await inState(api, name, 'failed');
	}

	/** The words for what the extension's HTTP port throws: by the same way as in the extension, to the same words. */
	async function whyNot(url: string): Promise<string> {
		const fetch = createHttpFetch();
		try {
			const { status } = await fetch({ method: 'POST', url, headers: {}, body: '{}', abort: new HttpAbort() });
			return `HTTP status ${status}`;
		} catch (error) {
			return describeError(networkError(error));
		} finally {
			fetch.dispose();
		}
	}
});

function certificate(name: string): { readonly key: Buffer; readonly cert: Buffer } {
	return { key: fs.readFileSync(fixture(`${name}.key`)), cert: fs.readFileSync(fixture(`${name}.crt`)) };
}

function fixture(name: string): string {
	return path.join(process.env['MCP_WORKBENCH_PROJECT'] ?? '', 'test', 'fixtures', 'tls', name);
}

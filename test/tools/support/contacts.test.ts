import * as assert from 'node:assert/strict';
import * as dgram from 'node:dgram';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import * as tls from 'node:tls';
import { Contacts } from '../../support/contacts.js';

describe('connections that are watched', () => {
	let contacts: Contacts;
	beforeEach(() => {
		contacts = new Contacts();
	});
	afterEach(() => contacts.dispose());

	/** Nothing listens at the port, which `fetch` doesn't refuse; what matters is that it was tried. */
	const port = 50_009;
	const failed = (it: NodeJS.EventEmitter): Promise<unknown> => once(it, 'error');
	const ways: Readonly<Record<string, () => Promise<unknown>>> = {
		fetch: () => fetch(`http://127.0.0.1:${port}/`).catch(() => undefined),
		http: () => failed(http.get({ host: '127.0.0.1', port })),
		https: () => failed(https.get({ host: '127.0.0.1', port })),
		'http with an agent': () =>
			failed(http.get({ host: '127.0.0.1', port, agent: new http.Agent({ keepAlive: true }) })),
		net: () => failed(net.connect(port, '127.0.0.1')),
		'net with options': () => failed(net.createConnection({ host: '127.0.0.1', port })),
		tls: () => failed(tls.connect({ host: '127.0.0.1', port })),
	};
	for (const [name, open] of Object.entries(ways)) {
		it(`are seen when they are opened by ${name}, and not what is no one’s`, async () => {
			await Contacts.uncounted(open);
			assert.deepEqual(contacts.seen, []);
			await open();
			assert.deepEqual([...new Set(contacts.seen)], [`127.0.0.1:${port}`]);
		});
	}

	it('are seen by name before it is looked up, on a path, and as datagrams', async () => {
		await failed(http.get({ host: 'nowhere.invalid', port }));
		await failed(net.connect('/no/such/socket'));
		const socket = dgram.createSocket('udp4');
		await new Promise(resolve => {
			socket.send('x', port, '127.0.0.1', resolve);
		});
		socket.close();
		assert.deepEqual(
			[...new Set(contacts.seen)],
			[`nowhere.invalid:${port}`, '/no/such/socket', `udp 127.0.0.1:${port}`],
		);
	});
});

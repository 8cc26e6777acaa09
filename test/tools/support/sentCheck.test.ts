import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../../host/paths.js';
import { SentCheck } from '../../support/sentCheck.js';

const jsonrpc = '2.0';
const clientInfo = { name: 'n', version: 'v' };

function initialize(protocolVersion = '2025-11-25', id = 1): object {
	return { jsonrpc, id, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } };
}

function agreed(protocolVersion: string, id = 1): object {
	return { jsonrpc, id, result: { protocolVersion, capabilities: {}, serverInfo: clientInfo } };
}

const _meta = {
	'io.modelcontextprotocol/protocolVersion': '2026-07-28',
	'io.modelcontextprotocol/clientCapabilities': {},
};
const discover = { jsonrpc, id: 1, method: 'server/discover', params: { _meta } };
const modernList = { jsonrpc, id: 2, method: 'tools/list', params: { _meta } };
const list = { jsonrpc, id: 2, method: 'tools/list', params: {} };
/** Fits 2025-11-25 alone. */
const listTasks = { jsonrpc, id: 3, method: 'tasks/list', params: {} };

// covers: schema.everyMessage
describe('SentCheck', () => {
	it('knows the revision that the server chose', () => {
		const check = new SentCheck();
		check.sent(initialize());
		check.received(agreed('2025-06-18'));
		check.sent(list);
		assert.throws(() => check.sent(listTasks), /knows no method tasks\/list/);
		check.sent(initialize('2025-11-25', 4));
		check.received(agreed('2025-11-25', 4));
		check.sent(listTasks);
		check.sent(initialize('2025-11-25', 5));
		check.received([agreed('2024-11-05', 5)]);
		assert.throws(() => check.sent(listTasks), /knows no method tasks\/list/);
	});

	it('before the answer, takes the revision that is offered', () => {
		const check = new SentCheck();
		assert.throws(() => check.sent(list), /before there was a revision/);
		check.sent(initialize('2025-03-26'));
		check.received({ jsonrpc, id: 's', method: 'ping' });
		check.sent({ jsonrpc, id: 's', result: {} });
		assert.throws(() => check.sent(listTasks), /Against the schema of 2025-03-26|knows no method/);
		// Another's answer is none of the handshake.
		check.received(agreed('2025-11-25', 9));
		assert.throws(() => check.sent(listTasks), /knows no method/);
		assert.throws(() => new SentCheck().sent(initialize('2026-07-28')), /knows no method initialize/);
	});

	it('knows the modern era by what its requests state', () => {
		const check = new SentCheck();
		check.sent(discover);
		check.sent(modernList);
		check.sent({ jsonrpc, method: 'notifications/cancelled', params: { requestId: 2 } });
		assert.throws(() => check.sent(list), /must have required property '_meta'/);
		assert.throws(() => check.sent({ jsonrpc, id: 's', result: {} }), /sends no responses/);
		assert.throws(() => new SentCheck().sent({ ...discover, params: {} }), /must have required property '_meta'/);
		new SentCheck().sent(modernList);
	});

	it('follows a probe that ends in the legacy era, and refuses a mixture', () => {
		const check = new SentCheck();
		check.sent(discover);
		check.received({ jsonrpc, id: 1, error: { code: -32601, message: 'm' } });
		check.sent(initialize('2025-11-25', 2));
		check.received(agreed('2025-11-25', 2));
		check.sent({ jsonrpc, method: 'notifications/initialized' });
		assert.throws(() => check.sent(modernList), /States 2026-07-28, agreed is 2025-11-25/);
		check.sent(discover);
		check.sent(modernList);
	});

	it('knows what an answer answers', () => {
		const check = new SentCheck('2025-11-25');
		check.received({ jsonrpc, id: 1, method: 'roots/list' });
		check.received({ jsonrpc, id: '1', method: 'ping' });
		check.sent({ jsonrpc, id: '1', result: {} });
		assert.throws(() => check.sent({ jsonrpc, id: 1, result: {} }), /must have required property 'roots'/);
	});

	it('is there wherever a test has our client speak', () => {
		const root = path.join(projectRoot, 'test');
		const files = fs
			.readdirSync(root, { recursive: true, encoding: 'utf8' })
			// The bench measures, beside clients that are not ours.
			.filter(it => it.endsWith('.ts') && !it.startsWith('bench'))
			.map(file => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }))
			.filter(({ text }) => /new (Client|Connection|Link|Server|ServerRegistry)\(/.test(text));
		assert.ok(files.length > 10, `${files.length} files`);
		const unchecked = files.filter(({ text }) => !/new (MemoryTransport|ModelFixture|SentCheck)\(/.test(text));
		assert.deepEqual(
			unchecked.map(it => it.file),
			[],
		);
	});
});

import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { logText } from '../../../src/editor/ui/plainText.js';
import { checkWireLog, checkWireLogs, type WireReport } from '../../support/wireLog.js';

const clientInfo = { name: 'n', version: 'v' };
const initialize = {
	jsonrpc: '2.0',
	id: 1,
	method: 'initialize',
	params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const handshake = [
	'Starting: node server.js',
	sent(initialize),
	received({
		jsonrpc: '2.0',
		id: 1,
		result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: clientInfo },
	}),
	sent(initialized),
];

function sent(message: object): string {
	return `[client → server] ${JSON.stringify(message)}`;
}

function received(message: object): string {
	return `[server → client] ${JSON.stringify(message)}`;
}

function call(name: unknown): object {
	return { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: {} } };
}

/** As the editor writes it. */
function log(...lines: string[]): string {
	return lines.map(it => `2026-07-28 10:00:00.123 [trace] ${logText(it)}\n`).join('');
}

function check(text: string): WireReport {
	const report: WireReport = { checked: 0, cut: 0, problems: [] };
	checkWireLog('a', text, report);
	return report;
}

// covers: schema.everyMessage
describe('checkWireLog', () => {
	it('finds every message that was sent, and nothing wrong with those that fit', () => {
		const text = log(...handshake, '[stderr] [client → server] {}', sent(call('t')), 'Stopped.');
		assert.deepEqual(check(text), { checked: 3, cut: 0, problems: [] });
		assert.deepEqual(check(text.replaceAll('\n', '\r\n')), { checked: 3, cut: 0, problems: [] });
		assert.deepEqual(check(''), { checked: 0, cut: 0, problems: [] });
	});

	it('notices a message that does not fit, and one that does not fit this revision', () => {
		const tasks = { jsonrpc: '2.0', id: 3, method: 'tasks/list', params: {} };
		const { checked, problems } = check(log(...handshake, sent(call(5)), sent(tasks), sent(call('t'))));
		assert.equal(checked, 5);
		assert.equal(problems.length, 2);
		assert.match(problems[0] ?? '', /^a: Against the schema of 2025-06-18: .*name must be string/);
		assert.match(problems[1] ?? '', /^a: The schema knows no method tasks\/list/);
	});

	it('reads what the log has spelled out, and counts what it has cut', () => {
		const odd = `a\u2028b\u0085c\u200Bd\u{E0001}\\u{200b}\\\u200B\n"\uFEFF`;
		assert.deepEqual(check(log(...handshake, sent(call(odd)))), { checked: 3, cut: 0, problems: [] });
		const long = sent(call('x'.repeat(30_000)));
		assert.deepEqual(check(log(...handshake, long)), { checked: 2, cut: 1, problems: [] });
		assert.equal(check(log(...handshake, '[client → server] {"a":')).problems.length, 1);
		assert.equal(check(log(...handshake, '[client → server] nothing')).problems.length, 1);
	});

	describe('in a folder', () => {
		let folder: string;
		beforeEach(() => {
			folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wire-'));
		});
		afterEach(() => fs.rmSync(folder, { recursive: true }));

		it('puts the parts of a channel together, and fails if one of them is wrong', () => {
			const below = path.join(folder, 'logs', 'exthost1');
			fs.mkdirSync(below, { recursive: true });
			fs.writeFileSync(path.join(below, 'MCP Workbench a.1.log'), log(...handshake));
			fs.writeFileSync(path.join(below, 'MCP Workbench a.log'), log(sent(call('t'))));
			fs.writeFileSync(path.join(below, 'other.log'), log(sent(call(5))));
			assert.deepEqual(checkWireLogs(folder), { checked: 3, cut: 0, problems: [] });
			fs.appendFileSync(path.join(below, 'MCP Workbench a.log'), log(sent(call(5))));
			assert.throws(() => checkWireLogs(folder), /1 messages do not fit their schema:\n.*MCP Workbench a: Against/);
		});
	});
});

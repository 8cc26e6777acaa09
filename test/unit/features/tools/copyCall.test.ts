/** Copying a call as a curl command: the headers of its revision, and no secrets. */
import * as assert from 'node:assert/strict';
import type { Server } from '../../../../src/core/servers/server.js';
import { Redactor } from '../../../../src/core/text/redactor.js';
import { curlCall } from '../../../../src/features/tools/copyCall.js';
import type { Tool } from '../../../../src/mcp/index.js';

describe('a call as a curl command', () => {
	const tool: Tool = {
		name: 'greet',
		inputSchema: {
			type: 'object',
			properties: {
				name: { type: 'string', 'x-mcp-header': 'Who' },
				secret: { type: 'string', format: 'password' },
			},
		},
	};
	const serverOf = (launch: object, protocolVersion: string): Server =>
		({ definition: { launch }, client: { session: { protocolVersion } } }) as unknown as Server;
	let redactor = new Redactor();
	beforeEach(() => {
		redactor = new Redactor();
	});
	const textOf = (launch: object, revision: string, args = {}, isSignedIn = false, name = tool.name): string => {
		const server = serverOf({ kind: 'http', headers: {}, ...launch }, revision);
		return curlCall(server, { ...tool, name }, args, isSignedIn, it => redactor.text(it)) ?? '';
	};
	const lines = (...call: Parameters<typeof textOf>): readonly string[] =>
		textOf(...call)
			.split(/ \\?\n\t?|\n/)
			.filter(Boolean);

	it('has the headers that a modern server reads, and the request', () => {
		const [curl, ...rest] = lines({ url: 'https://a.example/mcp' }, '2026-07-28', { name: "O'Neil $HOME ${x}" });
		assert.equal(curl, "curl 'https://a.example/mcp'");
		assert.deepEqual(rest.slice(0, -1), [
			"-H 'accept: application/json, text/event-stream'",
			"-H 'content-type: application/json'",
			String.raw`-H 'mcp-param-who: O'\''Neil $HOME ${'${x}'}'`,
			"-H 'mcp-protocol-version: 2026-07-28'",
			"-H 'mcp-method: tools/call'",
			"-H 'mcp-name: greet'",
		]);
		const body =
			rest
				.at(-1)
				?.replace(/^--data '|'$/g, '')
				.replaceAll(String.raw`'\''`, "'") ?? '';
		const { method, params } = JSON.parse(body) as { method: string; params: Readonly<Record<string, unknown>> };
		assert.deepEqual([method, params['arguments']], ['tools/call', { name: "O'Neil $HOME ${x}" }]);
		assert.equal((params['_meta'] as object)['io.modelcontextprotocol/protocolVersion' as never], '2026-07-28');
	});

	it('says for older revisions that a session may be needed', () => {
		const [note = '', ...rest] = lines({ url: 'https://a.example/mcp' }, '2025-11-25');
		assert.match(note, /^# .*initialize.*Mcp-Session-Id/);
		assert.ok(rest.includes("-H 'mcp-protocol-version: 2025-11-25'"));
		assert.equal(rest.join('\n').includes('_meta'), false);
	});

	it('has shell variables in place of secrets, and no text that a shell would run', () => {
		const launch = {
			url: 'https://u:p4ss@${input:host}/mcp?key=s3cr3t&$(id)=1',
			headers: { Authorization: 'Bearer s3cr3t', 'X-Api-Key': 's3cr3t', "a'$(id)": 'x' },
		};
		const text = lines(launch, '2026-07-28', { secret: 'hunter2' });
		assert.equal(/s3cr3t|p4ss|hunter2/.test(text.join('\n')), false);
		assert.equal(text[0], `curl 'https://'"$INPUT_HOST"'/mcp?key='"$KEY"'&$(id)='"$_ID_"''`);
		assert.ok(text.includes(`-H 'Authorization: Bearer '"$TOKEN"''`));
		assert.ok(text.includes(`-H 'X-Api-Key: '"$X_API_KEY"''`));
		assert.ok(text.includes(String.raw`-H 'a'\''$(id): '"$A_ID_"''`));
		assert.ok(
			lines({ url: 'https://a.example/mcp' }, '2026-07-28', {}, true).includes(`-H 'Authorization: Bearer '"$TOKEN"''`),
		);
	});

	it('stays quoted for any known secret', () => {
		// The quoted name of the tool, without the opening quotation mark.
		redactor.hideGiven([String.raw`\''AAAA`, 's3cr3t']);
		const text = textOf(
			{ url: 'https://a.example/s3cr3t' },
			'2025-11-25',
			{ at: 's3cr3t' },
			false,
			"x'AAAA/../tmp; id #",
		);
		assert.ok(text.includes(String.raw`"name":"x'\''AAAA/../tmp; id #"`), text);
		assert.equal(text.includes('s3cr3t'), false);
	});

	it('has no control character that a terminal treats as a key', () => {
		const text = textOf(
			{ url: 'https://a.example/?\u0003\nid\n' },
			'2026-07-28',
			{ at: '\u007f\u009b' },
			false,
			'x\u007f',
		);
		assert.equal(/\p{Cc}/u.test(text.replaceAll(' \\\n\t', '').trimEnd()), false, JSON.stringify(text));
		assert.match(text, /%03%0Aid%0A/);
		assert.match(text, /"name":"x\\u007f","arguments":\{"at":"\\u007f\\u009b"\}/);
	});

	it('is only available for running servers over Streamable HTTP', () => {
		assert.deepEqual(
			[lines({ kind: 'stdio' }, '2026-07-28'), lines({ kind: 'sse', url: 'x' }, '2025-11-25')],
			[[], []],
		);
		assert.deepEqual(lines({ url: 'https://a.example/mcp' }, ''), []);
	});
});

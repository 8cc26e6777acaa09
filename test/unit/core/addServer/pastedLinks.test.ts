// Links that install, addresses, and the JSON of other clients, with everything that is read from them.
import * as assert from 'node:assert/strict';
import {
	type FoundServer,
	parsePastedJson,
	parsePasted,
	type PasteProblem,
} from '../../../../src/core/addServer/pastedServer.js';
import type { ServerInput } from '../../../../src/core/config/serverInputs.js';
import { http, stdio } from '../../../support/pasted.js';

type Expected = readonly FoundServer[] | PasteProblem['code'];

function server(name: string | undefined, entry = stdio('x')): FoundServer[] {
	return [{ name, entry, leftOut: [] }];
}

function check(text: string, expected: Expected, inputs: readonly ServerInput[] = []): void {
	const pasted = parsePasted(text);
	if (typeof expected === 'string') {
		assert.equal(pasted.kind === 'problem' ? pasted.problem.code : pasted, expected);
	} else {
		assert.deepEqual(pasted, { kind: 'servers', servers: expected, inputs });
	}
}

function base64(value: object): string {
	return btoa(JSON.stringify(value));
}

/** A link to a link to … */
function links(count: number): string {
	let link = 'vscode:mcp/install?{"command":"x"}';
	for (let index = 0; index < count; index++) {
		link = `https://vscode.dev/redirect?url=${encodeURIComponent(link)}`;
	}
	return link;
}

const json = encodeURIComponent('{"command":"x"}');
const redirect = 'https://vscode.dev/redirect/mcp/install';
const cursor = 'cursor://anysphere.cursor-deeplink/mcp/install';
const page = (url: string): FoundServer[] => server(undefined, http(url));
const command = (line: string): FoundServer[] => {
	const [first = '', ...args] = line.split(' ');
	return server(undefined, stdio(first, args));
};

describe('a pasted link', () => {
	const table: readonly (readonly [text: string, expected: Expected])[] = [
		[`vscode:mcp/install?${json}`, server(undefined)],
		[`vscode:/mcp/install?${json}`, server(undefined)],
		[`vscode-insiders://mcp/install?${json}`, server(undefined)],
		['vscode:mcp/install?{"name": "a", "command": "x"}', server('a')],
		['vscode:mcp/install?', command('vscode:mcp/install?')],
		[`open vscode:mcp/install?${json}`, command(`open vscode:mcp/install?${json}`)],
		[`open ${links(1)}`, command(`open ${links(1)}`)],
		[links(3), server(undefined)],
		[links(4), page(links(4))],
		[`${redirect}?name=a&config=${json}`, server('a')],
		[`${redirect}?name=a%20b&config=${json}#c`, server('a b')],
		[`${redirect}?config=${json}`, server(undefined)],
		[`${redirect}?name=a`, page(`${redirect}?name=a`)],
		[`${redirect}?config=%7B%7D`, 'noServer'],
		[`${redirect}?config=%7B`, 'noServer'],
		['https://vscode.dev/redirect', page('https://vscode.dev/redirect')],
		['https://vscode.dev/other?config=x', page('https://vscode.dev/other?config=x')],
		[`${cursor}?name=a&config=${base64({ command: 'x' })}`, server('a')],
		[`https://www.cursor.com/install?config=${base64({ command: 'x' })}`, server(undefined)],
		[`${cursor}?config=${json}`, server(undefined)],
		[`open ${cursor}?config=${json}`, command(`open ${cursor}?config=${json}`)],
		[cursor, command(cursor)],
		['https://cursor.com/docs', page('https://cursor.com/docs')],
		['https://a.dev/mcp?config=x', page('https://a.dev/mcp?config=x')],
	];
	for (const [text, expected] of table) {
		it(text, () => check(text, expected));
	}

	it('may have digits of either base64', () => {
		const args = ['~~~', '???', '\u00ff\u00fe'];
		const bytes = new TextEncoder().encode(JSON.stringify({ command: 'x', args }));
		const config = btoa(String.fromCharCode(...bytes));
		assert.match(config, /\+.*\/|\/.*\+/);
		check(`${cursor}?config=${encodeURIComponent(config)}`, server(undefined, stdio('x', args)));
		check(`${cursor}?config=${config.replaceAll('+', '-').replaceAll('/', '_')}`, server(undefined, stdio('x', args)));
	});

	it('may describe its inputs', () => {
		const input = { id: 'a', type: 'promptString' };
		const inputs = encodeURIComponent(JSON.stringify([input, 'b']));
		check(`${redirect}?config=${json}&inputs=${inputs}`, server(undefined), [input]);
		check(`${redirect}?config=${json}&inputs=%5B`, server(undefined));
	});
});

describe('a pasted address', () => {
	const table: readonly (readonly [text: string, expected: Expected])[] = [
		...['https://a.dev/mcp.', 'https://a.dev/mcp,', 'https://a.dev/mcp;', 'https://a.dev/mcp)'].map(
			it => [it, page('https://a.dev/mcp')] as const,
		),
		['HTTPS://a.dev/mcp', page('HTTPS://a.dev/mcp')],
		['https://a.dev/?x=https://github.com/a', page('https://a.dev/?x=https://github.com/a')],
		['https://api.github.com/mcp', page('https://api.github.com/mcp')],
		...['github.com', 'www.npmjs.com', 'pypi.org', 'gitlab.com', 'hub.docker.com'].flatMap(it => [
			[`https://${it}/a`, 'url'] as const,
			[`http://${it}/a`, 'url'] as const,
		]),
		['https://a.dev -x', command('https://a.dev -x')],
		['xhttps://a.dev', command('xhttps://a.dev')],
	];
	for (const [text, expected] of table) {
		it(text, () => check(text, expected));
	}
});

describe('pasted JSON', () => {
	const table: readonly (readonly [text: string, expected: Expected])[] = [
		...['mcpServers', 'servers', 'mcp', 'mcp.servers', 'context_servers', 'amp.mcpServers'].map(
			it => [`{"${it}":{"a":{"command":"x"}}}`, server('a')] as const,
		),
		...['json', 'jsonc'].map(it => [`\`\`\`${it} {"a":{"command":"x"}}\`\`\``, server('a')] as const),
		['{"other":{"a":{"command":"x"}}}', 'noServer'],
		['{"command":"x","name":"a"}', server('a')],
		['{"command":"x","name":""}', server(undefined)],
		['{"command":"x","name":5}', server(undefined)],
		['{"servers":[{"command":"x","name":5},5,{}]}', server(undefined)],
		['{"servers":[5]}', 'noServer'],
		['"a" : { "command": "x" } // of mine', server('a')],
		['"a": { "command": "x" },\r\n', server('a')],
		['/* of mine */ {"a":{"command":"x"}}', server('a')],
		['"a": { "command": "x" },,', 'json'],
		['"a" "b"', command('a b')],
	];
	for (const [text, expected] of table) {
		it(text, () => check(text, expected));
	}

	it('may wrap its servers four times', () => {
		const wrapped = (count: number): string => `${'{"mcp":'.repeat(count)}{"a":{"command":"x"}}${'}'.repeat(count)}`;
		check(wrapped(4), server('a'));
		check(wrapped(5), 'noServer');
		check(wrapped(9), 'noServer');
	});

	it('may describe the inputs of one server', () => {
		const input = { id: 'a', type: 'promptString' };
		check(JSON.stringify({ command: 'x', inputs: [input] }), server(undefined), [input]);
		check(JSON.stringify({ servers: { a: { command: 'x' } }, inputs: [input] }), server('a'), [input]);
	});

	it('has no server where there is nothing', () => {
		assert.deepEqual(parsePastedJson(''), { kind: 'problem', problem: { code: 'noServer' } });
	});
});

import * as assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import { movableServers, moveServers, type ServerMove } from '../../../../src/core/config/moveServers.js';
import type { ConfigSource } from '../../../../src/core/config/serverDefinition.js';
import { serverNames } from '../../../../src/core/config/serverPlaces.js';

const source: ConfigSource = {
	kind: 'vscodeFolder',
	uri: 'file:///w/.vscode/mcp.json',
	folderUri: 'file:///w',
	folderName: 'w',
};

const from = `{
	// Mine.
	"inputs": [
		{ "id": "gh-token", "type": "promptString", "password": true }, // of gh
		{ "id": "place", "type": "promptString" },
		{ "id": "unused", "type": "promptString" }
	],
	"servers": {
		"gh": {
			"command": "x", // a comment
			"args": ["\${workspaceFolder}", "\${input:place}"],
			"env": { "T": "\${input:gh-token}", "H": "\${env:HOME}" },
			"envFile": "\${workspaceFolder}/.env",
			"dev": { "watch": "src" }
		},
		// Stays.
		"other": { "url": "https://\${input:place}" }
	}
}
`;
const gh = {
	command: 'x',
	args: ['${workspaceFolder}', '${PLACE}'],
	env: { T: '${GH_TOKEN}', H: '${HOME}' },
	envFile: '${workspaceFolder}/.env',
	dev: { watch: 'src' },
};
const token = { id: 'GH_TOKEN', type: 'promptString', password: true };
const place = { id: 'PLACE', type: 'promptString' };

function moves(...names: readonly (readonly [name: string, newName: string])[]): ServerMove[] {
	const all = movableServers(from, source);
	return names.map(([name, newName]) => {
		const server = all.find(it => it.name === name) ?? assert.fail(name);
		return { ...server, newName };
	});
}

/** Values of inputs that were entered, by id. */
const kept = new Map([['gh-token', 'mine']]);
const keptThere = new Map<string, string>();

function texts(
	to: string,
	...names: readonly (readonly [name: string, newName: string])[]
): [left: string, to: string] {
	const { edit, left } = moveServers(from, to, moves(...names), '\n', { from: kept, to: keptThere });
	assert.ok(edit.kind === 'edited', edit.kind);
	return [left, edit.text];
}

describe('servers that move to .mcp.json', () => {
	it('leave the inputs that other servers use, and their comments', () => {
		const [left, to] = texts('', ['gh', 'gh']);
		assert.equal(
			left,
			`{
	// Mine.
	"inputs": [
		{ "id": "place", "type": "promptString" },
		{ "id": "unused", "type": "promptString" }
	],
	"servers": {
		// Stays.
		"other": { "url": "https://\${input:place}" }
	}
}
`,
		);
		assert.deepEqual(JSON.parse(to), { inputs: [token, place], mcpServers: { gh } });
	});

	it('move with all their inputs', () => {
		const [left, to] = texts('{ "mcpServers": { "a": {} } }', ['gh', 'gh'], ['other', 'other']);
		const unused = { id: 'unused', type: 'promptString' };
		assert.deepEqual(parse(left), { inputs: [unused], servers: {} });
		assert.deepEqual(JSON.parse(to), {
			inputs: [token, place],
			mcpServers: { a: {}, gh, other: { url: 'https://${PLACE}' } },
		});
	});

	it('replace a server, or get another name', () => {
		const before = '{ "mcpServers": { "gh": { "command": "old" } } }';
		assert.deepEqual(JSON.parse(texts(before, ['gh', 'gh'])[1]).mcpServers, { gh });
		assert.deepEqual(JSON.parse(texts(before, ['gh', 'gh-2'])[1]).mcpServers, { gh: { command: 'old' }, 'gh-2': gh });
		assert.deepEqual(serverNames(before, 'projectRoot'), ['gh']);
	});

	it('share an input with others there unless it has another value, which goes to other hosts', () => {
		const others = { b: { url: 'https://b', headers: { T: '${GH_TOKEN}' } } };
		const before = JSON.stringify({ inputs: [token], mcpServers: others });
		const same = { inputs: [token, place], mcpServers: { ...others, gh } };
		assert.deepEqual(JSON.parse(texts(before, ['gh', 'gh'])[1]), same);
		keptThere.set('GH_TOKEN', 'mine');
		assert.deepEqual(JSON.parse(texts(before, ['gh', 'gh'])[1]), same);
		keptThere.set('GH_TOKEN', 'theirs');
		assert.deepEqual(JSON.parse(texts(before, ['gh', 'gh'])[1]), {
			inputs: [token, { ...token, id: 'GH_TOKEN_2' }, place],
			mcpServers: { ...others, gh: { ...gh, env: { ...gh.env, T: '${GH_TOKEN_2}' } } },
		});
		keptThere.clear();
	});

	it('do not move to a text with mistakes', () => {
		assert.equal(
			moveServers(from, '{ "mcpServers": ', moves(['gh', 'gh']), '\n', { from: kept, to: keptThere }).edit.kind,
			'refused',
		);
	});

	it('list the keys and variables that other clients do not read', () => {
		assert.deepEqual(
			movableServers(from, source).map(it => [it.name, ...it.unread]),
			[['gh', 'envFile', 'dev', '${workspaceFolder}'], ['other']],
		);
		assert.deepEqual(movableServers(`${from}}`, source), []);
	});
});

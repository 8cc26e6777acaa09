import * as assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
	changesOf,
	ConsentNeededError,
	type ConsentFacts,
	hashParts,
} from '../../../../src/core/launch/consentFacts.js';
import type { ConfigSource, InputDefinition, ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import { launchParts } from '../../../../src/core/launch/launchParts.js';
import { emptySnapshot, type LaunchSnapshot } from '../../../../src/core/launch/launchSnapshot.js';
import { parseServerConfig } from '../../../../src/core/config/serverConfig.js';

const source: ConfigSource = {
	kind: 'vscodeFolder',
	uri: 'file:///w/.vscode/mcp.json',
	folderUri: 'file:///w',
	folderName: 'w',
};

const stdio = {
	command: 'node',
	args: ['server.js', '${input:who}', '${config:my.port}'],
	cwd: 'sub',
	env: { TOKEN: 'sesame-open-4711', OLD: null },
	envFile: '.env',
};
const http = { type: 'http', url: 'https://a.dev/mcp', headers: { Authorization: 'Bearer sesame-open-4711' } };
const inputs = [
	{ id: 'who', type: 'promptString' },
	{ id: 'run', type: 'command', command: 'a.b', args: { of: 1 } },
	{ id: 'unused', type: 'promptString' },
];

function read(server: object, text?: string, inputList: readonly object[] = inputs): ServerDefinition {
	const { servers } = parseServerConfig(text ?? JSON.stringify({ servers: { s: server }, inputs: inputList }), source);
	return servers[0] ?? assert.fail('no server is read');
}

function facts(definition: ServerDefinition, more: Partial<LaunchSnapshot> = {}): Promise<ConsentFacts> {
	const variables = new Map([['config:my.port', '80']]);
	return hashParts(launchParts(definition, { ...emptySnapshot, variables, ...more }));
}

type Looks = readonly [before: Partial<LaunchSnapshot>, now: Partial<LaunchSnapshot>];

/** The changes between two servers, as a person sees them. */
async function changes(before: ServerDefinition, now: ServerDefinition, looks: Looks = [{}, {}]): Promise<string[]> {
	return changesOf(await facts(before, looks[0]), await facts(now, looks[1])).map(
		({ part, name, how }) => `${how} ${part}${name === undefined ? '' : ` ${name}`}`,
	);
}

const port = (text: string): Partial<LaunchSnapshot> => ({ variables: new Map([['config:my.port', text]]) });

describe('consent: an error', () => {
	it('has a name', () => assert.equal(new ConsentNeededError().name, 'ConsentNeededError'));
});

describe('consent: what is remembered', () => {
	const table: readonly (readonly [what: string, from: object, to: object, ...changes: string[]])[] = [
		['nothing', stdio, stdio],
		['command', stdio, { ...stdio, command: 'bun' }, 'changed command'],
		[
			'an argument',
			stdio,
			{ ...stdio, args: ['server.js', '${input:who}', '${config:my.port}', '-x'] },
			'changed args',
		],
		['order of arguments', stdio, { ...stdio, args: [...stdio.args].reverse() }, 'changed args'],
		['folder', stdio, { ...stdio, cwd: 'other' }, 'changed cwd'],
		['no folder', stdio, { ...stdio, cwd: undefined }, 'removed cwd'],
		['value of a variable', stdio, { ...stdio, env: { ...stdio.env, TOKEN: 'other' } }, 'changed env TOKEN'],
		['a variable more', stdio, { ...stdio, env: { ...stdio.env, 'A:B': 'x' } }, 'added env A:B'],
		['a variable less', stdio, { ...stdio, env: { OLD: null } }, 'removed env TOKEN'],
		['a variable set, not removed', stdio, { ...stdio, env: { ...stdio.env, OLD: '' } }, 'changed env OLD'],
		[
			'a variable with a strange name',
			stdio,
			{ ...stdio, env: JSON.parse('{"__proto__":"x","TOKEN":"sesame-open-4711","OLD":null}') as object },
			'added env __proto__',
		],
		['file of variables', stdio, { ...stdio, envFile: 'other.env' }, 'changed envFile'],
		['an input more', stdio, { ...stdio, command: '${input:run}' }, 'changed command', 'added input run'],
		['URL', http, { ...http, url: 'https://b.dev/mcp' }, 'changed url'],
		['transport', http, { ...http, type: 'sse' }, 'changed kind'],
		['value of a header', http, { ...http, headers: { Authorization: 'x' } }, 'changed headers Authorization'],
		['another header', http, { ...http, headers: { X: '1' } }, 'added headers X', 'removed headers Authorization'],
		[
			'a process for a URL',
			http,
			{ command: 'node' },
			'changed kind',
			'added command',
			'added program',
			'added args',
			'removed url',
			'removed headers Authorization',
		],
	];
	for (const [what, from, to, ...expected] of table) {
		it(`a change is noticed: ${what}`, async () => {
			assert.deepEqual(await changes(read(from), read(to)), expected);
		});
	}

	it('is kept as SHA-256 of canonical JSON', async () => {
		const kept = await facts(read({ command: 'node', args: ['b'] }));
		const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
		assert.deepEqual(kept, {
			kind: sha256('"stdio"'),
			command: sha256('"node"'),
			args: sha256('["b"]'),
			program: sha256('"unresolved"'),
		});
	});

	it('an undefined input is compared for the servers that use it', async () => {
		const server = { ...stdio, args: [...stdio.args, '${input:nobody}'] };
		assert.deepEqual(await changes(read(stdio), read(server)), ['changed args', 'added input nobody']);
	});

	it('the order of keys, and the place in the file, are no change', async () => {
		const { command, args, cwd, env, envFile } = stdio;
		const turned = { envFile, env: { OLD: env.OLD, TOKEN: env.TOKEN }, cwd, args, command, disabled: true };
		const moved = `// Moved.\n${JSON.stringify({ inputs: [...inputs].reverse(), servers: { s: turned } })}`;
		assert.deepEqual(await changes(read(stdio), read({}, moved)), []);
	});

	it('what an input is counts for the servers that use it, also deep in the arguments of a command', async () => {
		const server = { command: 'x', args: ['${input:run}'] };
		const other = (command: object): readonly object[] =>
			inputs.map(it => (it.id === 'run' ? { ...it, ...command } : it));
		assert.deepEqual(await changes(read(server), read(server, undefined, other({ command: 'evil' }))), [
			'changed input run',
		]);
		assert.deepEqual(await changes(read(server), read(server, undefined, other({ args: { of: 2 } }))), [
			'changed input run',
		]);
		assert.deepEqual(await changes(read(stdio), read(stdio, undefined, other({ command: 'evil' }))), []);
	});

	it('the settings that it names count, and no others', async () => {
		assert.deepEqual(await changes(read(stdio), read(stdio), [port('80'), port('81')]), ['changed config my.port']);
		assert.deepEqual(await changes(read(http), read(http), [port('80'), port('81')]), []);
	});

	it('no value is kept, not even of an input that looks like a value', async () => {
		const choice: InputDefinition = {
			id: 'who',
			kind: 'promptString',
			description: undefined,
			default: 'sesame-open-4711',
			password: false,
		};
		for (const definition of [read(stdio), read(http), { ...read(stdio), inputs: [choice] }]) {
			const kept = await facts(definition);
			assert.ok(!JSON.stringify(kept).includes('sesame'));
			Object.values(kept).forEach(it => assert.match(it, /^[0-9a-f]{64}$/));
		}
	});
});

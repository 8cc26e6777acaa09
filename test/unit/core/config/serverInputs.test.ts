import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ServerEntry } from '../../../../src/core/config/serverEntry.js';
import {
	suggestInputs,
	replaceWithInputs,
	renameInputs,
	usedInputs,
	withoutSecrets,
} from '../../../../src/core/config/serverInputs.js';

function env(values: Record<string, string>): ServerEntry {
	return { type: 'stdio', command: 'x', env: values };
}

function args(...values: string[]): ServerEntry {
	return { type: 'stdio', command: 'x', args: values };
}

/** `why key: text`, with `*` for a password. */
function wishes(entry: ServerEntry): string[] {
	return suggestInputs(entry).map(({ why, key, text, password }) => `${why} ${key}${password ? '*' : ''}: ${text}`);
}

describe('suggested inputs', () => {
	const placeholders = (
		'<YOUR_API_KEY>|your-token-here|YOUR_API_KEY|your_api_key_here|XXX|xxxx-xxxx|sk-xxxxxxxx|ghp_...|sk-...|' +
		'{{API_KEY}}|{API_KEY}|[API KEY]|insert-your-key|changeme|***|Your API key|<token>|' +
		'put your key here|fc-YOUR_API_KEY|${KEY:-none}|api_key_here'
	).split('|');
	for (const text of placeholders) {
		it(`a placeholder: ${text}`, () => {
			assert.deepEqual(wishes(env({ API_KEY: text })), [`placeholder API_KEY*: ${text}`]);
			assert.equal(wishes(env({ SOMETHING: text })).length, 1);
		});
	}

	const secrets: [key: string, text: string][] = [
		['GITHUB_TOKEN', 'abc'],
		['client_secret', 'hunter2'],
		['DB_PASSWORD', 'x'],
		['apiKey', 'short'],
		['PAT', 'abc'],
		['X', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
		['X', 'sk-proj-abcdefghijklmnop'],
		['X', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0'],
	];
	for (const [key, text] of secrets) {
		it(`a secret: ${key}=${text}`, () => assert.deepEqual(wishes(env({ [key]: text })), [`secret ${key}*: ${text}`]));
	}

	const harmless: [key: string, text: string][] = [
		['LOG', 'debug'],
		['MAX_TOKENS', '4000'],
		['API_KEY_FILE', '/run/secrets/key'],
		['TOKEN_URL', 'https://a.dev/token'],
		['TOKEN', '${env:TOKEN}'],
		['TOKEN', '${input:token}'],
		['TOKEN', ''],
		['AUTH', 'true'],
		['HOST', 'https://my-company.atlassian.net'],
		['PATH', '/usr/local/share/some-very-long/path/to/things/v2'],
		['NAME', 'a-rather-long-name-of-a-thing-2'],
		['ID', 'my-project'],
	];
	for (const [key, text] of harmless) {
		it(`nothing to hide: ${key}=${text}`, () => assert.deepEqual(wishes(env({ [key]: text })), []));
	}

	const elsewhere: [ServerEntry, ...string[]][] = [
		[args('--api-key', 'abc', '--port', '80'), 'secret api-key*: abc'],
		[args('--api-key=<KEY>'), 'placeholder api-key*: <KEY>'],
		[args('-e', 'TOKEN=abc'), 'secret TOKEN*: abc'],
		[args('--header', 'Authorization: Bearer abcdefgh'), 'secret Authorization*: abcdefgh'],
		[args('--root', '/path/to/<your folder>/x'), 'placeholder root: <your folder>'],
		[args('postgresql://me:pass@localhost/db'), 'secret password*: pass'],
		[args('https://a.dev/mcp?api_key=abc&x=1'), 'secret api_key*: abc'],
		[args('run', '--rm', 'C:\\x', 'a:b')],
		[args('XXXX'), 'placeholder : XXXX'],
		[args('--token', 'abc'), 'secret token*: abc'],
		[args('-token', 'abc'), 'secret token*: abc'],
		[args('--token', '--abc')],
		[args('--token=')],
		[args('--header', 'Authorization : Bearer abcdefgh'), 'secret Authorization*: abcdefgh'],
		[args('--url=https://a.dev/mcp?api_key=abc'), 'secret api_key*: abc'],
		[args('url: https://a.dev/mcp?api_key=abc'), 'secret api_key*: abc'],
		[args('-e', 'XXXX')],
		[args('--env', 'XXXX')],
		[args('-e', 'sk-xxxx'), 'placeholder e: sk-xxxx'],
		[args('https://a.dev/<tenant>/mcp'), 'placeholder tenant: <tenant>'],
		[args('https://a.dev/mcp?x=<tenant>'), 'placeholder x: <tenant>'],
		[args('https://me:<pass>@a.dev/'), 'placeholder password*: <pass>'],
		[args('https://a.dev:8080?mail=me@b.dev')],
		[args('https://me@a.dev:8080/x@y')],
		[{ type: 'stdio', command: 'x', env: { A: 5, B: null, C: 'XXXX' } }, 'placeholder C: XXXX'],
		[{ type: 'stdio', command: 'x', args: ['-e', 'A_TOKEN'] }],
		[{ type: 'stdio', command: '/usr/bin/podman', args: ['-e', 'A_TOKEN'] }, 'missing A_TOKEN*: '],
		[{ type: 'stdio', command: 'C:\\bin\\docker.exe', args: ['--env=A_B'] }, 'missing A_B: '],
		[{ type: 'stdio', command: 'docker', args: ['-e', 'A', '--env', 'A'] }, 'missing A: '],
		[
			{ type: 'http', url: 'https://a.dev/{tenant}/mcp?key=YOUR_KEY' },
			'placeholder tenant: {tenant}',
			'placeholder key*: YOUR_KEY',
		],
		[
			{
				type: 'http',
				url: 'https://a.dev/${input:x}/mcp',
				headers: { Authorization: 'Bearer <token>', 'X-Env': 'dev' },
			},
			'placeholder Authorization*: <token>',
		],
		[
			{
				type: 'stdio',
				command: 'docker',
				args: ['run', '-e', 'A_TOKEN', '--env', 'B', '-e', 'C=1', '-e', 'D'],
				env: { D: 'x' },
			},
			'missing A_TOKEN*: ',
			'missing B: ',
		],
	];
	for (const [entry, ...expected] of elsewhere) {
		it(`in ${JSON.stringify(entry)}`, () => assert.deepEqual(wishes(entry), expected));
	}
});

describe('replaceWithInputs', () => {
	it('puts inputs in the place of what was wished for, and nothing else', () => {
		const entry: ServerEntry = {
			type: 'http',
			url: 'https://a.dev/{tenant}/mcp?key=YOUR_KEY',
			headers: { Authorization: 'Bearer abcdefgh' },
		};
		const granted = replaceWithInputs(entry, 'My Server', suggestInputs(entry), new Set(['tenant']));
		assert.deepEqual(granted, {
			entry: {
				type: 'http',
				url: 'https://a.dev/${input:tenant-2}/mcp?key=${input:my-server-key}',
				headers: { Authorization: 'Bearer ${input:my-server-authorization}' },
			},
			inputs: [
				{ id: 'tenant-2', type: 'promptString', description: 'tenant (My Server)' },
				{ id: 'my-server-key', type: 'promptString', description: 'key (My Server)', password: true },
				{
					id: 'my-server-authorization',
					type: 'promptString',
					description: 'Authorization (My Server)',
					password: true,
				},
			],
			// A placeholder is no answer.
			answers: new Map([['my-server-authorization', 'abcdefgh']]),
		});
		assert.equal(entry.url, 'https://a.dev/{tenant}/mcp?key=YOUR_KEY', 'the entry itself stays');
	});

	it('hands on a variable that docker expects, and takes a default along', () => {
		const docker: ServerEntry = { type: 'stdio', command: 'docker', args: ['run', '-e', 'A_TOKEN', 'i'] };
		assert.deepEqual(replaceWithInputs(docker, 'i', suggestInputs(docker), new Set()).entry, {
			...docker,
			env: { A_TOKEN: '${input:a-token}' },
		});
		const fallback = env({ MODE: '${MODE:-fast}' });
		assert.deepEqual(replaceWithInputs(fallback, 'x', suggestInputs(fallback), new Set()).inputs, [
			{ id: 'mode', type: 'promptString', description: 'MODE (x)', default: 'fast' },
		]);
	});

	/** All of what it may ask for is asked for. */
	const asking = (entry: ServerEntry, name = 'x'): ReturnType<typeof replaceWithInputs> =>
		replaceWithInputs(entry, name, suggestInputs(entry), new Set());
	const idsOf = (entry: ServerEntry, name?: string): string[] => asking(entry, name).inputs.map(it => it.id);

	it('gives each input an id of its own', () => {
		assert.deepEqual(idsOf(env({ NAME_2: 'XXXX', NAME: 'XXXX', name: 'XXXX', __NAME: 'XXXX' })), [
			'name-2',
			'name',
			'name-3',
			'name-4',
		]);
		const keys = ['_MY_KEY_', 'A'.repeat(70), `${'-'.repeat(300)}A`, 'api-key', 'x-api-key', 'token', 'my-token'];
		assert.deepEqual(idsOf(env(Object.fromEntries(keys.map(it => [it, 'XXXX']))), 'My Server'), [
			'my-key',
			'a'.repeat(60),
			'my-server',
			'my-server-api-key',
			'my-server-x-api-key',
			'my-server-token',
			'my-token',
		]);
		assert.deepEqual(idsOf(args('XXXX'), '!'), ['input']);
	});

	it('says what each input is, and what it was without', () => {
		assert.deepEqual(asking(args('XXXX')).inputs, [{ id: 'x', type: 'promptString', description: 'x' }]);
		assert.deepEqual(asking(env({ A: '${B:-c}', D: 'your ${B:-c}', E: '${B:-c} yours' })).inputs, [
			{ id: 'a', type: 'promptString', description: 'A (x)', default: 'c' },
			{ id: 'd', type: 'promptString', description: 'D (x)' },
			{ id: 'e', type: 'promptString', description: 'E (x)' },
		]);
	});

	it('puts inputs where their texts stood, in any order, and one in the place of what overlaps', () => {
		assert.deepEqual(
			asking(args('https://<user>:pass@a.dev/')).entry,
			args('https://${input:user}:${input:x-password}@a.dev/'),
		);
		assert.deepEqual(asking(args('https://me:<pass>@a.dev/')).entry, args('https://me:${input:x-password}@a.dev/'));
	});

	it('hides secrets alone', () => {
		assert.deepEqual(
			withoutSecrets(env({ A: '<key>', B_TOKEN: 'abc', C: 'd' })),
			env({ A: '<key>', B_TOKEN: '•••', C: 'd' }),
		);
	});

	it('gives inputs other names', () => {
		const entry = args('${input:a}', '${input:b}${input:a}', '${env:a}');
		assert.deepEqual(usedInputs(entry), ['a', 'b']);
		assert.deepEqual(
			renameInputs(entry, new Map([['a', 'c']])),
			args('${input:c}', '${input:b}${input:c}', '${env:a}'),
		);
	});

	it('leaves no wish, and no secret to be seen', () => {
		const key = fc.constantFrom('TOKEN', '__proto__', 'x', 'password');
		const value = fc.oneof(
			fc.string(),
			fc.constantFrom('<KEY>', 'Bearer abcdefgh', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'),
		);
		fc.assert(
			fc.property(fc.array(fc.tuple(key, value)), fc.array(value), (variables, words) => {
				const entry: ServerEntry = { type: 'stdio', command: 'x', args: words, env: Object.fromEntries(variables) };
				const found = suggestInputs(entry);
				const granted = replaceWithInputs(entry, 'x', found, new Set());
				assert.deepEqual(
					suggestInputs(granted.entry).filter(it => !it.text.includes('<')),
					[],
				);
				assert.equal(
					usedInputs(granted.entry).filter(it => granted.inputs.some(({ id }) => id === it)).length,
					found.length,
				);
				assert.ok(!JSON.stringify(withoutSecrets(entry)).includes('16C7e42F292c6912'));
			}),
		);
	});
});

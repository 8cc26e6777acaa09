import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { checkServerName, nameOf, uniqueName } from '../../../../src/core/addServer/serverName.js';

describe('names of servers', () => {
	it('are checked', () => {
		const taken = new Set(['a']);
		const table = [
			['b', undefined],
			['My Server/1', undefined],
			['', 'empty'],
			['  ', 'empty'],
			['a', 'taken'],
			[' b', 'unprintable'],
			['a\nb', 'unprintable'],
			['a\u202Eb', 'unprintable'],
			['a\u200Db', 'unprintable'],
			['a\u200C', 'unprintable'],
			['\u{1F469}\u200D\u{1F52C}', undefined],
			['\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645', undefined],
			['b ', 'unprintable'],
			['x'.repeat(100), undefined],
			['x'.repeat(101), 'tooLong'],
		] as const;
		for (const [name, problem] of table) {
			assert.equal(checkServerName(name, taken), problem, name);
		}
	});

	it('are kept as far as a name may be so', () => {
		const table = [
			['a', 'a'],
			['', 'server'],
			['\u200D', 'server'],
			[' a\n\tb ', 'a b'],
			['\u{1F600}a', '\u{1F600}a'],
			[' '.repeat(20) + 'x'.repeat(91), 'x'.repeat(90)],
			// What a cut leaves of a character, of an emoji, and of blanks.
			[`${'x'.repeat(89)}\u{1F600}`, 'x'.repeat(89)],
			[`${'x'.repeat(86)}\u{1F469}\u200D\u{1F52C}`, `${'x'.repeat(86)}\u{1F469}`],
			[`${'x'.repeat(89)} y`, 'x'.repeat(89)],
			[`${' '.repeat(999)}a`, 'a'],
			[`${' '.repeat(1000)}a`, 'server'],
		] as const;
		for (const [name, kept] of table) {
			assert.equal(uniqueName(name, new Set()), kept, JSON.stringify(name));
		}
		assert.equal(uniqueName('a', new Set(['a'])), 'a-2');
	});

	it('are made unique and valid, whatever they were made from', () => {
		assert.equal(uniqueName('a', new Set(['a', 'a-2'])), 'a-3');
		assert.equal(uniqueName('a\u200Db \u{1F469}\u200D\u{1F52C}', new Set()), 'a b \u{1F469}\u200D\u{1F52C}');
		const joined = fc.constantFrom('\u200D', '\u{1F469}', '\u{1F3FD}', '\u0628', 'a');
		const anyName = fc.oneof(
			fc.string({ unit: 'binary', maxLength: 200 }),
			fc.string({ unit: joined, minLength: 40, maxLength: 90 }),
		);
		fc.assert(
			fc.property(anyName, fc.array(fc.string()), (name, others) => {
				const taken = new Set([...others, name]);
				assert.equal(checkServerName(uniqueName(name, taken), taken), undefined);
				const own = nameOf({ type: 'stdio', command: name, args: others });
				assert.equal(checkServerName(own, new Set()), undefined);
			}),
		);
	});
});

describe('the name of a server that', () => {
	/** Words of command lines, with the name that comes of them. */
	const commands: readonly (readonly [line: string, name: string])[] = [
		// Packages.
		['npx -y @scope/thing@1.2.3', 'thing'],
		['npx -y @scope/mcp@latest', 'scope'],
		['npx mcp', 'mcp'],
		['uvx thing[cli]~=1', 'thing'],
		['npx My!!Thing', 'my-thing'],
		[`npx ${'x'.repeat(70)}`, 'x'.repeat(60)],
		['npx github:org/thing-mcp', 'thing'],
		['uvx git+https://github.com/org/thing.git@main', 'thing'],
		// Programs that run packages, and options before them.
		['uv --quiet run thing-mcp other', 'thing'],
		['npx --package value thing-mcp', 'thing'],
		['npx', 'npx'],
		['C:\\bin\\npx.CMD thing', 'thing'],
		['uv run mcp run ./echo.py', 'echo'],
		['uv run python -m thing_mcp.server', 'thing'],
		['npx tsx src/thing.ts', 'thing'],
		// What leads to a URL.
		['npx mcp-remote https://mcp.thing.dev/mcp', 'thing'],
		['npx mcp-remote', 'remote'],
		// Modules and files.
		['python3.12 -x thing.py', 'thing'],
		['python -m', 'server'],
		['python -m thing.__main__', 'thing'],
		['node /home/me/thing-mcp/dist/index.js', 'thing'],
		['node ${workspaceFolder}/build/index.js', 'server'],
		['node C:\\index.js', 'server'],
		['dotnet run a/App.csproj', 'a'],
		['uv --directory /path/to/thing run server.py', 'thing'],
		['uv --directory /path/to/thing run /other/server.py', 'other'],
		['/opt/thing-mcp/bin/server', 'thing'],
		['C:\\tools\\thing-mcp.exe --x', 'thing'],
		// Images.
		['docker run -i --rm -e value thing-mcp sh', 'thing'],
		['docker run ghcr.io/acme/mcp-server:1.2', 'acme'],
		['docker run registry:5000/acme/thing:1', 'thing'],
		['docker run thing:1@sha256:0123', 'thing'],
		// Programs before programs.
		['cmd /c npx thing', 'thing'],
		['env -i A=1 npx thing', 'thing'],
	];
	for (const [line, name] of commands) {
		it(`is started by ${line}`, () => {
			const [command = '', ...args] = line.split(' ');
			assert.equal(nameOf({ type: 'stdio', command, args }), name);
		});
	}

	const urls: readonly (readonly [url: string, name: string])[] = [
		['https://mcp.thing.dev/mcp', 'thing'],
		['https://user:word@mcp.thing.dev?x=1', 'thing'],
		['http://localhost', 'localhost'],
		['http://localhost:3000/sse', 'localhost-3000'],
		['http://user:word@localhost:3000/sse', 'localhost-3000'],
		['unix:///run/x?http://a.thing.dev', 'server'],
		['http://127.0.0.1:80#x', '127.0.0.1-80'],
		['http://[::1]:3000/mcp', '1-3000'],
		['https://intranet/mcp', 'intranet'],
		['https://mcp.dev:8080', 'mcp'],
		['https://1thing.dev', '1thing'],
		['https://thing.v2', 'thing'],
		['https://a.mcp-thing.dev', 'thing'],
		['https://thing.co.uk', 'thing'],
		['https://github.com/x', 'github'],
		['https://a.xfly.dev', 'xfly'],
		['https://a.flying.dev', 'flying'],
		...'workers vercel herokuapp run azurewebsites onrender netlify fly pages github ngrok-free railway ts'
			.split(' ')
			.map(it => [`https://thing.${it}.dev`, 'thing'] as const),
		['https://thing.me.workers.dev', 'me'],
		['unix:/run/thing', 'server'],
		['', 'server'],
	];
	for (const [url, name] of urls) {
		it(`is at ${url}`, () => assert.equal(nameOf({ type: 'http', url }), name));
	}

	it('has a telling folder', () => {
		const inFolder = (cwd?: string): string =>
			nameOf({ type: 'stdio', command: 'node', args: ['index.js'], ...(cwd !== undefined && { cwd }) });
		assert.deepEqual(['/home/me/thing-mcp/', '${workspaceFolder}', undefined].map(inFolder), [
			'thing',
			'server',
			'server',
		]);
		assert.equal(inFolder(`/a${'/'.repeat(1000)}thing`), 'a');
		assert.equal(nameOf({ type: 'stdio', command: 'docker' }), 'docker');
	});

	it('has very long texts is made of their beginnings', () => {
		const slashes = '/'.repeat(1000);
		assert.equal(nameOf({ type: 'stdio', command: `/a${slashes}thing` }), 'a');
		assert.equal(nameOf({ type: 'stdio', command: 'node', args: [`/a${slashes}thing`] }), 'a');
		assert.equal(nameOf({ type: 'http', url: `https://${'a.'.repeat(496)}thing.dev` }), 'a');
		const options = (count: number): string[] => [...Array.from({ length: count }, () => '-y'), 'thing'];
		assert.deepEqual(
			[99, 100].map(it => nameOf({ type: 'stdio', command: 'npx', args: options(it) })),
			['thing', 'npx'],
		);
	});
});

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

	it('keep all characters that a name may have', () => {
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
		['npx -y @mcp/server', 'server'],
		['npx -y thing-server==1.0', 'thing'],
		['uvx thing[cli]~=1', 'thing'],
		['uvx mcp_server_thing', 'thing'],
		['npx My!!Thing', 'my-thing'],
		[`npx ${'x'.repeat(70)}`, 'x'.repeat(60)],
		['npx github:org/thing-mcp', 'thing'],
		['uvx git+https://github.com/org/thing.git@main', 'thing'],
		['npx', 'server'],
		['npx -y --package=@a/b thing-mcp', 'thing'],
		['uvx --from git+https://a.dev/x thing', 'thing'],
		['pnpm dlx thing-mcp other', 'thing'],
		['uv run --with mcp[cli] mcp run ./echo.py', 'echo'],
		['C:\\bin\\npx.CMD thing', 'thing'],
		['cmd /c npx thing', 'thing'],
		['env -i A=1 npx thing', 'thing'],
		// A URL behind a program that connects to it.
		['npx mcp-remote https://mcp.thing.dev/mcp', 'thing'],
		['npx mcp-remote', 'server'],
		// Modules and files.
		['node -x thing.js', 'thing'],
		['python -m thing_mcp', 'thing'],
		['node /home/me/thing-mcp/dist/index.js', 'thing'],
		['node C:\\a\\thing-mcp\\dist\\index.js', 'thing'],
		['node ${workspaceFolder}/build/index.js', 'server'],
		['dotnet run thing/App.csproj', 'thing'],
		['uv --directory /path/to/thing run server.py', 'thing'],
		['/opt/thing-mcp/bin/server', 'thing'],
		['C:\\tools\\thing-mcp.exe --x', 'thing'],
		// Images.
		['docker run -i --rm -e KEY -v a:/b ghcr.io/acme/thing-mcp:1.2 sh', 'thing'],
		['docker run ghcr.io/acme/mcp-server:1.2', 'acme'],
		['docker run thing:1@sha256:0123', 'thing'],
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
		['https://api.thing.com/mcp', 'thing'],
		['https://thing.me.workers.dev', 'thing'],
		['https://thing.co.uk', 'thing'],
		['http://localhost', 'localhost'],
		['http://user:word@localhost:3000/sse', 'localhost-3000'],
		['http://127.0.0.1:80#x', '127-0-0-1-80'],
		['http://[::1]:3000/mcp', '1-3000'],
		['https://intranet/mcp', 'intranet'],
		['unix:///run/x', 'server'],
		['', 'server'],
	];
	for (const [url, name] of urls) {
		it(`is at ${url}`, () => assert.equal(nameOf({ type: 'http', url }), name));
	}

	it('has a telling folder', () => {
		const inFolder = (cwd: string): string => nameOf({ type: 'stdio', command: 'node', args: ['index.js'], cwd });
		assert.deepEqual(['/home/me/thing-mcp/', '${workspaceFolder}'].map(inFolder), ['thing', 'server']);
	});
});

// Command lines as READMEs have them.
import * as assert from 'node:assert/strict';
import { type Row, found, stdio } from '../../../support/pasted.js';

describe('parsePasted', () => {
	describe('command lines', () => {
		const table: Row[] = [
			[
				'npx -y @modelcontextprotocol/server-filesystem /tmp',
				'filesystem',
				stdio('npx', ['-y', '@modelcontextprotocol/server-filesystem', '/tmp']),
			],
			['$ npx @playwright/mcp@latest', 'playwright', stdio('npx', ['@playwright/mcp@latest'])],
			['```bash\nnpx -y @upstash/context7-mcp\n```', 'context7', stdio('npx', ['-y', '@upstash/context7-mcp'])],
			[
				'env FIRECRAWL_API_KEY=fc-YOUR_API_KEY npx -y firecrawl-mcp',
				'firecrawl',
				stdio('npx', ['-y', 'firecrawl-mcp'], { env: { FIRECRAWL_API_KEY: 'fc-YOUR_API_KEY' } }),
			],
			[
				'npx -y mcp-remote https://mcp.linear.app/sse',
				'linear',
				stdio('npx', ['-y', 'mcp-remote', 'https://mcp.linear.app/sse']),
			],
			[
				'uvx mcp-server-git --repository path/to/repo',
				'git',
				stdio('uvx', ['mcp-server-git', '--repository', 'path/to/repo']),
			],
			[
				'uvx --from git+https://github.com/oraios/serena serena start-mcp-server',
				'serena',
				stdio('uvx', ['--from', 'git+https://github.com/oraios/serena', 'serena', 'start-mcp-server']),
			],
			[
				'uv --directory /path/to/weather run server.py',
				'weather',
				stdio('uv', ['--directory', '/path/to/weather', 'run', 'server.py']),
			],
			['python -m mcp_server_fetch', 'fetch', stdio('python', ['-m', 'mcp_server_fetch'])],
			['docker run -i --rm -e KEY image', 'image', stdio('docker', ['run', '-i', '--rm', '-e', 'KEY', 'image'])],
			[
				'docker run -i --rm -v $(pwd):/work -e TOKEN=$TOKEN ghcr.io/org/thing-mcp:1.2',
				'thing',
				stdio('docker', [
					'run',
					'-i',
					'--rm',
					'-v',
					'${workspaceFolder}:/work',
					'-e',
					'TOKEN=${env:TOKEN}',
					'ghcr.io/org/thing-mcp:1.2',
				]),
			],
			['KEY=value node server.js', 'server', stdio('node', ['server.js'], { env: { KEY: 'value' } })],
			[
				'node C:\\Users\\me\\My-Server\\dist\\index.js',
				'my',
				stdio('node', ['C:\\Users\\me\\My-Server\\dist\\index.js']),
			],
			[
				'"C:\\Program Files\\nodejs\\npx.cmd" -y @scope/pkg',
				'pkg',
				stdio('C:\\Program Files\\nodejs\\npx.cmd', ['-y', '@scope/pkg']),
			],
			[
				'set API_KEY=abc&& npx -y thing-mcp --root %USERPROFILE%',
				'thing',
				stdio('npx', ['-y', 'thing-mcp', '--root', '${env:USERPROFILE}'], { env: { API_KEY: 'abc' } }),
			],
			[
				'$env:API_KEY = "abc"; npx -y thing-mcp',
				'thing',
				stdio('npx', ['-y', 'thing-mcp'], { env: { API_KEY: 'abc' } }),
			],
			// As an input box takes it: blanks instead of line breaks.
			[
				'docker run -i --rm \\   -e KEY \\   mcp/slack',
				'slack',
				stdio('docker', ['run', '-i', '--rm', '-e', 'KEY', 'mcp/slack']),
			],
			['npx -y thing-mcp ^\r\n  --port 1', 'thing', stdio('npx', ['-y', 'thing-mcp', '--port', '1'])],
			['cd my-server && uv run main.py', 'my', stdio('uv', ['run', 'main.py'], { cwd: 'my-server' })],
			[
				'npx -y thing-mcp --api-key <YOUR_API_KEY>',
				'thing',
				stdio('npx', ['-y', 'thing-mcp', '--api-key', '<YOUR_API_KEY>']),
			],
			[
				"npx -y thing-mcp '$HOME' \"$HOME/a\" ~/b It\\'s",
				'thing',
				stdio('npx', ['-y', 'thing-mcp', '$HOME', '${env:HOME}/a', '${userHome}/b', "It's"]),
			],
			[
				'npx -y thing-mcp ${workspaceFolder} ${input:key} # starts it',
				'thing',
				stdio('npx', ['-y', 'thing-mcp', '${workspaceFolder}', '${input:key}']),
			],
		];
		for (const [pasted, name, entry] of table) {
			it(JSON.stringify(pasted), () => assert.deepEqual(found(pasted), [[name, entry]]));
		}
	});
});

// A guarded server on loopback, and a person with a browser that does as it is told.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as path from 'node:path';
import { createInterface, type Interface } from 'node:readline';

/** `test/fixtures/servers/guarded.mjs`, or another that grants wishes. */
export class Guarded {
	private constructor(
		private readonly child: ChildProcess,
		private readonly lines: Interface,
		readonly url: string,
		readonly issuer: string,
	) {}

	static async start(project = process.env['MCP_WORKBENCH_PROJECT'] ?? '', name = 'guarded.mjs'): Promise<Guarded> {
		const script = path.join(project, 'test', 'fixtures', 'servers', name);
		const child = spawn('node', [script], { stdio: ['pipe', 'pipe', 'ignore'] });
		const lines = createInterface({ input: child.stdout });
		const { url, issuer } = await answer<{ url: string; issuer: string }>(lines);
		return new Guarded(child, lines, url, issuer);
	}

	async wish<T>(wish: string, value?: unknown): Promise<T> {
		const answered = answer<{ result: T; error?: string }>(this.lines);
		this.child.stdin?.write(`${JSON.stringify({ wish, value })}\n`);
		const { result, error } = await answered;
		if (error !== undefined) {
			throw new Error(error);
		}
		return result;
	}

	async stop(): Promise<void> {
		const ended = once(this.child, 'exit');
		this.child.stdin?.end();
		await ended;
		this.lines.close();
	}
}

async function answer<T>(lines: Interface): Promise<T> {
	for (;;) {
		const [line] = (await once(lines, 'line')) as [string];
		// The library says what a demo should not be used for.
		if (line.startsWith('{')) {
			return JSON.parse(line) as T;
		}
	}
}

/**
 * Opens a page as a browser with cookies does, and answers the form on it.
 * @returns the text of the last page
 */
export async function browse(address: string, choice: 'allow' | 'refuse' = 'allow'): Promise<string> {
	const cookies = new Map<string, string>();
	let url = address;
	let form: string | undefined;
	for (let hops = 0; hops < 20; hops++) {
		const response: Response = await fetch(url, {
			method: form === undefined ? 'GET' : 'POST',
			redirect: 'manual',
			headers: {
				cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; '),
				...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
			},
			...(form !== undefined && { body: form }),
		});
		form = undefined;
		for (const cookie of response.headers.getSetCookie()) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
			cookies.set(name, value);
		}
		const location = response.headers.get('location');
		const text = await response.text();
		if (location !== null) {
			url = new URL(location, url).href;
		} else if (text.includes('name="answer"')) {
			form = `name=Ada&answer=${choice}`;
		} else {
			return text;
		}
	}
	throw new Error('The browser goes in circles.');
}

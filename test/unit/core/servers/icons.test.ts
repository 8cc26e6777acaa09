import * as assert from 'node:assert/strict';
import { HttpAbort, type HttpFetch, type HttpRequest, type Icon } from '../../../../src/mcp/index.js';
import { IconLoader, type ServerIcon } from '../../../../src/core/servers/iconLoader.js';
import { chooseIcon, maxIconBytes } from '../../../../src/core/servers/icons.js';
import { readImage } from '../../../../src/core/servers/imageBytes.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { definition, ModelFixture, TestLog, untilState } from '../../../support/modelFixture.js';
import { Server } from '../../../../src/core/servers/server.js';
import { until } from '../../../support/waiting.js';

/** A chunk of a PNG with a checksum that isn't checked. */
function chunk(type: string, data: Buffer): Buffer {
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
}

function png(side = 32, ...others: Buffer[]): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(side, 0);
	header.writeUInt32BE(side, 4);
	const signature = Buffer.from('89504e470d0a1a0a', 'hex');
	return Buffer.concat([signature, chunk('IHDR', header), ...others, chunk('IDAT', Buffer.alloc(8, side % 256))]);
}

const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc4000500000affc0000b080010002001011100', 'hex');

function webp(kind: string, rest: string): Buffer {
	return Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`, 'latin1'), Buffer.from(rest, 'hex')]);
}

const lossy = webp('VP8 ', '0000009d012a20001000');
const lossless = webp('VP8L', '2f1fc003000000');
const extended = webp('VP8X', '000000001f00000f0000');
const moving = webp('VP8X', '020000001f00000f0000');

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

const data = (bytes: Buffer, type = 'image/png'): string => `data:${type};base64,${bytes.toString('base64')}`;

describe('readImage', () => {
	const table: readonly (readonly [name: string, bytes: Buffer, expected: unknown])[] = [
		['PNG', png(48), { type: 'image/png', width: 48, height: 48, isAnimated: false }],
		[
			'animated PNG',
			png(48, chunk('acTL', Buffer.alloc(8))),
			{ type: 'image/png', width: 48, height: 48, isAnimated: true },
		],
		['JPEG', jpeg, { type: 'image/jpeg', width: 32, height: 16, isAnimated: false }],
		['lossy WebP', lossy, { type: 'image/webp', width: 32, height: 16, isAnimated: false }],
		['lossless WebP', lossless, { type: 'image/webp', width: 32, height: 16, isAnimated: false }],
		['extended WebP', extended, { type: 'image/webp', width: 32, height: 16, isAnimated: false }],
		['animated WebP', moving, { type: 'image/webp', width: 32, height: 16, isAnimated: true }],
		['SVG', svg, undefined],
		['GIF', Buffer.from('GIF89a0000000000', 'latin1'), undefined],
		['a PNG that ends early', png().subarray(0, 30), undefined],
		['a JPEG without a frame', jpeg.subarray(0, 20), undefined],
		['nothing', Buffer.alloc(0), undefined],
	];
	for (const [name, bytes, expected] of table) {
		it(name, () => assert.deepEqual(readImage(bytes), expected));
	}
});

describe('chooseIcon', () => {
	const taken = (icons: readonly Icon[], theme: 'light' | 'dark' = 'dark', url = 'https://example.com/mcp'): string => {
		const source = chooseIcon(icons, theme, url);
		return source?.kind === 'https' ? source.url.href : source ? `${source.bytes.length} bytes` : 'none';
	};
	const at = (name: string, more: Partial<Icon> = {}): Icon => ({ src: `https://example.com/${name}`, ...more });

	it('takes the size nearest to what is drawn, and none rather than a blur', () => {
		assert.equal(
			taken([at('16', { sizes: ['16x16'] }), at('512', { sizes: ['512x512'] }), at('48', { sizes: ['48x48'] })]),
			at('48').src,
		);
		assert.equal(taken([at('8', { sizes: ['8x8'] }), at('512', { sizes: ['512x512'] })]), at('512').src);
		assert.equal(taken([at('odd', { sizes: ['huge', '1e9x1'] }), at('32', { sizes: ['32x32'] })]), at('32').src);
	});

	it('takes what is made for the background, or for both, before what is made for the other', () => {
		const light = at('light', { theme: 'light', sizes: ['512x512'] });
		const both = at('both', { sizes: ['512x512'] });
		const dark = at('dark', { theme: 'dark', sizes: ['16x16'] });
		assert.equal(taken([light, both, dark], 'light'), light.src);
		assert.equal(taken([light, both], 'dark'), both.src);
		assert.equal(taken([light], 'dark'), light.src);
	});

	it('passes over what is refused', () => {
		assert.equal(
			taken([{ src: 'javascript:alert(1)' }, at('svg', { mimeType: 'image/svg+xml' }), at('it')]),
			at('it').src,
		);
		assert.equal(taken([]), 'none');
	});

	it('does not look at more than a few', () => {
		const many = Array.from({ length: 100_000 }, (): Icon => ({ src: 'file:///etc/passwd' }));
		assert.throws(() => taken([...many, at('last')]), { name: 'IconRefusedError' });
	});

	it('accepts each of the formats as data', () => {
		for (const [bytes, type] of [
			[png(), 'image/png'],
			[jpeg, 'image/jpeg'],
			[jpeg, 'IMAGE/JPG'],
			[lossy, 'image/webp'],
		] as const) {
			assert.equal(taken([{ src: data(bytes, type) }]), `${bytes.length} bytes`, type);
		}
	});

	const scheme = /neither https: nor data:/;
	const origin = /not of the origin/;
	const attacks: readonly (readonly [src: string, why: RegExp, mimeType?: string])[] = [
		['javascript:alert(1)', scheme],
		['file:///etc/passwd', scheme],
		['http://example.com/icon.png', scheme],
		['vscode://extension/icon.png', scheme],
		['command:workbench.action.quit', scheme],
		['blob:https://example.com/1', scheme],
		['', scheme],
		['icon.png', scheme],
		['https://evil.example/icon.png', origin],
		['https://example.com.evil.example/icon.png', origin],
		['https://example.com:8443/icon.png', origin],
		['https://example.com@evil.example/icon.png', origin],
		['https://me:secret@example.com/icon.png', /credentials/],
		[data(svg, 'image/svg+xml'), /not that of a PNG, JPEG or WebP/],
		[data(svg), /no PNG, JPEG or WebP image/],
		[data(png()), /said to be something else than/, 'image/svg+xml'],
		[data(png()), /image\/png, and said to be something else/, 'image/jpeg'],
		[data(jpeg), /image\/jpeg, and said to be something else/],
		[data(Buffer.from('<html>'), 'text/html'), /not that of/],
		['data:image/png,%89PNG', /not that of/],
		['data:image/png;base64,%%%', /no base64/],
		['data:image/png;base64,iVBORw0KGgo', /no PNG/],
		[data(Buffer.alloc(10_000_000)), /larger than/],
		[data(png(32, chunk('tEXt', Buffer.alloc(maxIconBytes)))), /larger than/],
		[data(png(40_000)), /40000 × 40000 pixels/],
		[data(png(0)), /0 × 0 pixels/],
		[data(png(32, chunk('acTL', Buffer.alloc(8)))), /animated/],
		[data(moving, 'image/webp'), /animated/],
	];
	for (const [src, message, mimeType] of attacks) {
		it(`refuses ${src.slice(0, 50)} ${mimeType ?? ''}`, () => {
			const icon = mimeType === undefined ? { src } : { src, mimeType };
			assert.throws(() => taken([icon]), { name: 'IconRefusedError', message });
		});
	}

	it('refuses every address for a server that has none, or none with an origin', () => {
		for (const url of [undefined, 'unix:///run/s.sock#/mcp', 'http://example.com/mcp', 'no url']) {
			assert.throws(() => chooseIcon([at('icon')], 'dark', url), { message: origin });
		}
	});
});

describe('IconLoader', () => {
	type Answer = {
		readonly status?: number;
		readonly headers?: Record<string, string>;
		readonly parts?: readonly Buffer[];
	};
	const url = 'https://example.com/mcp';
	const icon: Icon = { src: 'https://example.com/icon.png' };

	/** The answers of a site by URL, and the requests to it. */
	class Site {
		readonly asked: HttpRequest[] = [];
		readonly saved: string[] = [];
		readonly log = new TestLog();
		constructor(private readonly answers: Readonly<Record<string, Answer>>) {}

		private readonly fetch: HttpFetch = async request => {
			this.asked.push(request);
			const { status = 200, headers = {}, parts = [] } = this.answers[request.url] ?? { status: 404 };
			const read = async (onBytes: (bytes: Uint8Array) => void): Promise<void> => parts.forEach(onBytes);
			return { status, headers, read, discard: () => undefined };
		};

		load(icons: readonly Icon[] = [icon], signal = new AbortController().signal): Promise<ServerIcon | undefined> {
			const save = async (bytes: Uint8Array, type: string): Promise<string> => {
				this.saved.push(`${type}, ${bytes.length}`);
				return `saved:${this.saved.length}`;
			};
			return new IconLoader({ fetch: this.fetch, save }).load(icons, url, this.log, signal);
		}
	}

	// covers: icons
	it('fetches it once, without credentials, and keeps what it has checked', async () => {
		const bytes = png();
		const site = new Site({
			[icon.src]: {
				headers: { 'content-type': 'image/png; charset=x' },
				parts: [bytes.subarray(0, 9), bytes.subarray(9)],
			},
		});
		assert.deepEqual(await site.load(), { light: 'saved:1', dark: 'saved:1' });
		assert.deepEqual(
			site.asked.map(({ method, url: asked, headers, body }) => ({ method, asked, headers, body })),
			[{ method: 'GET', asked: icon.src, headers: { accept: 'image/png, image/webp, image/jpeg' }, body: undefined }],
		);
		assert.deepEqual(site.saved, [`image/png, ${bytes.length}`]);
		assert.deepEqual(site.log.lines, []);
	});

	it('keeps one for each kind of background', async () => {
		const icons: Icon[] = [
			{ src: data(png(16)), theme: 'light' },
			{ src: data(png(64)), theme: 'dark' },
		];
		const site = new Site({});
		assert.deepEqual(await site.load(icons), { light: 'saved:1', dark: 'saved:2' });
		assert.deepEqual(site.asked, []);
	});

	it('follows a redirect within the origin', async () => {
		const site = new Site({
			[icon.src]: { status: 302, headers: { location: '/2.png' } },
			'https://example.com/2.png': { parts: [png()] },
		});
		assert.deepEqual(await site.load(), { light: 'saved:1', dark: 'saved:1' });
	});

	const failures: readonly (readonly [name: string, answer: Answer, why: RegExp])[] = [
		[
			'a redirect to another origin',
			{ status: 302, headers: { location: 'https://evil.example/i.png' } },
			/to another origin/,
		],
		['a redirect to http:', { status: 301, headers: { location: 'http://example.com/i.png' } }, /to another origin/],
		['a redirect to data:', { status: 302, headers: { location: data(png()) } }, /to another origin/],
		['a redirect with credentials', { status: 302, headers: { location: '//a:b@example.com/i.png' } }, /credentials/],
		['a redirect to itself', { status: 302, headers: { location: icon.src } }, /again and again/],
		['a redirect to nowhere', { status: 302 }, /the answer was 302/],
		['an error', { status: 401, parts: [png()] }, /the answer was 401/],
		['another type', { headers: { 'content-type': 'text/html' }, parts: [png()] }, /said to be something else/],
		['an SVG', { headers: { 'content-type': 'image/svg+xml' }, parts: [svg] }, /no PNG/],
		['another content', { headers: { 'content-type': 'image/png' }, parts: [svg] }, /no PNG/],
		['10 MB', { parts: Array.from({ length: 10 }, () => Buffer.alloc(1_000_000)) }, /larger than 65536/],
	];
	for (const [name, answer, why] of failures) {
		it(`refuses ${name}, and says so in the log`, async () => {
			const site = new Site({ [icon.src]: answer });
			assert.equal(await site.load(), undefined);
			assert.equal(site.log.lines.length, 1);
			assert.match(site.log.lines[0] ?? '', why);
			assert.deepEqual(site.saved, []);
		});
	}

	it('asks nothing for a server that has ended, and says nothing', async () => {
		const site = new Site({});
		assert.equal(await site.load([icon], AbortSignal.abort()), undefined);
		assert.deepEqual([site.asked, site.log.lines], [[], []]);
	});

	it('ends the request with the server', async () => {
		const ending = new AbortController();
		const log = new TestLog();
		let abort = new HttpAbort();
		const fetch: HttpFetch = request =>
			new Promise((_, reject) => {
				({ abort } = request);
				abort.setStop(() => reject(new Error('aborted')));
			});
		const loading = new IconLoader({ fetch, save: async () => '' }).load([icon], url, log, ending.signal);
		ending.abort();
		assert.equal(await loading, undefined);
		assert.ok(abort.isAborted);
		assert.deepEqual(log.lines, []);
	});
});

describe('the icon of a server', () => {
	const cleanup = leakCheck();

	it('is there while it runs, and its coming is told', async () => {
		const fixture = new ModelFixture(cleanup);
		fixture.icon = { light: 'file:///l.png', dark: 'file:///d.png' };
		const server = cleanup.own(new Server(definition('it'), fixture.deps));
		await server.start();
		await until(server.onDidChange, () => server.icon === fixture.icon);
		await server.stop();
		await untilState(server, 'stopped');
		assert.equal(server.icon, undefined);
	});
});

import * as assert from 'node:assert/strict';
import type { Icon } from '../../../../src/mcp/index.js';
import { chooseServerIcon, maxIconBytes } from '../../../../src/core/servers/icons.js';
import { readImage } from '../../../../src/core/servers/imageBytes.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { definition, ModelFixture, untilState } from '../../../support/modelFixture.js';
import { Server } from '../../../../src/core/servers/server.js';

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

describe('chooseServerIcon', () => {
	const taken = (icons: readonly Icon[], theme: 'light' | 'dark' = 'dark'): string | undefined =>
		chooseServerIcon(icons)?.[theme];
	/** An icon that differs from those of other sides. */
	const icon = (side: number, more: Partial<Icon> = {}): Icon => ({ src: data(png(side)), ...more });

	it('takes the size nearest to what is drawn, and none rather than a blur', () => {
		const [small, large] = [icon(16, { sizes: ['16x16'] }), icon(512, { sizes: ['512x512'] })];
		assert.equal(taken([small, large, icon(48, { sizes: ['48x48'] })]), icon(48).src);
		assert.equal(taken([icon(8, { sizes: ['8x8'] }), large]), large.src);
		assert.equal(taken([icon(64, { sizes: ['huge', '1e9x1'] }), icon(32, { sizes: ['32x32'] })]), icon(32).src);
	});

	// covers: icons
	it('takes what is made for the background, or for both, before what is made for the other', () => {
		const light = icon(511, { theme: 'light', sizes: ['511x511'] });
		const both = icon(512, { sizes: ['512x512'] });
		const dark = icon(16, { theme: 'dark', sizes: ['16x16'] });
		assert.deepEqual(chooseServerIcon([light, both, dark]), { light: light.src, dark: dark.src });
		assert.equal(taken([light, both]), both.src);
		assert.equal(taken([light]), light.src);
		assert.equal(chooseServerIcon([]), undefined);
	});

	it('passes over what is refused', () => {
		const refused = [{ src: 'https://example.com/icon.png' }, icon(16, { mimeType: 'image/svg+xml' })];
		assert.equal(taken([...refused, icon(32)]), icon(32).src);
	});

	it('does not look at more than a few', () => {
		const many = Array.from({ length: 100_000 }, (): Icon => ({ src: 'file:///etc/passwd' }));
		assert.throws(() => taken([...many, icon(32)]), { name: 'IconRefusedError' });
	});

	it('accepts each of the formats, and writes its URL anew', () => {
		for (const [bytes, type, written] of [
			[png(), 'image/png', 'image/png'],
			[jpeg, 'image/jpeg', 'image/jpeg'],
			[jpeg, 'IMAGE/JPG', 'image/jpeg'],
			[lossy, 'image/webp', 'image/webp'],
		] as const) {
			assert.equal(taken([{ src: data(bytes, type) }]), data(bytes, written), type);
		}
		assert.equal(taken([{ src: data(png()).replace('base64,', 'base64, ') }]), data(png()));
	});

	const address = /no data: URL/;
	const attacks: readonly (readonly [src: string, why: RegExp, mimeType?: string])[] = [
		['javascript:alert(1)', address],
		['file:///etc/passwd', address],
		['https://example.com/icon.png', address],
		['vscode://extension/icon.png', address],
		['command:workbench.action.quit', address],
		['', address],
		['icon.png', address],
		[data(svg, 'image/svg+xml'), /something else than a PNG, JPEG or WebP/],
		[data(svg), /no PNG, JPEG or WebP image/],
		[data(png()), /said to be something else than/, 'image/svg+xml'],
		[data(png()), /image\/png, and said to be something else/, 'image/jpeg'],
		[data(jpeg), /image\/jpeg, and said to be something else/],
		[data(Buffer.from('<html>'), 'text/html'), /something else than/],
		['data:image/png,%89PNG', /something else than/],
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
			const attack = mimeType === undefined ? { src } : { src, mimeType };
			assert.throws(() => taken([attack]), { name: 'IconRefusedError', message });
		});
	}
});

describe('the icon of a server', () => {
	const cleanup = leakCheck();

	it('is there while it runs, or the log says why not', async () => {
		const fixture = new ModelFixture(cleanup);
		const start = async (src: string): Promise<Server> => {
			const serverInfo = { name: 'it', version: '1', icons: [{ src }] };
			const initialize = () => ({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo });
			fixture.server = { methods: { initialize } };
			const server = cleanup.own(new Server(definition('it'), fixture.deps));
			await server.start();
			return server;
		};
		const src = data(png());
		const server = await start(src);
		assert.deepEqual(server.icon, { light: src, dark: src });
		await server.stop();
		await untilState(server, 'stopped');
		assert.equal(server.icon, undefined);
		assert.equal((await start('https://example.com/icon.png')).icon, undefined);
		assert.match(fixture.logs.at(-1)?.lines.join('\n') ?? '', /Its icon is not shown: its address is no data: URL\./);
	});
});

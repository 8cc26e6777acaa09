import * as assert from 'node:assert/strict';
import type { Icon } from '../../../../src/mcp/index.js';
import { chooseServerIcon, maxIconBytes } from '../../../../src/core/servers/icons.js';
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

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

const data = (bytes: Buffer, type = 'image/png'): string => `data:${type};base64,${bytes.toString('base64')}`;

describe('chooseServerIcon', () => {
	const taken = (icons: readonly Icon[], theme: 'light' | 'dark' = 'dark'): string | undefined =>
		chooseServerIcon(icons)?.[theme];
	/** An icon that differs from those of other sides. */
	const icon = (side: number, more: Partial<Icon> = {}): Icon => ({ src: data(png(side)), ...more });

	// covers: icons
	it('takes what is made for the background, or for both, and then the size nearest to what is drawn', () => {
		const [small, best, large] = [icon(16), icon(48), icon(512)];
		assert.equal(taken([small, large, best]), best.src);
		const light = icon(32, { theme: 'light' });
		const dark = icon(500, { theme: 'dark' });
		assert.deepEqual(chooseServerIcon([light, large, dark]), { light: light.src, dark: dark.src });
		assert.equal(taken([light, large]), large.src);
		assert.equal(taken([light]), light.src);
		assert.equal(chooseServerIcon([]), undefined);
	});

	it('writes the URL of a PNG or JPEG anew, by its bytes', () => {
		assert.equal(taken([{ src: data(jpeg, 'image/png') }]), data(jpeg, 'image/jpeg'));
		assert.equal(taken([{ src: data(png()).replace('base64,', 'base64, ') }]), data(png()));
	});

	it('passes over what it refuses, and does not look at more than a few', () => {
		assert.equal(taken([...attacks.slice(0, 5).map(src => ({ src })), icon(32)]), icon(32).src);
		const many = Array.from({ length: 100_000 }, (): Icon => ({ src: 'file:///etc/passwd' }));
		assert.equal(taken([...many, icon(32)]), undefined);
	});

	const attacks: readonly string[] = [
		'javascript:alert(1)',
		'file:///etc/passwd',
		'https://example.com/icon.png',
		'command:workbench.action.quit',
		'',
		data(svg, 'image/svg+xml'),
		data(svg),
		data(Buffer.from('<html>'), 'text/html'),
		'data:image/png,%89PNG',
		'data:image/png;base64,%%%',
		'data:image/png;base64,iVBORw0KGgo',
		data(jpeg.subarray(0, 20)),
		data(png(32, chunk('tEXt', Buffer.alloc(maxIconBytes * 2)))),
		data(png(40_000)),
		data(png(0)),
	];
	for (const src of attacks) {
		it(`refuses ${src.slice(0, 50)}`, () => assert.equal(taken([{ src }]), undefined));
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
		assert.match(fixture.logs.at(-1)?.lines.join('\n') ?? '', /Its icon is not shown/);
	});
});

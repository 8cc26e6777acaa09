import * as assert from 'node:assert/strict';
import type { Icon } from '../../../../src/mcp/index.js';
import { chooseServerIcon, maxIconBytes } from '../../../../src/core/servers/icons.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { definition, ModelFixture, untilState } from '../../../support/modelFixture.js';
import { Server } from '../../../../src/core/servers/server.js';

const png = (side = 32, length = 8): Buffer =>
	Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(length, side % 256)]);
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');
const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8 \0\0\0\0', 'latin1');
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

const data = (bytes: Buffer, type = 'image/png'): string => `data:${type};base64,${bytes.toString('base64')}`;

describe('chooseServerIcon', () => {
	const taken = (icons: readonly Icon[], theme: 'light' | 'dark' = 'dark'): string | undefined =>
		chooseServerIcon(icons)?.[theme];
	/** An icon that differs from those of other sides. */
	const icon = (side: number, more: Partial<Icon> = {}): Icon => ({ src: data(png(side)), ...more });

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
		const refused = [{ src: 'https://example.com/icon.png' }, { src: data(svg) }];
		assert.equal(taken([...refused, icon(32)]), icon(32).src);
	});

	it('does not look at more than a few', () => {
		const many = Array.from({ length: 100_000 }, (): Icon => ({ src: 'file:///etc/passwd' }));
		assert.throws(() => taken([...many, icon(32)]), { name: 'IconRefusedError' });
	});

	it('accepts each of the formats', () => {
		for (const src of [data(png()), data(jpeg, 'IMAGE/JPEG'), data(webp, 'image/webp')]) {
			assert.equal(taken([{ src }]), src);
		}
	});

	for (const src of [
		'javascript:alert(1)',
		'file:///etc/passwd',
		'https://example.com/icon.png',
		'command:workbench.action.quit',
		'',
		data(svg, 'image/svg+xml'),
		data(svg),
		data(jpeg),
		data(Buffer.from('<html>'), 'text/html'),
		'data:image/png,%89PNG',
		`${data(png())}" onload="x`,
		data(png(32, maxIconBytes + 100)),
	]) {
		it(`refuses ${src.slice(0, 50)}`, () => {
			assert.throws(() => taken([{ src }]), { name: 'IconRefusedError' });
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
		assert.match(fixture.logs.at(-1)?.lines.join('\n') ?? '', /Its icon is not shown: it is no data: URL of/);
	});
});

// ARCHITECTURE.md, Layers: the protocol core bundles for a browser as it is.
import * as assert from 'node:assert/strict';
import { build, type BuildOptions } from 'esbuild';
import { projectRoot } from '../host/paths.js';

/** What a browser has: no Node, no editor, and nothing left out of the bundle. */
const options = {
	absWorkingDir: projectRoot,
	bundle: true,
	platform: 'browser',
	format: 'esm',
	write: false,
	metafile: true,
	logLevel: 'silent',
} satisfies BuildOptions;

describe('browser bundle', () => {
	it('the protocol core needs neither Node nor the editor', async () => {
		const { metafile, outputFiles } = await build({ ...options, entryPoints: ['src/mcp/index.ts'] });
		const [output] = Object.values(metafile.outputs);
		assert.deepEqual(output?.imports, []);
		assert.ok(Object.keys(metafile.inputs).includes('src/mcp/client/client.ts'));
		assert.ok((outputFiles[0]?.text.length ?? 0) > 10_000);
	});

	for (const contents of [
		`import * as fs from 'node:fs'; fs.readFileSync('x');`,
		`import { Uri } from 'vscode'; new Uri();`,
		`export { StdioTransport } from './src/node/process/stdioTransport.js';`,
	]) {
		it(`would fail with ${contents}`, async () => {
			const stdin = { contents, resolveDir: projectRoot, loader: 'ts' } as const;
			await assert.rejects(build({ ...options, stdin }), /Could not resolve/);
		});
	}
});

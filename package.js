// Packs the extension, and looks at what was packed: node package.js
// Whatever else builds in this folder meanwhile, what is shipped is the production build, to the letter.
const fs = require('node:fs');
const path = require('node:path');
const { inflateRawSync } = require('node:zlib');

const file = 'mcp-workbench.vsix';
/** Bytes: what a person downloads. */
const maxSize = 600_000;

/**
 * What is wrong with a package; nothing if all is well.
 * @param {{ size: number, files: ReadonlyMap<string, Buffer> }} packed
 * @param {ReadonlyMap<string, Buffer>} built what the bundles come to in production
 * @returns {string[]}
 */
function problemsOf({ size, files }, built) {
	const problems = size > maxSize ? [`${size} bytes are more than ${maxSize}`] : [];
	for (const [name, content] of built) {
		const there = files.get(`extension/${name}`);
		if (!there) {
			problems.push(`${name} is missing`);
		} else if (!there.equals(content)) {
			problems.push(`${name} (${there.length} bytes) is not the production build (${content.length} bytes)`);
		}
	}
	const bundle = /^extension\/(dist\/.*\.(?:js|map))$/;
	for (const [, name] of [...files.keys()].map(it => bundle.exec(it) ?? [])) {
		if (name !== undefined && !built.has(name)) {
			problems.push(`${name} is no bundle`);
		}
	}
	return problems;
}

/**
 * The files of a zip archive as vsce writes it: stored or deflated, no zip64.
 * @param {Buffer} zip
 * @returns {Map<string, Buffer>}
 */
function readZip(zip) {
	const files = new Map();
	const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
	let at = zip.readUInt32LE(end + 16);
	for (let rest = zip.readUInt16LE(end + 10); rest > 0; rest--) {
		const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
		const [nameLength, extra, comment] = [28, 30, 32].map(it => zip.readUInt16LE(at + it));
		const header = zip.readUInt32LE(at + 42);
		const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
		const data = zip.subarray(start, start + size);
		files.set(zip.toString('utf8', at + 46, at + 46 + nameLength), method === 0 ? data : inflateRawSync(data));
		at += 46 + nameLength + extra + comment;
	}
	return files;
}

/** @returns {Promise<Map<string, Buffer>>} */
async function buildForProduction() {
	const { build } = require('esbuild');
	const { bundles } = require('./esbuild.js');
	const shipped = bundles.filter(it => it.outfile?.startsWith('dist/'));
	const results = await Promise.all(
		shipped.map(it => build({ ...it, minify: true, sourcemap: false, write: false, absWorkingDir: __dirname })),
	);
	const outputs = results.flatMap(it => it.outputFiles);
	return new Map(
		outputs.map(it => [path.relative(__dirname, it.path).replaceAll('\\', '/'), Buffer.from(it.contents)]),
	);
}

async function main() {
	const { createVSIX } = require('@vscode/vsce');
	await createVSIX({
		cwd: __dirname,
		packagePath: file,
		dependencies: false,
		allowMissingRepository: true,
		rewriteRelativeLinks: false,
	});
	const zip = fs.readFileSync(path.join(__dirname, file));
	const problems = problemsOf({ size: zip.length, files: readZip(zip) }, await buildForProduction());
	if (problems.length > 0) {
		fs.rmSync(path.join(__dirname, file));
		throw new Error(`The package is not what it should be:\n${problems.join('\n')}`);
	}
	console.log(`${file}: ${Math.ceil(zip.length / 1000)} KB of at most ${maxSize / 1000} KB, production build`);
}

module.exports = { problemsOf, readZip };

if (require.main === module) {
	main().catch(error => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	});
}

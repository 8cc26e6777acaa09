// Packs the extension, and looks at what was packed: node package.js
// Whatever else builds in this folder meanwhile, what is shipped is the production build, to the letter.
const fs = require('node:fs');
const path = require('node:path');

const file = 'mcp-workbench.vsix';
/** Bytes: what a person downloads. */
const maxSize = 800_000;
/** Bytes without the pictures of documents and of the walkthrough. */
const maxSizeWithoutPictures = 550_000;

/**
 * What is wrong with a package; nothing if all is well.
 * @param {{ size: number, sizeWithoutPictures: number, files: ReadonlyMap<string, Buffer> }} packed
 * @param {ReadonlyMap<string, Buffer>} built what the bundles come to in production
 * @returns {string[]}
 */
function problemsOf({ size, sizeWithoutPictures, files }, built) {
	const problems = size > maxSize ? [`${size} bytes are more than ${maxSize}`] : [];
	if (sizeWithoutPictures > maxSizeWithoutPictures) {
		problems.push(`${sizeWithoutPictures} bytes without pictures are more than ${maxSizeWithoutPictures}`);
	}
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
 * The files of a zip archive.
 * @param {Buffer} zip
 * @returns {Promise<Map<string, Buffer>>}
 */
async function readZip(zip) {
	const { files } = await require('jszip').loadAsync(zip);
	const entries = Object.values(files).filter(it => !it.dir);
	return new Map(await Promise.all(entries.map(async it => [it.name, await it.async('nodebuffer')])));
}

/** Documents of the package whose links are rewritten, by their path in the package. */
const documents = /^extension\/(readme\.md|changelog\.md|SECURITY\.md|docs\/[^/]+\.md)$/;

/** The editor and the Marketplace show these in pages of their own, where no relative link or picture works. */
const shownAlone = /^extension\/(readme|changelog)\.md$/;

const picture = /!\[([^\]]*)\]\(([^)\s]+)\)/g;
const link = /(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g;

/**
 * A document of the package without dead links and pictures. Relative ones that lead to files of the package stay in
 * documents that are opened as files. All others lead to the repository. If package.json names none, links become plain
 * text, and pictures part of the document with their description beneath. Older editors show such pictures in the page of
 * an extension. Newer ones show only `https:` pictures, and a broken picture instead if it has an alternative text.
 * @param {string} name path in the package, such as `extension/docs/api.md`
 * @param {string} text
 * @param {ReadonlySet<string>} packed paths in the package
 * @param {string | undefined} repository address without `.git`
 * @param {(file: string) => Buffer} readPicture reads a PNG file of this folder
 */
function rewriteLinks(name, text, packed, repository, readPicture) {
	const folder = path.posix.dirname(name);
	const pathOf = target => path.posix.relative('extension', path.posix.join(folder, target));
	const isPacked = target => packed.has(path.posix.join(folder, target.replace(/#.*/, '')));
	const isAlive = target => /^([a-z]+:|#)/i.test(target) || (!shownAlone.test(name) && isPacked(target));
	const embed = target => `data:image/png;base64,${readPicture(pathOf(target)).toString('base64')}`;
	return text
		.replaceAll(picture, (whole, description, target) => {
			if (isAlive(target)) {
				return whole;
			}
			return repository
				? `![${description}](${repository}/raw/HEAD/${pathOf(target)})`
				: `![](${embed(target)})_${description}_`;
		})
		.replaceAll(link, (whole, words, target) =>
			isAlive(target) ? whole : repository ? `[${words}](${repository}/blob/HEAD/${pathOf(target)})` : words,
		);
}

/** @param {{ repository?: string | { url: string } }} manifest package.json */
function repositoryOf({ repository }) {
	const url = typeof repository === 'string' ? repository : repository?.url;
	return url?.replace(/^git\+/, '').replace(/(\.git)?\/?$/, '');
}

/**
 * Rewrites the links of the documents in a package.
 * @param {Buffer} zip
 * @returns {Promise<Buffer>}
 */
async function withoutDeadLinks(zip) {
	const archive = await require('jszip').loadAsync(zip);
	const packed = new Set(Object.keys(archive.files));
	const repository = repositoryOf(require('./package.json'));
	const readPicture = name => fs.readFileSync(path.join(__dirname, name));
	for (const name of [...packed].filter(it => documents.test(it))) {
		const text = await archive.file(name).async('string');
		archive.file(name, rewriteLinks(name, text, packed, repository, readPicture), { createFolders: false });
	}
	return compress(archive);
}

/**
 * How large a package would be without the pictures of documents and of the walkthrough.
 * @param {Buffer} zip
 * @returns {Promise<number>} in bytes
 */
async function measureWithoutPictures(zip) {
	const archive = await require('jszip').loadAsync(zip);
	for (const name of Object.keys(archive.files)) {
		if (/^extension\/(docs\/images|media\/walkthrough)\//.test(name)) {
			archive.remove(name);
		} else if (documents.test(name)) {
			const text = await archive.file(name).async('string');
			archive.file(name, text.replaceAll(/data:image[^\s)]+/g, ''), { createFolders: false });
		}
	}
	return (await compress(archive)).length;
}

/** @returns {Promise<Buffer>} */
function compress(archive) {
	return archive.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE', compressionOptions: { level: 9 } });
}

/** @returns {Promise<Map<string, Buffer>>} */
async function buildForProduction() {
	const { build } = require('esbuild');
	const { shipped } = require('./esbuild.js');
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
	const zip = await withoutDeadLinks(fs.readFileSync(path.join(__dirname, file)));
	fs.writeFileSync(path.join(__dirname, file), zip);
	const sizes = { size: zip.length, sizeWithoutPictures: await measureWithoutPictures(zip) };
	const problems = problemsOf({ ...sizes, files: await readZip(zip) }, await buildForProduction());
	if (problems.length > 0) {
		fs.rmSync(path.join(__dirname, file));
		throw new Error(`The package is not what it should be:\n${problems.join('\n')}`);
	}
	const [kilobytes, without] = Object.values(sizes).map(it => Math.ceil(it / 1000));
	console.log(
		`${file}: ${kilobytes} KB of at most ${maxSize / 1000} KB, ` +
			`${without} KB of at most ${maxSizeWithoutPictures / 1000} KB without pictures, production build`,
	);
}

module.exports = { problemsOf, rewriteLinks };

if (require.main === module) {
	main().catch(error => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	});
}

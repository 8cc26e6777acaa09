// Packs the extension, and looks at what was packed: node package.js
// Whatever else builds in this folder meanwhile, what is shipped is the production build, to the letter.
const fs = require('node:fs');
const path = require('node:path');

const file = 'mcp-workbench.vsix';
/** Bytes: what a person downloads. */
const maxSize = 500_000;

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

/** The editor shows these in a page of its own, where no relative link works. */
const shownAlone = /^extension\/(readme|changelog)\.md$/;

/**
 * A document of the package without dead links. Relative links to files of the package stay in documents that are opened
 * as files. Other relative links lead to the repository, or become plain text if package.json names none. Pictures are
 * not packed: they are loaded from the repository, or left out.
 * @param {string} name path in the package, such as `extension/docs/api.md`
 * @param {string} text
 * @param {ReadonlySet<string>} packed paths in the package
 * @param {string | undefined} repository address without `.git`
 */
function rewriteLinks(name, text, packed, repository) {
	const folder = path.posix.dirname(name);
	const pathOf = target => path.posix.relative('extension', path.posix.join(folder, target));
	const isLocal = target => !/^([a-z]+:|#)/i.test(target);
	const isPacked = target => packed.has(path.posix.join(folder, target.replace(/#.*/, '')));
	return text
		.replaceAll(/!\[([^\]]*)\]\(([^)\s]+)\)\n*/g, (picture, description, target) =>
			!isLocal(target) ? picture : repository ? `![${description}](${repository}/raw/HEAD/${pathOf(target)})\n\n` : '',
		)
		.replaceAll(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words, target) => {
			if (!isLocal(target) || (!shownAlone.test(name) && isPacked(target))) {
				return link;
			}
			return repository ? `[${words}](${repository}/blob/HEAD/${pathOf(target)})` : words;
		});
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
	for (const name of [...packed].filter(it => documents.test(it))) {
		const text = await archive.file(name).async('string');
		archive.file(name, rewriteLinks(name, text, packed, repository), { createFolders: false });
	}
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
	const problems = problemsOf({ size: zip.length, files: await readZip(zip) }, await buildForProduction());
	if (problems.length > 0) {
		fs.rmSync(path.join(__dirname, file));
		throw new Error(`The package is not what it should be:\n${problems.join('\n')}`);
	}
	console.log(`${file}: ${Math.ceil(zip.length / 1000)} KB of at most ${maxSize / 1000} KB, production build`);
}

module.exports = { problemsOf, rewriteLinks };

if (require.main === module) {
	main().catch(error => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	});
}

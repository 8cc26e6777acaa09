/** Links of Markdown documents, and whether they lead anywhere. */
import * as fs from 'node:fs';
import * as path from 'node:path';

/** Links to pages of the web. They are not looked up. */
const isOfWeb = (target: string): boolean => /^(https?|mailto):/.test(target);

/** The targets of links and pictures, without those in code. */
export function listLinks(text: string): string[] {
	return Array.from(withoutCode(text).matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g), ([, target = '']) => target);
}

/** What can follow `#` in a link to the document: its headings as GitHub and the editor name them. */
export function listAnchors(text: string): string[] {
	return Array.from(withoutCode(text, '```').matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
		title
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
			.replaceAll(' ', '-'),
	);
}

/**
 * Relative links of a document that lead to no file, or to no heading of it.
 * @param document path below `root`
 */
export function findDeadLinks(root: string, document: string): string[] {
	const text = fs.readFileSync(path.join(root, document), 'utf8');
	return listLinks(text)
		.filter(target => !isOfWeb(target) && !isAlive(path.join(root, document), text, target))
		.map(target => `${document}: ${target}`);
}

function isAlive(document: string, text: string, target: string): boolean {
	const [file = '', anchor] = target.split('#');
	const linked = file === '' ? document : path.join(path.dirname(document), file);
	if (!fs.existsSync(linked)) {
		return false;
	}
	const content = file === '' || !linked.endsWith('.md') ? text : fs.readFileSync(linked, 'utf8');
	return anchor === undefined || listAnchors(content).includes(anchor);
}

function withoutCode(text: string, mark?: '```'): string {
	const withoutBlocks = text.replaceAll(/^[\t ]*```.*\n[^]*?^[\t ]*```$/gm, '');
	return mark ? withoutBlocks : withoutBlocks.replaceAll(/`[^`\n]*`/g, '');
}

/** Parses JSON with comments, TOML and YAML. Never throws. */
import { load } from 'js-yaml';
import { getNodeValue } from 'jsonc-parser';
import { parse } from 'smol-toml';
import { parseBoundedTree } from '../text/boundedJson.js';
import type { PasteProblem, TextFormat } from './foundServer.js';

type Tried = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: PasteProblem };

/** The format that a text looks like; `undefined` for links and command lines. */
export function formatOf(text: string): TextFormat | undefined {
	if (text.startsWith('{') || /^\/[/*]/.test(text) || /^"[^"\r\n]*"\s*:/.test(text)) {
		return 'JSON';
	}
	const body = text.replace(/^(?:\s|#[^\n]*\n)+/, '');
	// A table comes first, or after values of the whole file.
	if (
		/^(?:\[{1,2}[A-Za-z][\w-]*[\].]|mcp_servers\b)/.test(body) ||
		/^\[{1,2}[A-Za-z][\w."-]*\]{1,2}[ \t]*$/m.test(body)
	) {
		return 'TOML';
	}
	// The first word of a command line doesn't end with a colon.
	return body.startsWith('[') ? 'JSON' : /^(?:---\s|(?:- +)?[\w.-]+:(?:\s|$))/.test(body) ? 'YAML' : undefined;
}

/** @param limit of the length, in UTF-16 units */
export function parseFormat(text: string, format: TextFormat, limit: number): Tried {
	if (format === 'JSON') {
		const { root, error, excess } = parseBoundedTree(text, limit);
		if (excess) {
			return { ok: false, problem: { code: excess.code } };
		}
		return root && !error
			? { ok: true, value: getNodeValue(root) as unknown }
			: { ok: false, problem: { code: 'json', offset: error?.offset ?? 0 } };
	}
	try {
		return { ok: true, value: format === 'TOML' ? parse(text) : load(text) };
	} catch {
		return { ok: false, problem: { code: 'format', format } };
	}
}

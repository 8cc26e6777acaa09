/**
 * Reads install links of clients, as custom scheme and as web address: those of VS Code and of badges that redirect to it,
 * Cursor, LM Studio, Kiro and Goose.
 */
import { tryDecodeBase64 } from '../../base/base64.js';
import { tryDecodeUri } from '../../base/percentText.js';
import { textLimits } from '../../mcp/index.js';
import { isWebUrl, looksLikeSse, toServerEntry } from '../config/serverEntry.js';
import { toServerInputs } from '../config/serverInputs.js';
import { isSecretName } from '../text/secretNames.js';
import { define } from './addOptions.js';
import { failed, found, type Pasted } from './foundServer.js';
import { isBundle, NewInputs } from './publishedServer.js';
import { isWebPage, parsePastedJson } from './serverValues.js';
import { parseFormat } from './textFormats.js';

/** The number of redirect links inside each other. */
const maxLinks = 3;

/** Web addresses that open a client. */
const openers: readonly (readonly [product: string, pattern: RegExp])[] = [
	['VS Code', /^https:\/\/(?:insiders\.)?vscode\.dev\/redirect\b/i],
	['Cursor', /^https:\/\/(?:www\.)?cursor\.com\//i],
	['LM Studio', /^https:\/\/(?:www\.)?lmstudio\.ai\//i],
	['Kiro', /^https:\/\/(?:www\.)?kiro\.dev\//i],
	['Goose', /^https:\/\/(?:block\.github\.io\/goose|(?:www\.)?goose-docs\.ai)\//i],
	['Claude', /^https:\/\/(?:www\.)?claude\.ai\//i],
];

/** The servers in an install link; `undefined` if the text is no such link. */
export function parseLink(text: string, depth = 0): Pasted | undefined {
	if (/\s/.test(text.replace(/^vscod[^?]*\?.*/s, '')) || depth > maxLinks) {
		return undefined;
	}
	const config = /^vscod(?:e|e-insiders|ium):\/{0,2}mcp\/install\?(.+)/s.exec(text)?.[1];
	if (config !== undefined) {
		return parsePastedJson(decode(config));
	}
	// A drive of Windows has one letter.
	const scheme = /^(?!https?:)([a-z][a-z\d+.-]+):(?:\/\/|mcp\/)/i.exec(text)?.[1];
	const product = scheme ?? openers.find(([, it]) => it.test(text))?.[0];
	if (product === undefined) {
		return undefined;
	}
	const query = queryOf(text);
	const target = query.find(([key]) => key === 'url')?.[1];
	if (target !== undefined && !isWebUrl(target)) {
		return parseLink(target, depth + 1) ?? failed({ code: 'link', product });
	}
	return fromConfig(query) ?? fromWords(query) ?? failed({ code: 'link', product });
}

/** `name=…&config=…` with JSON, which may be encoded in Base64. */
function fromConfig(query: Query): Pasted | undefined {
	const get = (name: string): string | undefined => query.find(([key]) => key === name)?.[1];
	const config = get('config');
	if (config === undefined) {
		return undefined;
	}
	const read = parsePastedJson(/^\s*\{/.test(config) ? config : fromBase64(config));
	const inputs = parseFormat(get('inputs') ?? '[]', 'JSON', textLimits.pasted);
	if (read.kind === 'problem') {
		return undefined;
	}
	return {
		...read,
		servers: read.servers.map(it => ({ ...it, name: it.name ?? get('name') })),
		inputs: [...read.inputs, ...toServerInputs(inputs.ok ? inputs.value : undefined)],
	};
}

/** `cmd=npx&arg=-y&arg=package&env=KEY%3Ddescription` of Goose, or `url=…&header=…`. */
function fromWords(query: Query): Pasted | undefined {
	const all = (name: string): string[] => query.flatMap(([key, value]) => (key === name ? [value] : []));
	const [name] = [...all('name'), ...all('id')];
	const inputs = new NewInputs(name ?? '');
	const asked = (pairs: readonly string[]): Record<string, string> => {
		const values: Record<string, string> = {};
		for (const [, key = '', about = ''] of pairs.map(it => /^([^=]+)=?(.*)/s.exec(it) ?? [])) {
			const password = isSecretName(key) && { password: true };
			define(values, key, inputs.add(key, { type: 'promptString', description: about || key, ...password }));
		}
		return values;
	};
	const [command] = all('cmd');
	const [url] = all('url');
	const value = {
		command,
		args: all('arg'),
		url,
		type: all('type')[0],
		env: asked(all('env')),
		headers: asked(all('header')),
	};
	const read = command === undefined && url === undefined ? undefined : toServerEntry(value);
	return read && found([{ name, ...read, leftOut: [] }], inputs.all);
}

type Query = readonly (readonly [key: string, value: string])[];

function queryOf(url: string): Query {
	const query = /\?([^#]*)/.exec(url)?.[1] ?? '';
	return query.split('&').map(it => {
		const [key = '', ...value] = it.split('=');
		return [decode(key), decode(value.join('='))] as const;
	});
}

function decode(text: string): string {
	return tryDecodeUri(text) ?? text;
}

function fromBase64(text: string): string {
	const bytes = tryDecodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
	return bytes ? new TextDecoder().decode(bytes) : text;
}

/** The server at a web address; `undefined` if the text isn't one. */
export function parseUrl(text: string): Pasted | undefined {
	if (!/^https?:\/\//i.test(text) || /\s/.test(text)) {
		return undefined;
	}
	const url = text.replace(/[.,;)]$/, '');
	if (isBundle(url)) {
		return failed({ code: 'bundle' });
	}
	const type = looksLikeSse(url) ? 'sse' : 'http';
	return isWebPage(url) || !isWebUrl(url)
		? failed({ code: 'url' })
		: found([{ name: undefined, entry: { type, url }, leftOut: [] }]);
}

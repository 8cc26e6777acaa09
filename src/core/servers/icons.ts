/**
 * Chooses and checks icons of servers. Spec 2025-11-25, basic, icons: only `https:` URLs at the server's own origin and
 * `data:` URLs, without credentials, checked by their bytes. SVG is refused because it can contain scripts and references.
 */
import { tryDecodeBase64 } from '../../base/base64.js';
import { type Icon, tryParseUrl } from '../../mcp/index.js';
import { type ImageType, readImage } from './imageBytes.js';

export const maxIconBytes = 64 * 1024;
/** Pixels of one side: a small file can decode to a very large image. */
const maxSide = 1024;
/** Number of icons that are considered; a server can send any number. */
const maxCandidates = 32;
/** Pixels. Icons of rows are 16 pixels high, which are 32 on most screens. */
const bestSide = 32;

const imageTypes: ReadonlyMap<string, ImageType> = new Map([
	['image/png', 'image/png'],
	['image/jpeg', 'image/jpeg'],
	['image/jpg', 'image/jpeg'],
	['image/webp', 'image/webp'],
]);

/** `types`: the media types that the server declared. The bytes must have each of them. */
export type IconSource =
	| { readonly kind: 'data'; readonly bytes: Uint8Array; readonly types: readonly string[] }
	| { readonly kind: 'https'; readonly url: URL; readonly types: readonly string[] };

/** An icon is not shown. The message is for the log. */
export class IconRefusedError extends Error {
	override readonly name = 'IconRefusedError';
}

/**
 * The icon for one kind of background.
 * @param serverUrl the URL of a server at a URL
 * @returns `undefined` if there are no icons
 * @throws IconRefusedError if none of the icons is allowed
 */
export function chooseIcon(
	icons: readonly Icon[],
	theme: 'light' | 'dark',
	serverUrl: string | undefined,
): IconSource | undefined {
	const candidates = icons.slice(0, maxCandidates).toSorted((a, b) => distance(a, theme) - distance(b, theme));
	let refused: IconRefusedError | undefined;
	for (const icon of candidates) {
		try {
			return sourceOf(icon, serverUrl);
		} catch (error) {
			if (!(error instanceof IconRefusedError)) {
				throw error;
			}
			refused ??= error;
		}
	}
	if (refused) {
		throw refused;
	}
	return undefined;
}

/** Resolves a redirect, which must lead to the same origin. @throws IconRefusedError */
export function redirectedIcon(from: URL, location: string): URL {
	const to = tryParseUrl(location, from.href);
	if (to?.origin !== from.origin) {
		throw new IconRefusedError('it is redirected to another origin');
	}
	return withoutCredentials(to);
}

/** @throws IconRefusedError if the bytes are not those of an icon */
export function checkIcon(bytes: Uint8Array, types: readonly string[]): ImageType {
	if (bytes.length > maxIconBytes) {
		throw tooLarge();
	}
	const facts = readImage(bytes);
	if (!facts) {
		throw new IconRefusedError('it is no PNG, JPEG or WebP image');
	}
	if (types.some(it => imageTypes.get(it) !== facts.type)) {
		throw new IconRefusedError(`it is ${facts.type}, and said to be something else`);
	}
	if (facts.isAnimated) {
		throw new IconRefusedError('it is animated');
	}
	if (!(facts.width > 0 && facts.height > 0) || Math.max(facts.width, facts.height) > maxSide) {
		throw new IconRefusedError(`it has ${facts.width} × ${facts.height} pixels`);
	}
	return facts.type;
}

export function tooLarge(): IconRefusedError {
	return new IconRefusedError(`it is larger than ${maxIconBytes} bytes`);
}

function sourceOf({ src, mimeType }: Icon, serverUrl: string | undefined): IconSource {
	const types = mimeType === undefined ? [] : [withoutParameters(mimeType)];
	if (types.some(it => !imageTypes.has(it))) {
		throw new IconRefusedError('it is said to be something else than PNG, JPEG or WebP');
	}
	if (/^data:/i.test(src)) {
		return fromData(src, types);
	}
	const url = tryParseUrl(src);
	if (url?.protocol !== 'https:') {
		throw new IconRefusedError('its address is neither https: nor data:');
	}
	if (serverUrl === undefined || tryParseUrl(serverUrl)?.origin !== url.origin) {
		throw new IconRefusedError('it is not of the origin of the server');
	}
	return { kind: 'https', url: withoutCredentials(url), types };
}

/** Spec: data URLs of icons are in base64. */
function fromData(src: string, types: readonly string[]): IconSource {
	// Base64 has four characters for three bytes; 200 for the rest of the URL.
	if (src.length > (maxIconBytes / 3) * 4 + 200) {
		throw tooLarge();
	}
	const [, type = '', text = ''] = /^data:([^,;]*);base64,(.*)$/is.exec(src) ?? [];
	if (!imageTypes.has(withoutParameters(type))) {
		throw new IconRefusedError('its data is not that of a PNG, JPEG or WebP image in base64');
	}
	const bytes = tryDecodeBase64(text);
	if (!bytes) {
		throw new IconRefusedError('its data is no base64');
	}
	const all = [...types, withoutParameters(type)];
	checkIcon(bytes, all);
	return { kind: 'data', bytes, types: all };
}

function withoutCredentials(url: URL): URL {
	if (url.username !== '' || url.password !== '') {
		throw new IconRefusedError('its address has credentials in it');
	}
	return url;
}

/** A media type without its parameters, in lower case. */
export function withoutParameters(text: string): string {
	return (text.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** How unsuitable an icon is: the theme counts most, then the size. Too small is worse than too large. */
function distance({ sizes = [], theme }: Icon, wanted: 'light' | 'dark'): number {
	const sides = sizes.slice(0, maxCandidates).flatMap(it => {
		const side = /^(\d{1,5})x\d{1,5}$/i.exec(it)?.[1];
		return side === undefined ? [] : [Number(side)];
	});
	const far = sides.map(it => (it >= bestSide ? it - bestSide : it >= 16 ? 2 * (bestSide - it) : 10_000 - it));
	const size = far.length > 0 && !sizes.includes('any') ? Math.min(...far) : bestSide;
	return size + (theme === wanted ? 0 : theme === undefined ? 100_000 : 1_000_000);
}
